"""The functions of Python's `operator` module: each as its operator is converted."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from ...recorder.recorder import current_recorder
from ...where.faults import as_the_user
from ..iteration.compare import convert_in, convert_is, convert_is_not
from ..operations.access import INPLACE, at, convert_inplace
from ..operations.casts import convert_bool
from ..operations.logical import convert_logical_not
from ..operations.operators import BINARY, UNARY, convert_operator, convert_unary
from ..operations.structures import OPERATORS, compare


def on_resolved(function: Callable) -> Callable:
    """`function`, which applies operators or methods, on what stands for containers that only the Program knows."""

    def apply(*operands: Any) -> Any:
        rec = current_recorder()
        return as_the_user(function, *(operands if rec is None else map(rec.heap.resolve, operands)))

    return apply


def _contains(container: Any, item: Any) -> Any:
    return convert_in(item, container)


def _getitem(container: Any, index: Any) -> Any:
    return at(container)[index]


def _setitem(container: Any, index: Any, item: Any) -> None:
    at(container)[index] = item


def _delitem(container: Any, index: Any) -> None:
    del at(container)[index]


CONVERTED: dict[Any, Callable] = {
    **{function: partial(convert_operator, symbol) for symbol, function in BINARY.items()},
    **{function: partial(convert_unary, symbol) for symbol, function in UNARY.items()},
    **{function: partial(convert_inplace, symbol) for symbol, function in INPLACE.items()},
    **{function: partial(compare, symbol) for symbol, function in OPERATORS.items()},
    operator.concat: partial(convert_operator, "+"),
    operator.contains: _contains,
    operator.getitem: _getitem,
    operator.setitem: _setitem,
    operator.delitem: _delitem,
    operator.is_: convert_is,
    operator.is_not: convert_is_not,
    operator.truth: lambda value: convert_bool(value),
    operator.not_: convert_logical_not,
}
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
