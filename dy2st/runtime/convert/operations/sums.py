"""Doing something with a value whose kind follows the path: once per alternative, under a test of its tag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .... import pytree
from ....ir.types import INT, SumType, TensorType
from ....ops.registry import lookup
from ...control.trial import stage_if
from ...heap.markers import Unbound
from ...proxies import StagedInt, StagedNumber, StagedSum, deciding_number, on_kinds
from ...recorder.recorder import Recorder
from ...tensors.tensor import Tensor
from ...where.profiling import unwatched


def on_alternatives(rec: Recorder, staged: StagedSum, function: Callable[[Any], Any], unbound: bool = False) -> Any:
    """`function` of the value, joined over its alternatives; one that raises does so at run time, on its path.

    unbound: whether `function` knows what to do where there is no value; otherwise that raises.
    """
    type_ = rec.type_of(staged)
    assert isinstance(type_, SumType)
    tag = StagedInt(rec.emit("sum.tag", [rec.lower(staged)], [INT]).result)

    def alternative(index: int) -> Any:
        value = rec.emit("sum.get", [rec.lower(staged)], [type_.alternatives[index]], {"index": index}).result
        if staged in rec.promoted and isinstance(value.type, TensorType):
            rec.promoted.add(value)
        found = rec.wrap(value)
        if isinstance(found, Unbound) and not unbound:
            raise rec.absence(staged)
        try:
            return function(found)
        except (TypeError, AttributeError) as error:
            rec.facts.policy.needs_alternatives(rec, staged, error)
            raise

    def from_(index: int) -> Any:
        if index == len(type_.alternatives) - 1:
            return alternative(index)
        test = lookup("py.eq")(tag, index)
        return stage_if(rec, rec.lower(test), lambda: alternative(index), lambda: from_(index + 1), exact=True)

    return from_(0)


def of_each_kind(rec: Recorder, value: StagedSum | StagedNumber, function: Callable[[Any], Any]) -> Any:
    """`function` of a value whose kind or class follows the path, joined over them."""
    return on_alternatives(rec, value, function) if isinstance(value, StagedSum) else on_kinds(value, function)


def with_alternatives(rec: Recorder, function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)`; where a value in the arguments, their containers or their slices may be of several kinds, of each."""
    found = first_kinds(args)
    if found is None:
        return function(*args)
    return of_each_kind(rec, found, lambda x: with_alternatives(rec, function, *instead(args, found, x)))


@unwatched
def first_kinds(tree: Any) -> StagedSum | StagedNumber | None:
    """The first value in a tree whose kind follows the path; also a bound of a slice that may be an int or a float."""
    found = first_sum(tree)
    if found is None and isinstance(tree, tuple) and len(tree) == 1 and isinstance(tree[0], StagedNumber):
        return tree[0]
    slices = pytree.walk(tree, lambda value: type(value) is slice, pytree.items_of) if found is None else ()
    bounds = (bound for each in slices for bound in _parts(each))
    return next((bound for bound in bounds if isinstance(bound, StagedNumber)), found)


@unwatched
def first_sum(tree: Any) -> StagedSum | None:
    """The first value in a tree whose kind follows the path."""
    return next(pytree.walk(tree, lambda value: issubclass(type(value), StagedSum), _parts), None)


@unwatched
def first_open(tree: Any) -> StagedSum | StagedNumber | None:
    """The first value in a tree whose kind or class follows the path."""
    return next(pytree.walk(tree, lambda value: issubclass(type(value), StagedSum | StagedNumber), _parts), None)


@unwatched
def split_first(tree: Any, makes_tensors: bool) -> StagedSum | StagedNumber | None:
    """What a call of a function of this package is split by: such a value, or a number whose class decides a dtype."""
    found = list(pytree.walk(tree, lambda value: isinstance(value, StagedSum | StagedNumber | Tensor), _parts))
    first = next((value for value in found if isinstance(value, StagedSum)), None)
    return deciding_number(found, makes_tensors) if first is None else first


@unwatched
def instead(tree: Any, old: Any, new: Any) -> Any:
    """The same tree with one value replaced."""
    return pytree.mapped(tree, lambda x: x is old or type(x) is slice, lambda x: new if x is old else _in_slice(x, old, new))


def _in_slice(given: slice, old: Any, new: Any) -> slice:
    return slice(*(new if part is old else part for part in (given.start, given.stop, given.step)))


def _parts(value: Any) -> Any:
    return (value.start, value.stop, value.step) if type(value) is slice else pytree.items_of(value)
