"""Which arrays differ, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

_AT_ONCE = 1 << 20  # elements that are compared at a time


class Weight(NamedTuple):
    """What became of an array. how: "gone", "new", "renamed", "converted" (of another shape or dtype) or "changed".

    kind: dtype and shape, the new ones where it is there. relative: how large the change is beside the values, by their norms;
    None where that can't be asked. line: all of it in a line.
    """

    name: str
    how: str
    kind: str
    relative: float | None
    line: str


def different_weights(old: Mapping[str, np.ndarray], new: Mapping[str, np.ndarray]) -> list[str]:
    """A line for each array that is gone, new, renamed, of another shape or dtype, or holds other values."""
    return [weight.line for weight in changed_weights(old, new)]


def changed_weights(old: Mapping[str, np.ndarray], new: Mapping[str, np.ndarray]) -> list[Weight]:
    """The same, told apart."""
    gone, added = ([name for name in one if name not in other] for one, other in ((old, new), (new, old)))
    found = []
    for name in gone:
        kind = _kind(old[name])
        twin = next((other for other in added if _is_same(old[name], new[other])), None)
        if twin is None:
            found.append(Weight(name, "gone", kind, None, f"- {name}: {kind}"))
        else:
            added.remove(twin)
            line = f"~ {name} is now {twin}: {kind}, the same values"
            found.append(Weight(f"{name} → {twin}", "renamed", kind, 0.0, line))
    found += [Weight(name, "new", _kind(new[name]), None, f"+ {name}: {_kind(new[name])}") for name in added]
    return found + [weight for name in old if name in new for weight in _changed(name, old[name], new[name])]


def _changed(name: str, old: np.ndarray, new: np.ndarray) -> Iterator[Weight]:
    for change in _change(old, new):
        is_alike = old.shape == new.shape
        how = "changed" if _kind(old) == _kind(new) else "converted"
        kind = _kind(new) if how == "changed" else f"{_kind(old)} → {_kind(new)}"
        yield Weight(name, how, kind, _relative(old, new) if is_alike else None, f"~ {name}: {change}")


def _relative(old: np.ndarray, new: np.ndarray) -> float:
    """The norm of the difference beside the larger of both norms; infinite where something isn't finite."""
    by = before = after = 0.0
    with np.errstate(all="ignore"):
        for start in range(0, old.size, _AT_ONCE):
            a, b = (_wide(x.reshape(-1)[start : start + _AT_ONCE]) for x in (old, new))
            by += _square(np.where(_differ(a, b), b - a, 0))
            before, after = before + _square(a), after + _square(b)
    if by == 0:
        return 0.0
    found = float(np.sqrt(by / max(before, after))) if max(before, after) else np.inf
    return found if np.isfinite(found) else np.inf


def _square(array: np.ndarray) -> float:
    return float(np.sum(np.abs(array) ** 2))


def _change(old: np.ndarray, new: np.ndarray) -> Iterator[str]:
    kinds = "" if _kind(old) == _kind(new) else f"{_kind(old)} -> {_kind(new)}"
    if old.shape != new.shape:
        yield kinds
        return
    count, absolute, relative = _distance(old, new)
    if count:
        other = f"{count:,} of {old.size:,} elements {'differs' if count == 1 else 'differ'}"
        yield ", ".join(filter(None, [kinds, f"{other}, by {absolute:.6g} at most, relative {relative:.6g}"]))
    elif kinds:
        yield f"{kinds}, the same values"


def _distance(old: np.ndarray, new: np.ndarray) -> tuple[int, float, float]:
    """How many elements differ, the largest difference, and the largest one relative to the larger of the two elements."""
    count, absolute, relative = 0, 0.0, 0.0
    for start in range(0, old.size, _AT_ONCE):
        a, b = (x.reshape(-1)[start : start + _AT_ONCE] for x in (old, new))
        differ = _differ(a, b)
        if differ.any():
            by, of = _apart(_wide(a[differ]), _wide(b[differ]))
            count, absolute, relative = count + int(differ.sum()), max(absolute, by), max(relative, of)
    return count, absolute, relative


def _differ(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where two arrays differ: every NaN is alike, and a zero has a sign."""
    same, both_nan = a == b, (a != a) & (b != b)
    return ~(same | both_nan) | (same & (_signs(a) != _signs(b)))


def _signs(array: np.ndarray) -> np.ndarray:
    wide = _wide(array)
    return np.signbit(wide.real) + 2 * np.signbit(wide.imag)


def _apart(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """The largest difference of two arrays, and the largest relative one; infinite where one of two elements is NaN."""
    with np.errstate(all="ignore"):
        by = np.abs(a - b)
        of = by / np.maximum(np.abs(a), np.abs(b))
    by = np.where(np.isnan(by), np.inf, by)
    of = np.where(np.isinf(by), np.inf, np.where(np.isnan(of), 0, of))
    return float(by.max()), float(of.max())


def _wide(array: np.ndarray) -> np.ndarray:
    """The same numbers in a dtype that computes with all of them."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.longdouble if array.dtype.kind in "iu" and array.dtype.itemsize == 8 else np.float64)


def _kind(array: np.ndarray) -> str:
    return f"{array.dtype.name}[{', '.join(map(str, array.shape))}]"


def _is_same(a: np.ndarray, b: np.ndarray) -> bool:
    return _kind(a) == _kind(b) and _distance(a, b)[0] == 0
