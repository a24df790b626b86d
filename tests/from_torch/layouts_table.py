"""Writes after functions that give a view or a copy, with every dynamic dimension at 0, 1, 2 and 7, against PyTorch.

python tests/from_torch/layouts_table.py [PART] [--write]

PART: of the functions' texts; then it only prints. --write: the counts of all, into docs/grids.md.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from from_torch.operators import _words
from support.sections import write_section

import dy2st.torch
from dy2st.errors import ConversionError, StagedValueError
from dy2st.static import InputSpec

LENGTHS = (0, 1, 2, 7)
SPECS = [[None, 3], [3, None], [None, None], [None, 3, 2], [None, 3, None]]
MAKERS = ["x", "x[:, :2]", "x[:, 1:]", "x[:1]", "x[1:]", "x.transpose(0, 1)", "x[:, 0]", "x[:, ::2]", "x[..., :1]"]
STEPS = [
    "contiguous()", "reshape(-1)", "flatten()", "t()", "transpose(0, 1)", "transpose(0, 1).contiguous()", "squeeze(-1)",
    "permute(*range(y.dim() - 1, -1, -1)).contiguous()", "unsqueeze(0)", "unsqueeze(1).contiguous()", "view(-1)",
    "expand(2, *y.shape)", "expand(y.shape)", "expand(2, *y.shape).contiguous()", "narrow(0, 0, 1)",
    "narrow(-1, 0, 1).contiguous()",
    "unfold(0, 1, 1)", "unfold(0, 2, 1)", "unfold(0, 1, 1).contiguous()", "ravel()", "reshape(y.shape)", "reshape(1, *y.shape)",
    "reshape(y.shape[0], -1)", "view(y.shape)", "flatten(0, 1)", "flip(0)", "clone()", "movedim(0, -1).reshape(-1)",
    "unbind(-1)[0]",
    "diagonal()", "select(0, 0)", "T.contiguous()", "contiguous().t().contiguous()", "swapaxes(0, -1).flatten()", "zero_()",
]  # fmt: skip
WRITES = ["z.add_(100)", "z.zero_()", "x.mul_(2)", "y.fill_(5)", "z += x.sum()"]


class Cell(NamedTuple):
    """What is written after which steps."""

    shape: str
    maker: str
    step: str
    write: str


def cells() -> Iterator[Cell]:
    """All cells."""
    yield from (Cell(str(a), b, c, d) for a, b, c, d in product(SPECS, MAKERS, STEPS, WRITES))


_SOURCE = """
def function(q):
    x = q * 1
    y = {maker}
    z = y.{step}
    {write}
    return q, x, y, z
"""


def _function(source: str, folder: Path) -> Any:
    path = folder / "layout_of_cell.py"
    path.write_text(source)
    names: dict[str, Any] = {"__name__": "layout_of_cell", "torch": torch}
    exec(compile(source, str(path), "exec"), names)
    return names["function"]


def result_of(cell: Cell, folder: Path) -> str:
    """"equal", "refused: why" or "wrong: how"."""
    return result_of_source(_SOURCE.format(**cell._asdict()), InputSpec(eval(cell.shape), "float32"), folder)


def result_of_source(source: str, spec: InputSpec, folder: Path) -> str:
    """The same, of the text of a function `function(q)`, called with every dynamic dimension of q at each of LENGTHS."""
    import linecache

    linecache.clearcache()
    function = _function(source, folder)
    shapes = [list(n) for n in product(*[LENGTHS if n == -1 else (n,) for n in spec.shape])]
    net, found = dy2st.torch.to_static(function, [spec]), []
    for shape in shapes:
        x = torch.arange(float(torch.Size(shape).numel())).reshape(shape) + 1
        theirs, ours = _called(function, x.clone()), _called(net, x.clone())
        if isinstance(ours, ConversionError | StagedValueError):
            found.append("refused: " + _words(ours))
        elif isinstance(theirs, Exception) and isinstance(ours, Exception):
            names = [type(x).__name__ for x in (ours, theirs)]
            found.append("equal" if names[0] == names[1] else f"wrong: {shape}: {' not '.join(names)}: {_words(ours)}")
        elif isinstance(theirs, Exception) or isinstance(ours, Exception):
            found.append(f"wrong: {shape}: {ours!r}, not {theirs!r}".replace("\n", " "))
        else:
            is_same = all(a.shape == b.shape and torch.equal(a, b) for a, b in zip(ours, theirs))
            found.append("equal" if is_same else f"wrong: {shape}: {ours}, not {theirs}".replace("\n", " "))
    return min(found, key=lambda x: "wre".index(x[0]))


def _called(function: Any, x: Any) -> Any:
    try:
        return function(x)
    except Exception as error:
        return error


def main(part: str, is_written: bool, folder: Path) -> int:
    """Try all cells whose texts have a part. 1: a cell is wrong."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    start = time.process_time()
    for cell in cells():
        if part in str(cell):
            result = result_of(cell, folder)
            counts[cell.step][result.partition(":")[0]] += 1
            if result != "equal":
                print(*cell, result, sep=" | ", flush=True)
    total = sum(counts.values(), Counter())
    print(f"{dict(total)} ({time.process_time() - start:.0f} s)")
    if is_written:
        write_section("grids.md", "python tests/from_torch/layouts_table.py --write", counted("after", counts, total))
    return int(total["wrong"] > 0)


def counted(title: str, counts: dict[str, Counter[str]], total: Counter[str]) -> str:
    """The counts as a table. title: of its first column."""
    kinds = ("equal", "refused", "wrong")
    rows = [f"| `{step}` | " + " | ".join(f"{found[kind]:,}" for kind in kinds) + " |" for step, found in counts.items()]
    words = ", ".join(f"{total[kind]:,} {kind}" for kind in kinds)
    head = f"{total.total():,} cells, each called with every dynamic dimension at {', '.join(map(str, LENGTHS))}: {words}."
    return "\n".join([head, "", f"| {title} | equal | refused | wrong |", "|---|---|---|---|", *rows])


if __name__ == "__main__":
    import tempfile

    given = ArgumentParser()
    given.add_argument("part", nargs="?", default="")
    given.add_argument("--write", action="store_true")
    options = given.parse_args()
    with tempfile.TemporaryDirectory() as made:
        raise SystemExit(main(options.part, options.write, Path(made)))
