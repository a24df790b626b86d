"""What people review: the rewritten text of small functions, and of the guide's two examples (sections 8 and 8.1)."""

import textwrap

import pytest

from dy2st.transformers import transpile

paddle = mean = None


def branches(x):
    if paddle.mean(x) > 5.0:
        out = paddle.mean(x)
    else:
        out = paddle.sum(x)
    return out


BRANCHES = """
    def branches(x):
        def true_fn_0(out):
            return _jst.call(paddle.mean)(x)
        def false_fn_0(out):
            return _jst.call(paddle.sum)(x)
        out = _jst.convert_ifelse(_jst.call(paddle.mean)(x) > 5.0, true_fn_0, false_fn_0, (_jst.no_value,))
        return out
"""


def appends(x):
    bs = paddle.shape(x)[0]
    outs = []
    for i in range(bs):
        outs.append(x)
        x = x + i
    return outs, x


APPENDS = """
    def appends(x):
        bs = _jst.at(_jst.call(paddle.shape)(x))[0]
        outs = _jst.new([])
        for_iter_0 = _jst.iter(_jst.call(range)(bs))
        def for_body_0(x):
            i = for_iter_0.next()
            _jst.call(outs.append)(x)
            return x + i
        x = _jst.convert_while_loop(None, for_body_0, [x], for_iter_0)
        return outs, x
"""


def early(x, c):
    if c:
        return x
    y = x + 1
    return y


EARLY = """
    def early(x, c):
        def true_fn_0(return_value_0):
            return x
        def false_fn_0(return_value_0):
            y = x + 1
            return y
        return _jst.convert_ifelse(c, true_fn_0, false_fn_0, (_jst.no_value,))
"""


def breaks(x):
    i = 0
    while i < 10:
        if x > i:
            break
        i += 1
    return i


BREAKS = """
    def breaks(x):
        i = 0
        break_0 = False
        def while_condition_0(i, break_0):
            return _jst.and_(_jst.not_(break_0), lambda: i < 10)
        def while_body_0(i, break_0):
            def true_fn_0(i, break_0):
                break_0 = True
                return i, break_0
            def false_fn_0(i, break_0):
                i += 1
                return i, break_0
            i, break_0 = _jst.convert_ifelse(x > i, true_fn_0, false_fn_0, (i, break_0))
            return i, break_0
        i, break_0 = _jst.convert_while_loop(while_condition_0, while_body_0, [i, break_0])
        return i
"""


def kept(c, t):
    if c:
        t = t + 1
        print(t)


KEPT = """
    def kept(c, t):
        def true_fn_0(t=t):
            t = t + 1
            _jst.call(print)(t)
        _jst.convert_ifelse(c, true_fn_0, None)
"""


def maybe_unbound(c):
    if c:
        y = 1
    return y


MAYBE_UNBOUND = """
    def maybe_unbound(c):
        y = _jst.Unbound("y")
        def true_fn_0(y):
            return 1
        y = _jst.convert_ifelse(c, true_fn_0, None, (y,))
        return _jst.bound(y, "y")
"""


def stores(self, x, i):
    self.calls += 1
    x[i] += 2
    x[i].name = [x[0], not i]
    del x[i]


STORES = """
    def stores(self, x, i):
        _jst.at(self).calls += 1
        _jst.at(x)[i] += 2
        _jst.at(_jst.at(x)[i]).name = _jst.new([_jst.at(x)[0], _jst.not_(i)])
        del _jst.at(x)[i]
"""


def conditions(a, b, c, items):
    assert a and b or c, "none"
    x = a if b is None else c in items
    return a < b <= c, x


CONDITIONS = """
    def conditions(a, b, c, items):
        _jst.assert_(_jst.or_(_jst.and_(a, lambda: b), lambda: c), lambda: "none")
        x = _jst.ifexp(_jst.is_(b, None), lambda: a, lambda: _jst.in_(c, items))
        return _jst.compare(a, "<", lambda: b, "<=", lambda: c), x
"""

def caught(x, log):
    total = 0
    try:
        total = mean(x)
    except (KeyError, IndexError) as error:
        log.append(str(error))
    finally:
        log.append(total)
    return total


CAUGHT = """
    def caught(x, log):
        total = 0
        def try_body_0():
            nonlocal total
            total = _jst.call(mean)(x)
        def except_0(error):
            _jst.call(log.append)(_jst.call(str)(error))
        def finally_0():
            _jst.call(log.append)(total)
        _jst.try_(try_body_0, (), [(lambda: (KeyError, IndexError), except_0)], final=finally_0)
        return total
"""


def managed(x, lock):
    with paddle.no_grad(), lock as held:
        x = mean(held)
        if x > 1:
            raise ValueError
    return 1


MANAGED = """
    def managed(x, lock):
        with _jst.call(paddle.no_grad)():
            manager_0 = _jst.with_(lock)
            def with_body_0():
                held = manager_0.value
                x = _jst.call(mean)(held)
                def true_fn_0():
                    _jst.raise_(ValueError)
                _jst.convert_ifelse(x > 1, true_fn_0, None)
            manager_0.run(with_body_0, ())
        return 1
"""

EXAMPLES = [(branches, BRANCHES), (appends, APPENDS), (early, EARLY), (breaks, BREAKS), (kept, KEPT),
            (maybe_unbound, MAYBE_UNBOUND), (stores, STORES), (conditions, CONDITIONS), (caught, CAUGHT), (managed, MANAGED)]


@pytest.mark.parametrize("function, expected", EXAMPLES, ids=lambda value: getattr(value, "__name__", ""))
def test_rewritten_source(function, expected):
    text = transpile(function).source
    assert _on_one_line(text) == _on_one_line(textwrap.dedent(expected))


def _on_one_line(text):
    """Without wrapping: a line that is indented by more than its block continues the one before."""
    lines = []
    for line in text.replace("'", '"').strip().splitlines():
        if lines and lines[-1].count("(") > lines[-1].count(")"):
            lines[-1] = lines[-1].rstrip() + " " + line.strip()
        else:
            lines.append(line)
    return [line.replace("( ", "(").replace("_jst. ", "_jst.").replace(" )", ")") for line in lines]
