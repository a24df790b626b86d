"""`*rest` and `**more` of a function, where only the Program knows what they hold.

Python itself makes the tuple and the dict of a call. So the call is one of a twin of the function: the same code, of which
both are parameters by keyword.
"""

from __future__ import annotations

import inspect
from types import CodeType, FunctionType

from ..heap.heap import Poison
from ..where.per_code import per_code


class Rest(Poison):
    """The last argument of a call of `function`: what that gets in `*rest` and `**more`. Whoever else reads it is refused."""

    def __init__(self, items: object, keywords: object, function: FunctionType):
        super().__init__(())
        vars(self).update(items=items, keywords=keywords, code=function.__code__)

    def is_of(self, function: FunctionType) -> bool:
        """Whether it was made for this function. One of this package, such as `Layer.__call__`, hands it on as it is."""
        return vars(self)["code"] is function.__code__

    def by_name(self, function: FunctionType) -> dict[str, object]:
        """The arguments by keyword that the twin of a function gets."""
        code = function.__code__
        names = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :]
        return dict(zip(names, (vars(self)[part] for part, flag in PARTS if code.co_flags & flag)))


PARTS = (("items", inspect.CO_VARARGS), ("keywords", inspect.CO_VARKEYWORDS))


def with_named_rest(function: FunctionType) -> FunctionType:
    """The twin of a function."""
    code, defaults = _with_named_rest(function.__code__), function.__defaults__
    twin = FunctionType(code, function.__globals__, function.__name__, defaults, function.__closure__)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__, twin.__module__ = function.__qualname__, function.__module__
    return twin


@per_code
def _with_named_rest(code: CodeType) -> CodeType:
    """The local variables of code are, first, its parameters, those by keyword, `*rest` and `**more`."""
    flags = [flag for _, flag in PARTS if code.co_flags & flag]
    return code.replace(co_flags=code.co_flags & ~sum(flags), co_kwonlyargcount=code.co_kwonlyargcount + len(flags))
