"""The functions of Python's `operator` module: each as its operator is converted."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from ...library.length_hints import length_hint
from ...proxies import Staged, StagedContainer, StagedStr, StagedSum, StagedTuple
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...where.faults import as_the_user
from ..iteration.compare import convert_in, convert_is, convert_is_not
from ..iteration.entries import convert_iter
from ..iteration.gathering import fold
from ..operations.access import INPLACE, at, convert_inplace
from ..operations.casts import convert_bool
from ..operations.ifelse import convert_ifelse, convert_ifexp
from ..operations.logical import convert_logical_not
from ..operations.operators import BINARY, UNARY, convert_operator, convert_unary
from ..operations.structures import OPERATORS, compare, equal_items, holds_scalars, is_staged_in
from .introspection import convert_getattr


def getter(rec: Recorder, function: Any) -> Callable:
    """`itemgetter(...)`, `attrgetter(...)` or `methodcaller(...)`: what each does, converted."""
    made_by, arguments = function.__reduce__()
    if isinstance(function, operator.methodcaller):
        bound = made_by if isinstance(made_by, partial) else partial(made_by)
        name, *args = [*bound.args, *list(arguments)]
        return lambda owner: rec.convert_call(convert_getattr(owner, name))(*args, **bound.keywords)
    read = _dotted if isinstance(function, operator.attrgetter) else _getitem
    if len(arguments) == 1:
        return lambda owner: read(owner, arguments[0])
    return lambda owner: tuple([read(owner, each) for each in arguments])


def _dotted(owner: Any, names: str) -> Any:
    return reduce(convert_getattr, names.split("."), owner)


def _contains(container: Any, item: Any) -> Any:
    return convert_in(item, container)


def _count_of(items: Any, item: Any) -> Any:
    def counted(count: Any, x: Any) -> Any:
        return convert_ifexp(equal_items(x, item), lambda: count + 1, lambda: count)

    return _folded(operator.countOf, items, item, 0, counted)


def _index_of(items: Any, item: Any) -> Any:
    """As long as none is found, -1 less the number of items before."""

    def searched(at: Any, x: Any) -> Any:
        return convert_ifexp(equal_items(x, item), lambda: -1 - at, lambda: at - 1)

    def refuse() -> None:
        raise ValueError("sequence.index(x): x not in sequence")

    index = _folded(operator.indexOf, items, item, -1, searched, lambda at: at < 0)
    convert_ifelse(index < 0, refuse, lambda: None)
    return index


def _folded(function: Callable, items: Any, item: Any, start: int, combine: Callable, going: Callable | None = None) -> Any:
    """What the function gives; of items that Python doesn't know, they are folded."""
    rec = current_recorder()
    if rec is None or (holds_scalars(rec, items) and not is_staged_in(item)):
        return as_the_user(function, items, item)
    return fold(convert_iter(items), start, combine, going)


def _getitem(container: Any, index: Any) -> Any:
    return at(container)[index]


def _setitem(container: Any, index: Any, item: Any) -> None:
    at(container)[index] = item


def _delitem(container: Any, index: Any) -> None:
    del at(container)[index]


def _length_hint(value: Any, default: Any = 0) -> Any:
    if isinstance(value, StagedSum):
        return recorder().on_alternatives(value, lambda x: _length_hint(x, default))
    rec = current_recorder()
    if rec is not None and isinstance(value, StagedContainer | StagedTuple | StagedStr):
        return rec.convert_call(len)(value)
    if rec is None or isinstance(value, Staged):
        return as_the_user(operator.length_hint, value, default)
    return rec.convert_call(length_hint)(value, default)


CONVERTED: dict[Any, Callable] = {
    **{function: partial(convert_operator, symbol) for symbol, function in BINARY.items()},
    **{function: partial(convert_unary, symbol) for symbol, function in UNARY.items()},
    **{function: partial(convert_inplace, symbol) for symbol, function in INPLACE.items()},
    **{function: partial(compare, symbol) for symbol, function in OPERATORS.items()},
    operator.concat: partial(convert_operator, "+"),
    operator.contains: _contains,
    operator.countOf: _count_of,
    operator.indexOf: _index_of,
    operator.getitem: _getitem,
    operator.setitem: _setitem,
    operator.delitem: _delitem,
    operator.is_: convert_is,
    operator.is_not: convert_is_not,
    operator.truth: lambda value: convert_bool(value),
    operator.not_: convert_logical_not,
    operator.length_hint: _length_hint,
}
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
