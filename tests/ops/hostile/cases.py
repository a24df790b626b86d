"""Calls of every operator: valid samples in which one thing is hostile."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from ops.hostile.values import MAKERS, UNKNOWN_ATTRIBUTES
from ops.hostile.ways import SAMPLES
from ops.samples.sample import Sample

GUARD = 1 << 12  # bytes of sentinels before and behind each array
SENTINEL = 0xA5


class Case(NamedTuple):
    """Sample number `sample` of an operator, with hostile value number `value` at `place`, called in one of the WAYS.

    place: an operand's number, or an attribute's name and the way to a leaf of it; value: -1 and place a name that the operator
    hasn't, where an attribute is too many.
    """

    operator: str
    sample: int
    place: tuple
    value: int
    way: str


def leaves(tree: Any, at: tuple) -> Iterator[tuple]:
    yield at
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list | tuple) else ()
    for key, part in items:
        yield from leaves(part, (*at, key))


def places(sample: Sample) -> list[tuple]:
    """Where something can be replaced."""
    operands = [(i,) for i in range(len(sample.operands))]
    return operands + [at for name, value in sample.attrs.items() for at in leaves(value, (name,))]


def cases_of(operator: str, ways: list[str]) -> list[Case]:
    """All calls of one operator."""
    found = []
    for number, sample in enumerate(SAMPLES[operator]):
        at = [(place, value) for place in places(sample) for value in range(len(MAKERS))]
        at += [((name,), -1) for name in UNKNOWN_ATTRIBUTES if name not in sample.attrs]
        found += [Case(operator, number, place, value, way) for place, value in at for way in ways]
    return found


def all_cases(per_operator: int | None, seed: int, operators: list[str], ways: list[str]) -> list[Case]:
    """The calls of the operators, all where none is named, or so many of each, drawn with the seed."""
    draw = random.Random(seed)
    found: list[Case] = []
    for operator in operators or sorted(SAMPLES):
        cases = cases_of(operator, ways)
        found += cases if per_operator is None else draw.sample(cases, min(per_operator, len(cases)))
    return found


def put(tree: Any, path: tuple, value: Any) -> Any:
    """The tree with another value at a place."""
    if not path:
        return value
    if isinstance(tree, dict):
        return {**tree, path[0]: put(tree[path[0]], path[1:], value)}
    return type(tree)(put(part, path[1:], value) if i == path[0] else part for i, part in enumerate(tree))


def call_of(case: Case) -> tuple[list, dict[str, Any], Any]:
    """The operands, the attributes, and the hostile value."""
    sample = SAMPLES[case.operator][case.sample]
    operands, attrs = list(copy.deepcopy(sample.operands)), copy.deepcopy(sample.attrs)
    if case.value < 0:
        value = UNKNOWN_ATTRIBUTES[case.place[0]]
        return operands, {**attrs, case.place[0]: value}, value
    value = MAKERS[case.value]()
    if isinstance(case.place[0], int):
        operands[case.place[0]] = value
    else:
        attrs = put(attrs, case.place, value)
    return operands, attrs, value


# --- arrays with sentinels around them --------------------------------------------------------------------------------


class Guarded:
    """Arrays in the middle of larger memory: what lies around them is neither read nor written."""

    def __init__(self) -> None:
        self._memories: list[tuple[np.ndarray, int]] = []

    def guard(self, value: Any) -> Any:
        """The array in guarded memory; other values as they are."""
        if type(value) is not np.ndarray or not value.flags.c_contiguous or not value.flags.writeable or not value.size:
            return value
        memory = np.full(value.nbytes + 2 * GUARD, SENTINEL, np.uint8)
        inside = memory[GUARD : GUARD + value.nbytes].view(value.dtype).reshape(value.shape)
        inside[...] = value
        self._memories.append((memory, value.nbytes))
        return inside

    def damage(self, results: Any) -> str | None:
        """What was written around the arrays, or read from there."""
        for memory, size in self._memories:
            if (memory[:GUARD] != SENTINEL).any() or (memory[GUARD + size :] != SENTINEL).any():
                return "wrote beyond an array"
        for result in results if isinstance(results, tuple | list) else (results,):
            array = getattr(result, "_data", result)
            if type(array) is np.ndarray and array.dtype.itemsize in (4, 8) and array.dtype.kind in "fi" and array.size < 1 << 20:
                word = np.full(array.dtype.itemsize, SENTINEL, np.uint8).view(f"u{array.dtype.itemsize}")
                if (array.reshape(-1).copy().view(word.dtype) == word).any():
                    return "read beyond an array"
        return None
