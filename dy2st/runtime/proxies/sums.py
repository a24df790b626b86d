"""Values whose kind follows the path."""

from __future__ import annotations

import builtins
import math
import operator

from ..where.faults import as_the_user, speaks_for_the_user
from .base import Staged, recorder


def _dispatched(function):
    def method(self, *operands):
        return recorder().on_alternatives(self, lambda x: _applied(function, x, *operands))

    return method


def _applied(function, x, *operands):
    """`function` of one alternative. Of another union, each is the second operand itself: asked first, it would mirror `<`."""
    if len(operands) == 1 and isinstance(operands[0], StagedSum):
        return recorder().on_alternatives(operands[0], lambda other: as_the_user(function, x, other))
    return as_the_user(function, x, *operands)


def _reflected(function):
    def method(self, operand):
        return recorder().on_alternatives(self, lambda x: as_the_user(function, operand, x))

    return method


def _is_method(cls: type, name: str) -> bool:
    """Whether objects of a class have a method of this name, whatever proxy stands for them."""
    python = getattr(builtins, cls.__name__, cls) if issubclass(cls, Staged) else cls  # a proxy has the name of its class
    found = getattr(python, name, None)
    return callable(found) and not isinstance(found, type)


class SumMethod:
    """A method of a value whose kind follows the path: which one it is, is told when it is called."""

    __slots__ = ("owner", "name")

    def __init__(self, owner: StagedSum, name: str):
        self.owner, self.name = owner, name

    @speaks_for_the_user
    def __call__(self, *args, **kwargs):
        rec = recorder()
        return rec.on_alternatives(self.owner, lambda x: rec.convert_call(getattr(x, self.name))(*args, **kwargs))


SumMethod.__name__ = SumMethod.__qualname__ = "method"  # what Python itself says of one


class StagedSum(Staged):
    """A value whose kind follows the path: every use happens on each alternative, under a test of its tag."""

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name not in ("__name__", "__qualname__"):
            raise AttributeError(name)
        rec = recorder()
        classes = rec.classes_of(self)
        if any(_is_method(cls, name) for cls in classes):
            if not all(_is_method(cls, name) for cls in classes):
                rec.on_alternatives(self, lambda x: as_the_user(getattr, x, name) and None)  # raises where there is none
            return SumMethod(self, name)
        return rec.on_alternatives(self, lambda x: as_the_user(getattr, rec.at(x), name))

    @speaks_for_the_user
    def __call__(self, *args, **kwargs):
        rec = recorder()
        return rec.on_alternatives(self, lambda f: rec.convert_call(f)(*args, **kwargs))

    def __getitem__(self, index):
        rec = recorder()
        return rec.on_alternatives(self, lambda x: as_the_user(operator.getitem, rec.at(x), index))

    def __setitem__(self, index, value):
        rec = recorder()
        rec.on_alternatives(self, lambda x: as_the_user(operator.setitem, rec.at(x), index, value))

    def __delitem__(self, index):
        rec = recorder()
        rec.on_alternatives(self, lambda x: as_the_user(operator.delitem, rec.at(x), index))

    __hash__ = object.__hash__

    def __kinds__(self) -> list[type]:
        """The Python classes of its alternatives, for `library.callables`."""
        return recorder().classes_of(self)


_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_BINARY = {**{name: getattr(operator, f"__{name}__") for name in _OPERATORS}, "divmod": divmod}
for _name, _function in _BINARY.items():
    setattr(StagedSum, f"__{_name}__", _dispatched(_function))
    setattr(StagedSum, f"__r{_name}__", _reflected(_function))
for _name in _OPERATORS:
    setattr(StagedSum, f"__i{_name}__", _dispatched(getattr(operator, f"__i{_name}__")))
_OTHERS = {name: getattr(operator, name) for name in "lt le gt ge eq ne neg pos abs invert".split()}
_OTHERS |= {"round": round, "trunc": math.trunc, "floor": math.floor, "ceil": math.ceil}
for _name, _function in _OTHERS.items():
    setattr(StagedSum, f"__{_name}__", _dispatched(_function))
