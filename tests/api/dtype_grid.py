"""Every sample call in every dtype, held against Paddle and torch where they are installed: `python -m api.dtype_grid paddle`.

Run in `tests`. Where both libraries answer, shapes and values must agree within the precision of the dtype, against Paddle the
dtype, too. What only one of them answers is counted. The figures stand in docs/api.md.
"""

from __future__ import annotations

import argparse
import importlib
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import dy2st

from .calls import INPUTS, Call, calls

DTYPES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
PRECISION = {"float16": 1e-2, "bfloat16": 6e-2}
DRAWN = ("rand", "normal", "multinomial", "poisson", "bernoulli", "exponential", "empty", "uniform", "standard_gamma")


@dataclass(frozen=True)
class Cell:
    """One call in one dtype, and how the two libraries compare."""

    text: str
    dtype: str
    verdict: str
    given: Any = None
    expected: Any = None


def numpy_dtype(dtype: str) -> np.dtype:
    return np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


def cast(array: np.ndarray, dtype: str) -> np.ndarray:
    """An input in another dtype: whole numbers are three times as large, complex ones turned."""
    kind = np.dtype("float32" if dtype == "bfloat16" else dtype).kind
    if kind in "biu":
        array = np.rint(np.nan_to_num(array.real, posinf=9, neginf=-9) * 3)
        array = np.abs(array) if kind == "u" else array
    elif kind == "c" and array.dtype.kind != "c":
        array = array * np.complex64(0.6 + 0.8j)
    return (array if kind == "c" else array.real).astype(numpy_dtype(dtype))


def inputs(call: Call, dtype: str) -> dict[str, np.ndarray]:
    """The tensors of a call: those of numbers in `dtype`, indices and conditions as they are."""
    real = [name for name in call.inputs if INPUTS[name].dtype.kind in "fc"]
    changed = real or [name for name in call.inputs if name in ("n", "i", "z")]
    return {name: cast(INPUTS[name], dtype) if name in changed else INPUTS[name] for name in call.inputs}


def tensor(library: Any, array: np.ndarray) -> Any:
    if array.dtype.name != "bfloat16":
        return library.tensor(array) if library.__name__ == "torch" else library.to_tensor(array)
    return tensor(library, array.astype("float32")).to(library.bfloat16 if library.__name__ == "torch" else "bfloat16")


def arrays(value: Any) -> list:
    """A result as pairs of an array and the name of its dtype, and Python values."""
    if hasattr(value, "numpy") and hasattr(value, "dtype"):
        dtype = str(value.dtype).rpartition(".")[2]
        wide = value.astype("float32") if dtype == "bfloat16" and hasattr(value, "astype") else value
        wide = wide.float() if dtype == "bfloat16" and wide is value else wide
        return [(np.asarray(wide.detach().resolve_conj().numpy() if hasattr(wide, "resolve_conj") else wide.numpy()), dtype)]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in arrays(part)]
    return [value]


def answer(call: Call, dtype: str, library: Any) -> list | Exception:
    """What a library gives, or its error."""
    try:
        tensors = {name: tensor(library, array) for name, array in inputs(call, dtype).items()}
        return arrays(eval(call.text, {"paddle": library, **tensors}))
    except Exception as e:
        return e


def verdict(given: list | Exception, expected: list | Exception, dtype: str, dtypes: bool) -> str:
    """How two answers compare."""
    if isinstance(expected, Exception):
        return "refused by both" if isinstance(given, Exception) else "only here"
    if isinstance(given, Exception):
        return "only there"
    if len(given) != len(expected):
        return "another structure"
    return max((compared(a, b, dtype, dtypes) for a, b in zip(given, expected)), key=ORDER.index, default="the same")


ORDER = ["the same", "another dtype", "another shape", "other values", "another structure"]


def compared(given: Any, expected: Any, dtype: str, dtypes: bool) -> str:
    if not (isinstance(given, tuple) and isinstance(expected, tuple)):
        return "the same" if str(given) == str(expected) or not dtypes else "other values"
    (array, ours), (other, theirs) = given, expected
    if array.shape != other.shape:
        return "another shape"
    precision = max(PRECISION.get(name, 2e-5) for name in (dtype, ours, theirs))
    if not np.allclose(array, other, precision, precision, equal_nan=True):
        return "other values"
    return "another dtype" if dtypes and ours != theirs else "the same"


def cells(library: Any) -> Iterator[Cell]:
    """All of them; a call that is known to give something else, or one of several answers, isn't compared."""
    for call in calls():
        if call.note.startswith(("differs", "either")) or any(word in call.text for word in DRAWN):
            continue
        for dtype in DTYPES if inputs(call, "float32") else ():
            given, expected = answer(call, dtype, dy2st), answer(call, dtype, library)
            yield Cell(call.text, dtype, verdict(given, expected, dtype, library.__name__ == "paddle"), given, expected)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", choices=["paddle", "torch"])
    parser.add_argument("--show", default="", help="the verdict whose cells are printed")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    with np.errstate(all="ignore"):
        for cell in cells(importlib.import_module(asked.library)):
            counts[cell.verdict] += 1
            if cell.verdict == asked.show:
                print(f"{cell.text} in {cell.dtype}\n    {cell.given}\n    {cell.expected}".replace("\n      ", ""))
    for name, count in counts.most_common():
        print(f"{name}: {count}")


if __name__ == "__main__":
    main()
