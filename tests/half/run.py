"""Runs the grid of half precision: `python -m half.run`, from the folder `tests`, or with words that its cells must have.

`--write` writes the counts into docs/grids.md.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from support.sections import write_section

import dy2st
import dy2st.torch
from dy2st.errors import ConversionError, DTypeError, EngineError

from .cases import CASES

DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}
STEP = {"float16": 2.0**-11, "bfloat16": 2.0**-8}  # half the distance of neighbours, relative
LEAST = {"float16": 2.0**-24, "bfloat16": 2.0**-126}
Arrays = list[np.ndarray]


class Cell(NamedTuple):
    """One cell: a function in a dtype, in one of the ways."""

    name: str
    dtype: str
    way: str


def inputs_of(cell: Cell) -> list[torch.Tensor]:
    return [x.to(DTYPES[cell.dtype]) if x.is_floating_point() else x for x in CASES[cell.name].inputs]


def flat(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple | list) else [result]


# --- the truth -------------------------------------------------------------------------------------------------------


@cache
def expected(name: str, dtype: str) -> list[tuple[Arrays, Arrays]]:
    """Results and gradients that are right: torch's of this dtype, and torch's of float32, as each is rounded once."""
    given = inputs_of(Cell(name, dtype, ""))
    found = []
    for cast in (lambda x: x, lambda x: x.float() if x.is_floating_point() else x):
        try:
            found.append(of_torch(CASES[name].function, [cast(x) for x in given], CASES[name].by))
        except NotImplementedError:  # torch hasn't this one in half precision
            continue
    return found


def of_torch(function: Callable, given: list[torch.Tensor], by: int) -> tuple[Arrays, Arrays]:
    """Results, and the gradients of a weighted sum of them, as float64."""
    given = tracked(given, by)
    results = flat(function(*given))
    values = [numbers(x) for x in results]
    wanted = [x for x in given if x.requires_grad]
    differentiable = [x for x in results if x.requires_grad]
    if not differentiable:
        return values, []
    weights = [torch.from_numpy(weights_of(x.shape)).to(x.dtype) for x in differentiable]
    slopes = torch.autograd.grad(differentiable, wanted, weights, allow_unused=True)
    return values, [numbers(torch.zeros_like(x) if g is None else g) for x, g in zip(wanted, slopes)]


def tracked(given: list[torch.Tensor], by: int) -> list[torch.Tensor]:
    """The inputs, of which the first ones want a gradient."""
    return [x.detach().clone().requires_grad_(k < by) if x.is_floating_point() else x for k, x in enumerate(given)]


def weights_of(shape: Iterable[int]) -> np.ndarray:
    """What results count in a gradient: numbers between 1 and 2 that both dtypes have, so that no gradient is zero by itself."""
    return np.asarray(1 + np.random.default_rng(3).integers(0, 128, tuple(shape)) / 128, np.float32)


def numbers(x: Any) -> np.ndarray:
    if isinstance(x, torch.Tensor):
        return x.detach().double().numpy()
    return np.asarray(x._data if isinstance(x, dy2st.Tensor) else x).astype(np.float64)


# --- the ways --------------------------------------------------------------------------------------------------------


def eager(cell: Cell, folder: Path) -> tuple[Arrays, Arrays]:
    return by_tape(CASES[cell.name].paddle, cell)


def by_tape(function: Any, cell: Cell) -> tuple[Arrays, Arrays]:
    given = [dy2st.to_tensor(native(x)) for x in inputs_of(cell)]
    for k, x in enumerate(given):
        x.stop_gradient = k >= CASES[cell.name].by or not x.dtype.is_floating
    results = flat(function(*given))
    values = [numbers(x) for x in results]
    followed = [x for x in results if not x.stop_gradient]
    if not followed or not CASES[cell.name].by:
        return values, []
    dy2st.autograd.backward(followed, [dy2st.to_tensor(weights_of(x.shape)).astype(x.dtype) for x in followed])
    wanted = [x for x in given if not x.stop_gradient]
    return values, [np.zeros(x.shape) if x.grad is None else numbers(x.grad) for x in wanted]


def native(x: torch.Tensor) -> np.ndarray:
    if x.dtype != torch.bfloat16:
        return x.numpy()
    return x.view(torch.int16).numpy().view(dy2st.bfloat16.numpy)


def static(cell: Cell, folder: Path) -> tuple[Arrays, Arrays]:
    return of_torch(dy2st.torch.to_static(CASES[cell.name].function), inputs_of(cell), CASES[cell.name].by)


def first(cell: Cell, folder: Path) -> tuple[Arrays, Arrays]:
    """The same where it is what a process does first: the child of one that has made no tensor of half precision."""
    return in_child(lambda: static(cell, folder))


def in_child(called: Callable[[], Any]) -> Any:
    """What a function gives in a child of this process."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        try:
            answer: Any = called()
        except Exception as error:
            is_told = isinstance(error, ConversionError | DTypeError | NotImplementedError)
            answer = error if is_told else AssertionError(f"{type(error)}: {error}")
        with os.fdopen(writes, "wb") as file:
            pickle.dump(answer, file)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as file:
        answer = pickle.load(file)
    os.waitpid(child, 0)
    if isinstance(answer, Exception):
        raise answer
    return answer


def loaded(cell: Cell, folder: Path, **options: Any) -> Any:
    path = str(folder / f"{cell.name.replace(' ', '_')}-{cell.dtype}-{cell.way.split()[0]}")
    made = dy2st.torch.to_static(CASES[cell.name].function)
    made(*tracked(inputs_of(cell), CASES[cell.name].by))  # which keeps a gradient where the function alone has another
    dy2st.jit.save(made, path)
    return dy2st.jit.load(path, **options)


def by_file(cell: Cell, folder: Path) -> tuple[Arrays, Arrays]:
    return by_tape(loaded(cell, folder), cell)


def by_engine(cell: Cell, folder: Path) -> tuple[Arrays, None]:
    called = loaded(cell, folder, backend={"ONNX Runtime": "onnxruntime", "JAX": "jax"}[cell.way])
    return [numbers(x) for x in flat(called(*[dy2st.to_tensor(native(x)) for x in inputs_of(cell)]))], None


WAYS: dict[str, Callable] = {
    "eager": eager, "static, first in a process": first, "static": static, "loaded": by_file, "ONNX Runtime": by_engine,
    "JAX": by_engine,
}  # fmt: skip


# --- the grid --------------------------------------------------------------------------------------------------------


def cells(ways: Iterable[str] = WAYS) -> list[Cell]:
    """All cells; those of a process that begins come first."""
    ordered = sorted(ways, key=lambda way: "first" not in way)
    return [
        Cell(name, dtype, way)
        for way in ordered for name in CASES for dtype in DTYPES
        if way != "eager" or CASES[name].paddle is not None
    ]  # fmt: skip


def result_of(cell: Cell, folder: Path) -> str:
    """`equal`, `refused: ` and why, or `WRONG: ` and how."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            values, slopes = WAYS[cell.way](cell, folder)
    except (ConversionError, DTypeError, EngineError) as error:
        return f"refused: {error}"
    except NotImplementedError as error:  # torch hasn't it in half precision
        return "equal" if len(expected(cell.name, cell.dtype)) == 1 else f"WRONG: {error}"
    except Exception as error:
        return f"WRONG: {type(error).__name__}: {error}"
    truths = expected(cell.name, cell.dtype)
    for what, found, roundings, right in (
        ("", values, 2, [truth[0] for truth in truths]), ("gradient: ", slopes, 4, [truth[1] for truth in truths])
    ):  # fmt: skip
        if found is not None and not any(are_near(found, one, cell.dtype, roundings) for one in right):
            return f"WRONG: {what}{shown(right[0])} | {shown(found)}"
    return "equal"


def are_near(found: Arrays, right: Arrays, dtype: str, roundings: int) -> bool:
    """Whether the numbers are the same, but for so many roundings to the dtype; and to the greatest of them in a gradient."""
    return len(found) == len(right) and all(a.shape == b.shape and _near(a, b, dtype, roundings) for a, b in zip(found, right))


def _near(a: np.ndarray, b: np.ndarray, dtype: str, roundings: int) -> bool:
    with np.errstate(all="ignore"):
        most = np.finfo(np.float16).max if dtype == "float16" else 3.39e38
        b = np.where(np.abs(b) > most * (1 + STEP[dtype] / 2), np.copysign(np.inf, b), b)
        finite = np.abs(b[np.isfinite(b)])
        near_zero = finite.max(initial=0) * 4 * STEP[dtype] if roundings > 2 else finite.max(initial=0) * 2.0**-20
        room = roundings * (STEP[dtype] * np.abs(b) + LEAST[dtype]) + near_zero
        return bool(np.all((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= room)))


def shown(arrays: Arrays) -> str:
    return " ".join(np.array2string(x.ravel()[:3], precision=5) for x in arrays)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    of_torch(dy2st.torch.to_static(CASES["norm"].function), [torch.ones(3)], 1)  # whose imports the children needn't repeat
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for cell in cells():
            if all(word in cell for word in options.words):
                results[cell] = result_of(cell, Path(folder))
                if results[cell] != "equal":
                    print(f"{cell.name}, {cell.dtype}, {cell.way}: {results[cell][:250]}", flush=True)
    print(dict(Counter(text.partition(":")[0] for text in results.values())))
    if options.write:
        write_section("grids.md", "cd tests && python -m half.run --write", table(results))
    return sum(text.startswith("WRONG") for text in results.values())


def table(results: dict[Cell, str]) -> str:
    """The counts by way and dtype."""
    kinds = ("equal", "refused", "WRONG")
    lines = ["| engine | dtype | cells | equal | refused | wrong |", "|---|---|---|---|---|---|"]
    for way in WAYS:
        for dtype in DTYPES:
            texts = [text for cell, text in results.items() if cell[1:] == (dtype, way)]
            counts = [sum(text.startswith(kind) for text in texts) for kind in kinds]
            lines.append(f"| {way} | {dtype} | {' | '.join(map(str, [len(texts), *counts]))} |")
    counts = [sum(text.startswith(kind) for text in results.values()) for kind in kinds]
    lines.append(f"| all | | {' | '.join(map(str, [len(results), *counts]))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
