"""A `try` whose body has to be staged again, after it has stored something: nothing is stored twice."""

import itertools
import textwrap

import pytest
from support.sampling import sampled

import dy2st as paddle
from staging.agreement import assert_agrees

STORES = {
    "an attribute": "o.c += 1",
    "an item": "d['n'] += 1",
    "an item of its own": "d['first'] = [d['n']]",
    "a list": "seen.append(len(seen))",
    "an enclosing variable": "count()",
    "a name": "total += 1",
    "a set": "once.add(len(once))",
}
AGAIN = {
    "a new key": "d['first'] = 2\nd['spare'] = 1",
    "a key taken out": "d['first'] = 3\ndel d['first']\nd['last'] = 1",
    "a list that grows": "if n > 0:\n    seen.append(n)",
    "a kind": "for _ in range(n):\n    total = total + 0.5",
    "an item that may be missing": "d['first'] = rows[n]",
}
SOURCE = """
def f(x, n):
    class O:
        pass
    o, seen, once, total, rows, counted = O(), [], set(), 0, [1, 2], 0
    o.c = 0
    d = {"first": 1, "n": 1}
    def count():
        nonlocal counted
        counted += 1
    try:
BODY
        if n > 1:
            raise KeyError("u")
    except (KeyError, IndexError):
        d["n"] += 10
        total += 100
    return o.c, seen, len(once), total, counted, list(d.items())
"""


@pytest.mark.long
@pytest.mark.parametrize("again, stores", sampled(itertools.product(AGAIN, itertools.combinations(STORES, 2)), 18))
def test_nothing_is_stored_twice(stores, again, tmp_path):
    body = "\n".join([*(STORES[name] for name in stores), AGAIN[again], STORES[stores[0]]])
    path = tmp_path / "tried.py"
    path.write_text(SOURCE.replace("BODY", textwrap.indent(body, " " * 8)))
    namespace = {"__name__": "tried", "__file__": str(path)}
    exec(compile(path.read_text(), path, "exec"), namespace)
    assert_agrees(namespace["f"])


class Scope:
    def __init__(self, *caught):
        self.caught = caught

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.caught)


@pytest.mark.parametrize("outer", [(), (Exception,), (ValueError,)])
@pytest.mark.parametrize("inner", [(), (Exception,), (ZeroDivisionError,)])
def test_a_body_that_needs_no_cell_any_more_is_run_once_for_each_turn(outer, inner):
    def function(x, start):
        k = start
        with Scope(*outer):
            for row in x:
                if row > 1:
                    break
                with Scope(*inner):
                    k = k + 1
                    k = k // x.shape[0]
        return k

    static = paddle.jit.to_static(function)
    for start in (16, 100):
        for values in ([-2.0, 0.5], [1.0, 0.0], [-2.0, 0.5, 1.5], [0.0, 3.0]):
            x = paddle.to_tensor(values)
            assert int(static(x, start)) == function(x, start)
