"""What people review: comprehensions, generators, `match`, f-strings and unpacking, rewritten."""

import textwrap

import pytest
from test_readable_source import _on_one_line

from dy2st.transformers import transpile

Point = None


def comprehended(xs, n):
    ys = [x * 2 for x in xs if x > n]
    return {k: v for k, (v, _) in ys.items()}, sum(i * j for i in range(n) for j in range(i))


COMPREHENDED = """
    def comprehended(xs, n):
        ys = _jst.listcomp(lambda x: x * 2, "for x in", xs, "if", lambda x: x > n)
        return _jst.dictcomp(lambda k, v: (k, v), "for k, (v, _) in", _jst.call(ys.items)()), \\
            _jst.call(sum)(_jst.genexp(lambda i, j: i * j, "for i in", _jst.call(range)(n),
                "for j in", lambda i: _jst.call(range)(i)))
"""


def witness(xs):
    if any((found := x) > 2 for x in xs):
        return found
    return None


WITNESS = """
    def witness(xs):
        found = _jst.Unbound("found")
        @_jst.new
        def element_0(x):
            nonlocal found
            return (found := x) > 2
        def true_fn_0(return_value_0):
            return _jst.bound(found, "found")
        def false_fn_0(return_value_0):
            return None
        return _jst.convert_ifelse(_jst.call(any)(_jst.genexp(element_0, "for x in", xs)), true_fn_0,
            false_fn_0, (_jst.no_value,))
"""


def matched(point):
    match point:
        case [0, y]:
            z = y
        case {"x": x, **rest} if x:
            z = rest
        case Point(a=1) | None:
            z = "one"
        case _:
            z = point
    return z


MATCHED = """
    def matched(point):
        def true_fn_0(z):
            y = _jst.at(point)[1]
            return y
        def false_fn_0(z):
            guard_0 = False
            def true_fn_1(guard_0):
                x = _jst.at(point)["x"]
                rest = _jst.items_beside(point, "x")
                return x
            guard_0 = _jst.convert_ifelse(_jst.is_mapping(point, "x"), true_fn_1, None, (guard_0,))
            def true_fn_2(z):
                x = _jst.at(point)["x"]
                rest = _jst.items_beside(point, "x")
                return rest
            def false_fn_2(z):
                def true_fn_3(z):
                    return "one"
                def false_fn_3(z):
                    return point
                return _jst.convert_ifelse(
                        _jst.or_(_jst.and_(_jst.is_instance(point, Point, 0, "a"), lambda: point.a == 1),
                        lambda: _jst.is_(point, None)), true_fn_3, false_fn_3, (_jst.no_value,))
            return _jst.convert_ifelse(guard_0, true_fn_2, false_fn_2, (_jst.no_value,))
        z = _jst.convert_ifelse(_jst.and_(_jst.is_sequence(point, 2), lambda: _jst.at(point)[0] == 0), true_fn_0,
                false_fn_0, (_jst.no_value,))
        return z
"""


def generated(rows, log):
    for row in rows:
        yield row * 2
    log.append("end")


GENERATED = """
    def generated(rows, log, *, consume_0):
        return_0 = False
        for_iter_0 = _jst.iter(rows)
        def for_condition_0(return_0):
            return for_iter_0.more(unless=return_0)
        def for_body_0(return_0):
            row = for_iter_0.next()
            def true_fn_0(return_0):
                return True
            return _jst.convert_ifelse(consume_0(row * 2), true_fn_0, None, (return_0,))
        return_0 = _jst.convert_while_loop(for_condition_0, for_body_0, [return_0], for_iter_0)
        def true_fn_1():
            _jst.call(log.append)("end")
        _jst.convert_ifelse(_jst.not_(return_0), true_fn_1, None)
"""


def spelled(v, i, n, w):
    print(f"loss {v:.2f} at {i!r:>{w}}", "%d of %d" % (i, n))


SPELLED = """
    def spelled(v, i, n, w):
        _jst.call(print)(_jst.format("loss {:.2f} at {!r:>{}}", v, i, w),
            _jst.percent("%d of %d", (i, n)))
"""


def unpacked(xs, n):
    first, *rest = xs
    for i, (a, *others) in enumerate(rest):
        n = n + i
    return first, n


UNPACKED = """
    def unpacked(xs, n):
        first, rest = _jst.unpack(xs, "first, *rest")
        for_iter_0 = _jst.iter(_jst.call(enumerate)(rest))
        def for_body_0(n):
            i, (a, others) = _jst.unpack(for_iter_0.next(), "i, (a, *others)")
            return n + i
        n = _jst.convert_while_loop(None, for_body_0, [n], for_iter_0)
        return first, n
"""


EXAMPLES = [(comprehended, COMPREHENDED), (witness, WITNESS), (matched, MATCHED), (generated, GENERATED), (spelled, SPELLED),
            (unpacked, UNPACKED)]


@pytest.mark.parametrize("function, expected", EXAMPLES, ids=lambda value: getattr(value, "__name__", ""))
def test_rewritten_source(function, expected):
    expected = textwrap.dedent(expected).replace("\\\n", "")
    assert _squeezed(transpile(function).source) == _squeezed(expected)


def _squeezed(text):
    return ["".join(line.split()).replace("'", '"') for line in _on_one_line(text)]
