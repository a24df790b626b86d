"""Calls that PyTorch refuses: samples of its database of operators with another dtype, length or index in one operand.

python tests/from_torch/refusals.py [PART] [--write]

Each is called by torch, and as a Program of known and of dynamic dimensions. Samples as they are, which torch takes, are tried as
well, so that nothing is refused that needn't be. PART: of the operators' names; then it only prints.
--write: the counts of all, into docs/grids.md.
"""

from __future__ import annotations

import sys
import time
import warnings
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from from_torch.operators import OPERATORS, RANDOM, _called, _copied, _function, _given, _words, samples
from support.sections import write_section

import dy2st.torch
from dy2st.errors import ConversionError, StagedValueError
from dy2st.static import InputSpec
from dy2st.torch.values import leaves, mapped

SAMPLES = 2  # of each operator
FORMS = {"known": lambda n: None, "dynamic batch": lambda n: [None] * min(n, 1), "dynamic": lambda n: [None] * n}
# Of these, a sample asks for memory or time without end where a length is another one.
LEFT_OUT = frozenset(name for name in OPERATORS if "triton" in name or name.startswith("_refs"))


class Cell(NamedTuple):
    """A sample, of which one leaf has another value, in a form."""

    operator: str
    sample: int
    operand: int
    change: str
    form: str


class Changed(NamedTuple):
    """A sample with one leaf changed."""

    input: Any
    args: tuple
    kwargs: dict


def _of_dtype(dtype: torch.dtype) -> Any:
    def change(x: torch.Tensor) -> torch.Tensor | None:
        return None if x.dtype is dtype else x.to(dtype)

    return change


def _longer(axis: int) -> Any:
    def change(x: torch.Tensor) -> torch.Tensor | None:
        return torch.cat([x, x.narrow(axis, 0, 1)], axis) if x.dim() and x.shape[axis] else None

    return change


def _first_element(number: int) -> Any:
    def change(x: torch.Tensor) -> torch.Tensor | None:
        if x.dtype is not torch.int64 or not x.numel():
            return None
        changed = x.clone()
        changed.view(-1)[0] = number
        return changed

    return change


CHANGES = {
    **{str(dtype)[6:]: _of_dtype(dtype) for dtype in (torch.float64, torch.float16, torch.int64, torch.bool, torch.complex64)},
    "longer rows": _longer(-1),
    "more rows": _longer(0),
    "an axis more": lambda x: x[None],
    "an axis less": lambda x: x[0].clone() if x.dim() and x.shape[0] else None,
    "index -1": _first_element(-1),
    "index 99": _first_element(99),
}
OF_DTYPES = frozenset(list(CHANGES)[:5])
UNCHANGED, VALUE = "nothing", "a value"  # of samples that torch takes
OF_ANY_EMPTY = ("cat", "gather")  # they take an empty tensor of another rank or dtype, which only a call can tell


def cells(operator: str, count: int = SAMPLES) -> Iterator[tuple[Cell, Any, str]]:
    """The cells of an operator, each with the sample that is called, and the class of what torch raises."""
    for number, sample in enumerate(samples(operator, torch.float32, count)):
        given = leaves(_given(sample))
        for operand, leaf in enumerate(given):
            if not isinstance(leaf, torch.Tensor) or leaf.layout is not torch.strided:
                continue
            for change, made in CHANGES.items():
                changed = made(leaf.detach())
                if changed is None:
                    continue
                places = iter(range(len(given)))
                whole = Changed(*mapped(lambda x: changed if next(places) == operand else x, _given(sample)))  # noqa: B023
                theirs = _of_torch(operator, whole)
                if theirs is not None:
                    yield from ((Cell(operator, number, operand, change, form), whole, theirs) for form in FORMS)


def unchanged(operator: str, count: int = SAMPLES) -> Iterator[tuple[Cell, Any, str]]:
    """The samples that torch takes: Programs take them, or refuse them in words."""
    for dtype in (torch.float32, torch.int64):
        for number, sample in enumerate(samples(operator, dtype, count)):
            is_empty = any(isinstance(x, torch.Tensor) and not x.numel() for x in leaves(_given(sample)))
            if _of_torch(operator, sample) is None and not (is_empty and operator in OF_ANY_EMPTY):
                yield from ((Cell(operator, number, 0, UNCHANGED, form), sample, VALUE) for form in FORMS)


def _of_torch(operator: str, sample: Any) -> str | None:
    try:
        _called(OPERATORS[operator].op, *_copied(_given(sample)))
    except Exception as error:
        return type(error).__name__
    return None


def result_of(cell: Cell, sample: Any, theirs: str) -> str:
    """"equal", "another class: which", "refused: why" or "wrong: how".

    Where the lengths or elements of the call decide, and not the dtypes, a Program may raise another class. theirs: the class of
    what torch raises, or VALUE.
    """
    tensors = [x for x in leaves(_given(sample)) if isinstance(x, torch.Tensor)]
    lengths = [FORMS[cell.form](x.dim()) for x in tensors]
    shapes = [None if n is None else [*n, *x.shape[len(n) :]] for n, x in zip(lengths, tensors)]
    specs = None if cell.form == "known" else [InputSpec(n, str(x.dtype)[6:]) for n, x in zip(shapes, tensors)]
    try:
        dy2st.torch.to_static(_function(OPERATORS[cell.operator].op, sample), specs)(*_copied(tensors))
    except (ConversionError, StagedValueError) as error:
        return f"refused: {_words(error)}"
    except Exception as error:
        if type(error).__name__ == theirs:
            return "equal"
        if theirs == VALUE and "it takes the shape" in str(error):  # a Program's own words, when it is called
            return f"refused: {_words(error)}"
        is_decided = theirs == VALUE or cell.form == "known" or cell.change in OF_DTYPES
        return f"{'wrong' if is_decided else 'another class'}: {type(error).__name__}, not {theirs}: {_words(error)}"
    return "equal" if theirs == VALUE else f"wrong: a value, not {theirs}"


def tried(operator: str, count: int = SAMPLES) -> Iterator[tuple[Cell, str]]:
    """What became of each cell of an operator."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cell, sample, theirs in chain(cells(operator, count), unchanged(operator, 3 * count)):
            yield cell, result_of(cell, sample, theirs)


NAMES = [name for name in OPERATORS if name not in RANDOM | LEFT_OUT and "empty" not in name]


def main(part: str, is_written: bool) -> int:
    """Try all operators whose names have a part. 1: a cell is wrong."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    start = time.process_time()
    for name in NAMES:
        if part in name:
            for cell, result in tried(name):
                kind = result.partition(":")[0]
                counts[_kind(cell.change), cell.form][kind] += 1
                if kind != "equal":
                    print(*cell, result, sep=" | ", flush=True)
    total = sum(counts.values(), Counter())
    print(f"{dict(total)} ({time.process_time() - start:.0f} s)")
    if is_written:
        write_section("grids.md", "python tests/from_torch/refusals.py --write", _table(counts, total))
    return int(total["wrong"] > 0)


def _kind(change: str) -> str:
    if change == UNCHANGED:
        return change
    return "another dtype" if change in OF_DTYPES else "another index" if change.startswith("index") else "another shape"


def _table(counts: dict[tuple[str, str], Counter[str]], total: Counter[str]) -> str:
    """The counts in words, and by what is changed."""
    kinds = ("equal", "another class", "refused", "wrong")
    rows = [
        f"| {change} | {form} | {found.total():,} | " + " | ".join(f"{found[kind]:,}" for kind in kinds) + " |"
        for (change, form), found in sorted(counts.items())
    ]
    words = ", ".join(f"{total[kind]:,} {kind}" for kind in kinds)
    head = f"{total.total():,} cells, the first {SAMPLES} samples of each operator: {words}."
    titles = " | ".join(("changed", "dimensions", "cells", *kinds))
    return "\n".join([head, "", f"| {titles} |", "|---" * 7 + "|", *rows])


if __name__ == "__main__":
    given = ArgumentParser()
    given.add_argument("part", nargs="?", default="")
    given.add_argument("--write", action="store_true")
    options = given.parse_args()
    raise SystemExit(main(options.part, options.write))
