"""Writes into views whose elements share memory, with every dynamic dimension at 0, 1, 2 and 7, against PyTorch.

python tests/from_torch/overlaps_table.py [PART] [--write]

PART: of the functions' texts; then it only prints. --write: the counts of all, into docs/grids.md.
"""

from __future__ import annotations

import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.layouts_table import counted, result_of_source
from support.sections import write_section

from dy2st.static import InputSpec

SPECS = [[3, 4], [None, 4], [3, None], [None, None]]
VIEWS = [
    "x.expand(2, *x.shape)", "x[:1].expand(3, x.shape[1])", "x[:, :1].expand(x.shape[0], 3)", "x[:, :1].expand(-1, x.shape[0])",
    "x[:1].expand_as(x)", "torch.broadcast_to(x, (2, *x.shape))", "torch.broadcast_tensors(x[:1], x)[0]", "x.expand(x.shape)",
    "x.expand(2, *x.shape).transpose(0, 1)", "x.expand(2, *x.shape)[1]", "x[0].expand(2, -1)", "x.as_strided((3, 2), (1, 1))",
    "x.unfold(0, 2, 1)", "x.unfold(1, 2, 2)", "x.diagonal()",
]  # fmt: skip
WRITES = [
    "v.zero_()", "v.fill_(5)", "v.fill_(x.sum())", "v.add_(1)", "v.mul_(2)", "v += 1", "v.copy_(torch.ones_like(v))", "v[0] = 7",
    "v[0] = v[0] * 2", "v[:, 0] = 7", "v[..., 0] = x.sum()", "v[0, 0] = 7", "v[0].add_(1)", "v[:1] *= 2", "v[v > 2] = 9",
    "v[torch.tensor([0])] = 9", "v.masked_fill_(v > 2, 9)", "v.index_fill_(0, torch.zeros(len(v[:1]), dtype=torch.int64), 9)",
    "v.index_add_(0, torch.zeros(len(v[:1]), dtype=torch.int64), torch.ones_like(v[:1]))",
    "v.scatter_(0, torch.zeros_like(v[:1], dtype=torch.int64), 5)",
    "torch.add(v, 1, out=v)", "torch.zeros(v.shape, out=v)",
]  # fmt: skip


class Cell(NamedTuple):
    """Which view is written how."""

    shape: str
    view: str
    write: str


def cells() -> Iterator[Cell]:
    """All cells."""
    yield from (Cell(str(a), b, c) for a, b, c in product(SPECS, VIEWS, WRITES))


_SOURCE = """
def function(q):
    x = q * 1
    v = {view}
    try:
        {write}
    except RuntimeError:
        x.sub_(1)
    return q, x, v
"""


def result_of(cell: Cell, folder: Path) -> str:
    """"equal", "refused: why" or "wrong: how"."""
    spec = InputSpec(eval(cell.shape), "float32", stop_gradient=True)  # as out= takes nothing else
    return result_of_source(_SOURCE.format(**cell._asdict()), spec, folder)


def main(part: str, is_written: bool, folder: Path) -> int:
    """Try all cells whose texts have a part. 1: a cell is wrong."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    start = time.process_time()
    for cell in cells():
        if part in str(cell):
            result = result_of(cell, folder)
            counts[cell.write][result.partition(":")[0]] += 1
            if result != "equal":
                print(*cell, result, sep=" | ", flush=True)
    total = sum(counts.values(), Counter())
    print(f"{dict(total)} ({time.process_time() - start:.0f} s)")
    if is_written:
        write_section("grids.md", "python tests/from_torch/overlaps_table.py --write", counted("write", counts, total))
    return int(total["wrong"] > 0)


if __name__ == "__main__":
    given = ArgumentParser()
    given.add_argument("part", nargs="?", default="")
    given.add_argument("--write", action="store_true")
    options = given.parse_args()
    with tempfile.TemporaryDirectory() as made:
        raise SystemExit(main(options.part, options.write, Path(made)))
