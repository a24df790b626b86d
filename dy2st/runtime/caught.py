"""What `except E as e` names where the exception is raised when the Program runs."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ..errors import ConversionError
from ..ir.join import join_types
from ..ir.types import BOOL, STR, TupleType, Type
from .attempts import Thrown
from .engine.exceptions import known_exception


class Caught:
    """An exception in its handler: its class, message and arguments are what the Program finds there."""

    def __init__(self, rec: Any, thrown: list[Thrown]):
        self._rec, self._thrown = rec, thrown
        self._classes = list(dict.fromkeys(one.cls for one in thrown))

    @property
    def args(self) -> tuple:
        """The arguments, where every `raise` that may have led here has as many."""
        found = [(STR,) if one.args is None and one.cls is not KeyError else one.args for one in self._thrown]
        if None in found or len(set(map(len, found))) > 1:  # type: ignore[arg-type]
            self._refuse("its arguments follow the path: use str() of it, or one 'except' for each kind")
        types = [_joined(column) for column in zip(*found)]  # type: ignore[arg-type]
        return self._ask("caught.args", TupleType(tuple(types)))

    def __str__(self) -> Any:
        """The message; converted code calls this itself."""
        return self._spelled("__str__")

    def __repr__(self) -> Any:
        return self._spelled("__repr__")

    def _spelled(self, method: str) -> Any:
        for cls in self._classes:
            if isinstance(getattr(cls, method), FunctionType) and known_exception(cls.__name__) is not cls:
                self._refuse(f"its class has a {method} of its own: keep the message in its arguments")
        return self._ask("caught.text", STR, {"repr": method == "__repr__"})

    def _is_one_of(self, classes: Any) -> Any:
        """`isinstance(e, classes)`."""
        known = {issubclass(cls, classes) for cls in self._classes}
        if len(known) == 1:
            return known.pop()
        names = exception_names(self._rec, classes)
        return self._ask("caught.is", BOOL, {"exceptions": names})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        types = [one.fields.get(name) for one in self._thrown]
        if None in types:
            self._refuse(f"not every exception that may arrive here has a known attribute {name}: pass it as an argument")
        return self._ask("caught.field", _joined(types), {"name": name})  # type: ignore[arg-type]

    def _refuse(self, instead: str) -> Any:
        names = " or ".join(cls.__name__ for cls in self._classes)
        raise ConversionError(f"{self._rec.here()}: this {names} is raised when the Program runs; {instead}")

    def _ask(self, operation: str, type_: Type, attrs: dict | None = None) -> Any:
        if self._rec.handled is not self:
            self._refuse("it can be used in its own handler only: take what is needed of it there, such as str() of it")
        return self._rec.wrap(self._rec.emit(operation, types=[type_], attrs=attrs).result)


def exception_names(rec: Any, classes: Any) -> list[str]:
    """The names of exception classes in the Program."""
    names = []
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if known_exception(cls.__name__) is not cls:
            rec.exceptions[cls.__qualname__] = cls
        names.append(cls.__qualname__)
    return names


def _joined(types: tuple[Type, ...]) -> Type:
    found, *others = types
    for type_ in others:
        found = join_types(found, type_)
    return found
