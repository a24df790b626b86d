"""`a, rest = _jst.unpack(xs, "a, *rest")`: how many items there are is tested when the Program runs, if need be."""

from __future__ import annotations

import ast
import functools
import itertools
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ....ops.dispatch import RECORDERS
from ....ops.registry import lookup
from ...heap.own_attributes import has_special
from ...proxies import PYTHON_CLASS, Staged, StagedDict, StagedList, StagedNumber, StagedSum, StagedTuple
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ..operations.access import new
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Iteration, says_length
from ..operations.sums import of_each_kind
from .entries import convert_iter, staged_iteration
from .gathering import gathered

COUNTS_ITEMS = sys.version_info >= (3, 14)
COUNTED = (list, tuple, dict, StagedList, StagedTuple, StagedDict)


def convert_unpack(value: Any, text: str) -> Any:
    """The parts of `value` for the targets that `text` spells, nested as they are."""
    return parts_for(target_of(text), value) if RECORDERS else _in_python(target_of(text))(value)


@functools.cache
def target_of(text: str) -> ast.expr:
    assignment = ast.parse(f"{text} = _").body[0]
    assert isinstance(assignment, ast.Assign)
    return assignment.targets[0]


def parts_for(target: ast.expr, value: Any) -> Any:
    """`value` where the target is a single one, else a tuple with one part for each of its elements."""
    if not RECORDERS or (rec := current_recorder()) is None:
        return _in_python(target)(value)
    if not isinstance(target, ast.Tuple | ast.List):
        return value
    if isinstance(value, StagedSum | StagedNumber):
        return of_each_kind(rec, value, lambda x: parts_for(target, x))
    inner = [element.value if isinstance(element, ast.Starred) else element for element in target.elts]
    return tuple([parts_for(element, part) for element, part in zip(inner, _split(rec, target.elts, value))])


@functools.cache
def _in_python(target: ast.expr) -> Callable[[Any], Any]:
    """Python's own unpacking, which takes no more items than it has to."""
    numbers = itertools.count()
    namespace: dict[str, Any] = {}
    targets = _spelled(target, numbers)
    exec(f"def unpack(value):\n {targets} = value\n return {targets.replace('*', '')}", namespace)
    return namespace["unpack"]


def _spelled(target: ast.expr, numbers: Iterator[int]) -> str:
    """The shape of a target, `[a0, [a1, *a2]]`."""
    if isinstance(target, ast.Starred):
        return f"*{_spelled(target.value, numbers)}"
    if isinstance(target, ast.Tuple | ast.List):
        return f"[{', '.join(_spelled(element, numbers) for element in target.elts)}]"
    return f"a{next(numbers)}"


def _split(rec: Recorder, elements: list[ast.expr], value: Any) -> list:
    star = next((i for i, element in enumerate(elements) if isinstance(element, ast.Starred)), None)
    wanted = len(elements) - (star is not None)
    items = _sequence(rec, value)
    count = items.length() if isinstance(items, StagedList) else items.shape[0] if isinstance(items, Tensor) else len(items)
    is_counted = COUNTS_ITEMS and type(rec.heap.resolve(value)) in COUNTED
    _check(count, wanted, star is not None, is_counted)
    if star is None:
        return [items[i] for i in range(wanted)]
    after = wanted - star
    rest = items[star : count - after]
    rest = new(list(rest) if type(rest) is tuple else rest)
    return [*(items[i] for i in range(star)), rest, *(items[count - after + i] for i in range(after))]


def _may_give_items(cls: type) -> bool:
    return has_special(cls, "__iter__") or has_special(cls, "__getitem__")


def _sequence(rec: Recorder, value: Any) -> Any:
    """The items, so that they can be counted and indexed: a list, or what the Program knows of one."""
    value = rec.heap.resolve(value)
    if type(value) in (list, tuple):
        return value
    if isinstance(value, StagedTuple):
        return value.to_list()
    if isinstance(value, StagedList):
        return value
    if PYTHON_CLASS.get(type(value)) in (int, float, bool) or not _may_give_items(type(value)):
        raise TypeError(f"cannot unpack non-iterable {PYTHON_CLASS.get(type(value), type(value)).__name__} object")
    if isinstance(value, Tensor) and value.static_shape == ():
        return as_the_user(list, value)  # which says that it can't be iterated
    if isinstance(value, Tensor) and not isinstance(as_the_user(operator.getitem, value.shape, 0), Staged):
        return rec.new([value[i] for i in range(value.shape[0])])
    found = staged_iteration(rec, value) if not isinstance(value, Iteration) else value
    if found is None and says_length(value):  # which an unpacking doesn't ask
        found = convert_iter(value)
    return rec.heap.resolve(gathered(rec, found)) if found is not None else rec.heap.resolve(rec.convert_call(list)(value))


def _check(count: Any, wanted: int, at_least: bool, is_counted: bool) -> None:
    """What Python raises where the number of items isn't that of the targets.

    is_counted: whether Python says how many there are where they are too many.
    """
    expected = f"at least {wanted}" if at_least else wanted

    def too_few() -> None:
        got = lookup("py.str")(count) if isinstance(count, Staged) else str(count)
        raise ValueError(f"not enough values to unpack (expected {expected}, got " + got + ")")

    def too_many() -> None:
        if not is_counted:
            raise ValueError(f"too many values to unpack (expected {expected})")
        got = lookup("py.str")(count) if isinstance(count, Staged) else str(count)
        raise ValueError(f"too many values to unpack (expected {expected}, got " + got + ")")

    convert_ifelse(count < wanted, too_few, lambda: None)
    if not at_least:
        convert_ifelse(count > wanted, too_many, lambda: None)
