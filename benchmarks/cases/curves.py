"""How the time from source to Program grows with the size of the function, and the exponent of that growth: 1 is linear."""

from __future__ import annotations

from functools import partial

import dy2st
from cases.common import fresh_module
from harness import Case

END = "    return x\n"
IF = "    if x.sum() > {0}.0:\n        x = x - 1.0\n    else:\n        x = x + 0.5\n"


def lines(count: int) -> str:
    return "".join(f"    x = x * 0.{5 + k % 4} - {k % 5}.5\n" for k in range(count)) + END


def ifs(count: int) -> str:
    return "".join(IF.format(k) for k in range(count)) + END


def nested(head: str, depth: int) -> str:
    heads = ("    " * (k + 1) + head.format(k) + "\n" for k in range(depth))
    return "".join(heads) + "    " * (depth + 1) + "x = x - 1.0\n" + END


def counted(depth: int) -> str:
    """Loops that each carry a counter."""
    head = "{0}i{1} = 0\n{0}while i{1} < x.sum():\n"
    indents = ["    " * (k + 1) for k in range(depth + 2)]
    heads = (head.format(indents[k], k) for k in range(depth))
    steps = (f"{indents[k + 1]}i{k} += 1\n" for k in reversed(range(depth)))
    return "".join(heads) + indents[depth] + "x = x - 1.0\n" + "".join(steps) + END


CURVES = {
    "Straight lines, source to Program": (lines, (1000, 2000, 5000)),
    "Sequential ifs, source to Program": (ifs, (75, 150, 300)),
    "Nested ifs, source to Program": (lambda depth: nested("if x.sum() > {0}.0:", depth), (20, 40, 90)),
    "Nested loops, source to Program": (counted, (2, 4, 8)),
}


def cases() -> list[Case]:
    return [*(_case(title, stage, *curve) for title, curve in CURVES.items()),
            _case("Scripted lines, source to Program", script, lines, (500, 1000, 2000))]  # fmt: skip


def _case(title, convert, make, sizes) -> Case:
    variants = {f"{size:,}": partial(convert, make(size)) for size in sizes}
    return Case(title, variants, sizes=list(sizes))


def stage(body: str) -> None:
    """Convert and stage a function of this body, in a file that no cache has seen."""
    function = fresh_module("def f(x):\n" + body).f
    dy2st.jit.to_static(function, input_spec=[dy2st.static.InputSpec([2], "float32", "x")]).concrete_program  # noqa: B018


def script(body: str) -> None:
    """Script a function of this body."""
    dy2st.jit.script(fresh_module("import dy2st\n\ndef f(x: dy2st.Tensor) -> dy2st.Tensor:\n" + body).f)
