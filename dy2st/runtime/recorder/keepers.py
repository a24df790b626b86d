"""Objects of Python's library that keep what they are given: a partial, a ChainMap, a proxy of a mapping."""

from __future__ import annotations

import gc
from types import BuiltinFunctionType, FunctionType, ModuleType

from ...errors import ConversionError
from ...ir.core import Loc
from ...pytree import module_of, nodes
from ..heap.staged_objects import python_class
from ..library import Written
from ..where.user_code import is_foreign

NOT_ENTERED = (type, ModuleType, FunctionType, BuiltinFunctionType, Written)


def refuse_keeper(loc: Loc | None, value: object) -> None:
    """ConversionError: an object holds a stand-in for a deque or the like, and would hold it after staging."""
    for node in nodes(value, kept_by):
        if isinstance(node, Written):
            python = python_class(node)
            assert python is not None
            kind, keeper = python.__name__, type(value).__name__
            raise ConversionError(
                f"{loc or '?'}: this {keeper} keeps a {kind} that the function has made, and outlives the call, which a Program "
                f"can't give; return the {kind} itself, or make the {keeper} outside"
            )


def kept_by(value: object) -> list:
    """What an object of Python's library holds; nothing for one of the user's, a function, a class or a module."""
    if isinstance(value, NOT_ENTERED) or not is_foreign(module_of(type(value))):
        return []
    return gc.get_referents(value)
