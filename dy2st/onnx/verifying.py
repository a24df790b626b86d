"""Two forms of one model held against each other: their outputs, and where these differ, the first Value that does.

The outputs are those of the session that a user gets. Where they differ, halving finds the shortest prefix of the model that
gives a wrong value, each prefix in a session of its own. If the value is right without optimisations, these are the cause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import Dy2stError
from ..graphs.preparing import Prepared
from ..ops.registry import OPERATORS
from .forms import PLAIN, Form, OnnxForm, form_of, forms_of, levels
from .lowering.program import Lowered
from .shown_values import Shown

ROUNDING = {"float16": (2e-2, 1e-3), "float32": (1e-3, 1e-5), "float64": (1e-9, 1e-12)}  # relative, absolute


class DifferenceError(Dy2stError):
    """Two forms of one model give different values: names the first Value that differs, and its line."""


def verify_model(ready: Prepared, lowered: Lowered, natives: Sequence[Any]) -> None:
    """Compare a Program with its ONNX model in a session as users get it, for the arguments `natives` in native form.

    DifferenceError: an output differs by more than rounding; it names the first Value that does, of an `if` or a loop the
    results. ValueError: the Program draws random numbers. What the call raises on NumPy is raised.
    """
    if any(OPERATORS[op.name].random for op in ready.program.walk() if op.name in OPERATORS):
        raise ValueError("a model that draws random numbers can't be verified: each run draws others")
    _compare(*forms_of(ready, lowered, natives))


def verify_files(first: str, second: str, arrays: Sequence[np.ndarray]) -> int:
    """Compare two models, each what `jit.save` or `dy2st.onnx.export` wrote, for a call with these arrays.

    Returns how many outputs were compared. DifferenceError: as for `verify_model`. ValueError: they have none in common.
    """
    count = _compare(form_of(first, arrays), form_of(second, arrays))
    if count == 0:
        raise ValueError(f"{first} and {second} have no value in common: they are no two forms of one model")
    return count


def _compare(a: Form, b: Form) -> int:
    """How many outputs of the same name were compared. DifferenceError: one differs."""
    ours, theirs = a.outputs(), b.outputs()
    common = [name for name in ours if name in theirs]
    names = (a.name, b.name)
    if problem := _first_difference(ours, theirs, common, names):
        problem, ends = _on_the_way(a, b) or (problem, common)
        causes = (_cause(form, ends) for form in (a, b) if isinstance(form, OnnxForm))
        raise DifferenceError(problem + "".join(causes))
    return len(common)


def _on_the_way(a: Form, b: Form) -> tuple[str, list[str]] | None:
    """Which value is the first to differ, and the last values of the shortest prefix that shows it; None where none does."""
    order = next(form for form in (b, a) if isinstance(form, OnnxForm))
    others = set((a if order is b else b).values)
    common = [name for name in order.values if name in others]
    right, wrong, found = 0, len(common) + 1, None  # how many values a prefix has that is right, and one that isn't
    while wrong - right > 1:
        count = (right + wrong) // 2
        ends = order.ends_of(common[:count])
        if problem := _first_difference(a.shown(ends), b.shown(ends), ends, (a.name, b.name)):
            wrong, found = count, (problem, ends)
        else:
            right = count
    return found


def _cause(form: OnnxForm, ends: Sequence[str]) -> str:
    """In words, from which level of optimisation on onnxruntime gives other values than without; "" where it doesn't."""
    plain, names, before = form.shown(ends, PLAIN), ("without", "with"), PLAIN
    for level in levels():
        if _first_difference(plain, form.shown(ends, level), ends, names):
            return (
                f". An optimisation of ONNX Runtime at the level {level} causes it: below that level, {form.name} gives another "
                f"value. Set `graph_optimization_level = onnxruntime.GraphOptimizationLevel.{before}` in the SessionOptions "
                "of the Session, or write the line another way"
            )
        before = level
    return ""


def _first_difference(a: Mapping[str, Shown], b: Mapping[str, Shown], names: Sequence[str], forms: tuple[str, str]) -> str:
    """Which of the values is the first to differ, and in which way; "" where none does."""
    for name in names:
        if problem := _difference(a[name].array, b[name].array, forms, a[name].computed_in or b[name].computed_in):
            return f"{a[name].where} differs: {problem}"
    return ""


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
