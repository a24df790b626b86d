"""Two forms of one model held against each other, Value by Value, and the first one that differs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Dy2stError
from ..ops.registry import OPERATORS
from .arguments import natives_of
from .lowering.program import Lowered, lower
from .metadata import KEY, Metadata
from .model import model_of
from .packages import onnx
from .preparing import Prepared, prepared
from .reading.files import decoded
from .shown_values import Shown, feeds_of, in_onnxruntime, on_numpy

ROUNDING = {"float16": (2e-2, 1e-3), "float32": (1e-3, 1e-5), "float64": (1e-9, 1e-12)}  # relative, absolute


class DifferenceError(Dy2stError):
    """Two forms of one model give different values: names the first Value that differs, and its line."""


def verify_model(ready: Prepared, lowered: Lowered, natives: Sequence[Any]) -> None:
    """Compare a Program with its ONNX model, for the arguments `natives` in native form.

    DifferenceError: a value outside of control flow differs by more than rounding; of an `if` or a loop, the results
    are compared. ValueError: the Program draws random numbers. What the call raises on NumPy is raised.
    """
    if any(OPERATORS[op.name].random for op in ready.program.walk() if op.name in OPERATORS):
        raise ValueError("a model that draws random numbers can't be verified: each run draws others")
    ours = on_numpy(ready, lowered, natives)  # first: what a call raises is said by the engine on NumPy
    theirs = in_onnxruntime(lowered.model, feeds_of(lowered.inputs, natives, ready.initial))
    _compare(ours, theirs, ("NumPy", "onnxruntime"))


def verify_files(first: str, second: str, arrays: Sequence[np.ndarray]) -> int:
    """Compare two models, each what `jit.save` or `dy2st.onnx.export` wrote, for a call with these arrays.

    Returns how many values were compared. DifferenceError: as for `verify_model`. ValueError: they have none in common.
    """
    count = _compare(_shown(first, arrays), _shown(second, arrays), (first, second))
    if count == 0:
        raise ValueError(f"{first} and {second} have no value in common: they are no two forms of one model")
    return count


def _shown(path: str, arrays: Sequence[np.ndarray]) -> dict[str, Shown]:
    """What a model computes, by the names in its ONNX form."""
    if path.endswith(".onnx"):
        model = decoded(onnx(), Path(path).read_bytes(), path)
        text = {prop.key: prop.value for prop in model.metadata_props}.get(KEY)
        if text is None:
            raise ValueError(f"{path} wasn't written by dy2st.onnx.export: nothing tells which array is which input")
        told = Metadata.of_json(text)
        feeds = feeds_of(told.inputs, natives_of(told.name, told.arguments, tuple(arrays), {}), {})
        return in_onnxruntime(model, feeds, os.path.dirname(os.path.abspath(path)))
    program, info, method = model_of(path, None, {})
    ready = prepared(program)
    lowered = lower(ready.program, interface=ready.interface)
    return on_numpy(ready, lowered, natives_of(info.name, info.inputs[method], tuple(arrays), {}))


def _compare(a: Mapping[str, Shown], b: Mapping[str, Shown], names: tuple[str, str]) -> int:
    """How many values of the same name were compared. DifferenceError: one differs."""
    common = [name for name in a if name in b]
    for name in common:
        if problem := _difference(a[name].array, b[name].array, names, a[name].computed_in or b[name].computed_in):
            raise DifferenceError(f"{a[name].where} differs: {problem}")
    return len(common)


def _difference(a: Any, b: Any, names: tuple[str, str], computed_in: str | None) -> str:
    """In which way two arrays, or lists of them, differ by more than rounding; "" where they don't.

    names: of where they come from. computed_in: the dtype whose rounding they have; None: their own.
    """
    if isinstance(a, list) or isinstance(b, list):
        if len(a) != len(b):
            return f"{len(a)} items by {names[0]}, {len(b)} by {names[1]}"
        found = ((k, _difference(x, y, names, computed_in)) for k, (x, y) in enumerate(zip(a, b)))
        return next((f"item {k}: {problem}" for k, problem in found if problem), "")
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        return f"{a.dtype.name}{list(a.shape)} by {names[0]}, {b.dtype.name}{list(b.shape)} by {names[1]}"
    if a.dtype.kind in "fc":
        differs = ~np.isclose(a, b, *ROUNDING.get(computed_in or a.dtype.name, ROUNDING["float32"]), equal_nan=True)
    else:
        differs = a != b
    if not differs.any():
        return ""
    place = tuple(int(k) for k in np.argwhere(differs)[0])
    where = f" at {list(place)}" if place else ""
    count = f"{int(differs.sum())} of {a.size} elements differ"
    return f"{a[place]} by {names[0]} and {b[place]} by {names[1]}{where}; {count}"
