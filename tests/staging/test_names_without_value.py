"""E-15: a name that has no value raises what plain Python raises, wherever it is read."""

import linecache

import pytest
from support.answers import answer

import dy2st as paddle

MISSING = {  # how the name y comes to have no value
    "deleted": "y = 1\n    del y",
    "bound later": "pass",
    "a parameter": "y = x\n    del y",
    "deleted on a path": "y = 1\n    if t: del y",
    "bound on a path": "if not t: y = 1",
    "of a handler": "try: 1 / 0\n    except ZeroDivisionError as y: pass",
}
READS = [
    "y if t else x", "x if not t else y", "t and y", "(not t) or y", "0 < 1 < y", "f'{y}'", "[y for _ in range(2)]",
    "[_ for _ in y]", "(lambda: y)()", "sum(y for _ in range(2))", "x + (y if t else (y if k else 1))", "not y", "y.foo", "y[0]",
    "[(y if t else x) for _ in range(2)]", "{y: 1 for _ in range(2)}",
]  # fmt: skip


def written(missing, read):
    source = f"def f(x, k=True):\n    t = x.sum() > 0\n    {missing}\n    return {read}\n    y = 5\n"
    name = f"<{missing}, {read}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = {}
    exec(compile(source, name, "exec"), names)
    return names["f"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("missing", MISSING.values(), ids=list(MISSING))
def test_e_15_a_name_without_a_value(missing):
    x = paddle.to_tensor([1.0, 2.0])
    for read in READS:
        function = written(missing, read)
        expected = answer(function, x)
        assert expected.kind in ("NameError", "UnboundLocalError"), read
        assert answer(paddle.jit.to_static(function), x) == expected, read
