"""Texts of exceptions as what they are made of: engines without texts hand on numbers, and whoever raises makes the text.

    %t = str.format %n, template="{} rows" : str
    raise %t, exception="ValueError"         ->    MadeText("str.format", 1, {...}, (INT,), (Computed(0),)): value 0 is %n
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...ir.core import Operation, Value, fill_refs
from ...ir.types import BOOL, FLOAT, INT, STR, TensorType, Type
from ...ops.registry import OPERATORS

_MAKING = frozenset("py.str py.repr py.spell py.add py.torch_text str.format str.percent str.concat str.join str.method".split())
_SINGLE = (BOOL, INT, FLOAT, STR)


@dataclass(frozen=True)
class MadeText:
    """An argument of an exception that an operator makes of others. types: of its operands, which are arguments, too."""

    operator: str
    n_positional: int
    attributes: dict[str, Any]
    types: tuple[Type, ...]
    operands: tuple[Any, ...]

    def text(self, value_of: Callable[[Any], Any]) -> str:
        """The text. value_of: an argument's value, a constant as it is."""
        operands = [_native(type_, value_of_argument(x, value_of)) for type_, x in zip(self.types, self.operands)]
        return made_by(self.operator, self.n_positional, self.attributes, operands)


def made_by(operator: str, n_positional: int, attributes: dict[str, Any], operands: Sequence[Any]) -> str:
    """The text that an operator makes of operands in native form. It raises what Python raises, such as of a wrong format."""
    return OPERATORS[operator].kernel(*operands[:n_positional], **fill_refs(attributes, operands))


def value_of_argument(argument: Any, value_of: Callable[[Any], Any]) -> Any:
    """The value of an argument of an exception. value_of: as of `MadeText.text`."""
    return argument.text(value_of) if isinstance(argument, MadeText) else value_of(argument)


def mapped_argument(change: Callable[[Any], Any], argument: Any) -> Any:
    """An argument with what `change` makes of each that it is made of."""
    if isinstance(argument, MadeText):
        return replace(argument, operands=tuple(mapped_argument(change, x) for x in argument.operands))
    return change(argument)


def parts_of_argument(argument: Any) -> Iterator[Any]:
    """The arguments that an argument is made of, itself if it isn't made."""
    if isinstance(argument, MadeText):
        for operand in argument.operands:
            yield from parts_of_argument(operand)
    else:
        yield argument


def makes_texts(operator: str) -> bool:
    """Whether an operator makes texts of what it is given."""
    return operator in _MAKING


def making(value: Value) -> Operation | None:
    """The operation that makes a text of tensors, numbers and texts; None where none does."""
    op = value.owner
    if not isinstance(op, Operation) or not makes_texts(op.name) or value.type != STR:
        return None
    return op if all(isinstance(x.type, TensorType) or x.type in _SINGLE for x in op.operands) else None


def ingredients(value: Value) -> Sequence[Value]:
    """The Values that a text is made of; the Value itself, where it isn't made."""
    op = making(value)
    return [value] if op is None else [part for operand in op.operands for part in ingredients(operand)]


def _native(type_: Type, value: Any) -> Any:
    return np.asarray(value, DTYPES[type_.dtype].numpy) if isinstance(type_, TensorType) else value
