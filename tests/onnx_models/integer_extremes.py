"""Operators on integers at the ends of their dtypes, and beyond what floats hold, in ONNX Runtime against NumPy.

    python tests/onnx_models/integer_extremes.py            # counts of the whole grid
    python tests/onnx_models/integer_extremes.py --write    # the same, into docs/grids.md

A cell is an operator, a sample of its operands, an integer dtype, and fixed or dynamic dimensions.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

if __name__ == "__main__":
    sys.path[:0] = map(str, (Path(__file__).parents[1], Path(__file__).parents[2]))

import numpy as np
from onnx_models.cases import FIXED, SAME, accepts, changed, check
from onnx_models.running import opened
from ops.samples.sample import Sample, sample
from support.sections import write_section

from dy2st.ops.families import FAMILIES

COMMAND = "python tests/onnx_models/integer_extremes.py --write"
DTYPES = ("uint8", "int8", "int16", "int32", "int64")
_BEYOND = {"int32": (2**24 + 1, -(2**24) - 3), "int64": (2**53 + 1, -(2**53) - 3, 2**62 + 1, 2**31, 2**32 + 1, -(2**31) - 1)}
_ON_INTEGERS = {name for family in ("compare", "elementwise", "integers", "select", "unary") for name in FAMILIES[family].split()}
_SHAPES = ((5,), (3, 4), (2, 3, 4), (1, 3), (0, 3), (3, 0))
_AXES: tuple = (None, 0, -1, -2, (0, 1), (0, -1))
_EINSUMS = {  # axes that one operand has alone, axes that are repeated, operands without elements
    "ij->i": [(3, 4)], "ij->": [(3, 4)], "ij->ji": [(3, 4)], "ij,kl->jl": [(3, 4), (2, 5)], "ij,ij->": [(3, 4), (3, 4)],
    "ij,ij->j": [(1, 4), (3, 4)], "bij,bjk->bki": [(2, 3, 4), (2, 4, 5)], "ij,jk,kl->il": [(2, 3), (3, 4), (4, 2)],
    "i,j->ji": [(4,), (3,)], ",i->i": [(), (3,)], "ij,jk->ik": [(3, 0), (0, 2)],
}  # fmt: skip


class Cell(NamedTuple):
    """An operator, the number of its sample, the dtype of the integers, and whether dimensions are dynamic."""

    name: str
    number: int
    dtype: str
    is_dynamic: bool

    def __str__(self) -> str:
        return f"{self.name}-{self.number}-{self.dtype}{'-dynamic' if self.is_dynamic else ''}"


def _reductions() -> Iterator[Sample]:
    for shape in _SHAPES:
        for axis in _AXES:
            axes = [] if axis is None else [*axis] if isinstance(axis, tuple) else [axis]
            if all(-len(shape) <= a < len(shape) for a in axes) and len({a % len(shape) for a in axes}) == len(axes):
                yield sample(np.zeros(shape), axis=axis, keepdim=axis in (None, -1))


SAMPLES = {name: [*FIXED[name], *_reductions()] if name in ("sum", "prod") else FIXED[name] for name in FIXED}
SAMPLES["einsum"] = [
    *SAMPLES["einsum"], *(sample(*map(np.zeros, shapes), equation=text) for text, shapes in _EINSUMS.items())
]  # fmt: skip


def operands_of(cell: Cell) -> Sample | None:
    """The sample with integers at the ends in place of its numbers; None where the operator takes none."""
    plain = SAMPLES[cell.name][cell.number]
    arrays = [x for x in plain.operands if isinstance(x, np.ndarray)]
    kinds = "f" if any(x.dtype.kind == "f" for x in arrays) else "iu" if cell.name in _ON_INTEGERS else ""
    draw, ends = np.random.default_rng(crc32(str(cell).encode())), np.iinfo(cell.dtype)
    signed = (-1, -2, ends.min + 1) if ends.min else ()
    numbers = np.array([ends.min, ends.max, ends.max - 1, 0, 1, 2, 3, 7, *signed, *_BEYOND.get(cell.dtype, ())], cell.dtype)
    found = changed(plain, lambda x: draw.choice(numbers, x.shape) if x.dtype.kind in kinds else x)
    if cell.name == "searchsorted":
        found = Sample((np.sort(found.operands[0]), *found.operands[1:]), found.attrs)
    return found if kinds and accepts(cell.name, found) else None


def cells() -> list[Cell]:
    """The whole grid."""
    every = (
        Cell(name, k, dtype, dynamic)
        for name in SAMPLES for k in range(len(SAMPLES[name])) for dtype in DTYPES for dynamic in (False, True)
    )  # fmt: skip
    return [cell for cell in every if operands_of(cell) is not None]


def tried(cell: Cell) -> str:
    """ "" where ONNX Runtime gives what NumPy gives, or raises as it does; the words of a refusal. AssertionError: it differs."""
    found = operands_of(cell)
    assert found is not None
    return check(cell.name, found, opened if cell.is_dynamic else SAME)


def main() -> None:
    """Print the counts, or write them into the docs."""
    counts: Counter[str] = Counter()
    grid = cells()
    for cell in grid:
        try:
            reason = tried(cell)
            counts[f"refused: {reason}" if reason else "equal"] += 1
        except AssertionError as error:
            counts["wrong"] += 1
            print(f"{cell}: {error}")
    refused = {reason.removeprefix("refused: "): n for reason, n in counts.items() if reason.startswith("refused")}
    rows = "".join(f"| {reason} | {n} |\n" for reason, n in sorted(refused.items()))
    text = (
        f"{len(grid):,} cells of {len({cell.name for cell in grid})} operators: {counts['equal']:,} equal, "
        f"{sum(refused.values())} refused, {counts['wrong']} wrong.\n\n| refused because | cells |\n|---|---|\n{rows}"
    )
    print(text)
    if "--write" in sys.argv:
        write_section("grids.md", COMMAND, text)


if __name__ == "__main__":
    main()
