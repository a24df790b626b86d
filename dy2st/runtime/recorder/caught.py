"""What `except E as e` names where the exception is raised when the Program runs."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import TYPE_CHECKING, NoReturn

from ...errors import ConversionError
from ...ir.join import exception_type, join_types
from ...ir.types import BOOL, STR, ExceptionKind, TupleType, Type
from ..engine.exceptions import known_exception
from ..proxies import Staged
from ..proxies.base import recorder
from .try_bodies import Thrown

if TYPE_CHECKING:
    from .recorder import Recorder

UNTOLD = ("__cause__", "__context__", "__suppress_context__", "__traceback__", "__notes__", "add_note", "with_traceback")


class Caught(Staged):
    """An exception that the Program raises, in its handler or kept from there: what it is, the Program finds out."""

    __slots__ = ()

    @property
    def _thrown(self) -> list[Thrown]:
        """The kinds of exception that it may be."""
        rec = recorder()
        kinds = rec.type_of_value(self._value).kinds
        return [Thrown(_known_class(rec, kind.name), kind.args, dict(kind.fields)) for kind in kinds]

    @property
    def _classes(self) -> list[type[BaseException]]:
        return list(dict.fromkeys(one.cls for one in self._thrown))

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> object:  # type: ignore[override]  # a staged bool, where the path decides it
        return recorder().identity(self, other)

    __hash__ = Staged.__hash__

    @property
    def args(self) -> tuple:
        """The arguments, where every `raise` that may have led here has as many."""
        found = [(STR,) if one.args is None and one.cls is not KeyError else one.args for one in self._thrown]
        told = [args for args in found if args is not None]
        if len(told) < len(found) or len(set(map(len, told))) > 1:
            self._refuse("its arguments follow the path: use str() of it, or one 'except' for each kind")
        types = [_joined(column) for column in zip(*told)]
        args = self._ask("caught.args", TupleType(tuple(types)))
        assert isinstance(args, tuple)
        return args

    def _spelled(self, method: str) -> object:
        """The message, or how Python writes it."""
        for cls in self._classes:
            if isinstance(getattr(cls, method), FunctionType) and known_exception(cls.__name__) is not cls:
                self._refuse(f"its class has a {method} of its own: keep the message in its arguments")
        return self._ask("caught.text", STR, {"repr": method == "__repr__"})

    def _is_one_of(self, classes: type | tuple[type, ...]) -> object:
        """`isinstance(e, classes)`."""
        known = {issubclass(cls, classes) for cls in self._classes}
        if len(known) == 1:
            return known.pop()
        names = exception_names(recorder(), classes)
        return self._ask("caught.is", BOOL, {"exceptions": names})

    def __getattr__(self, name: str) -> object:
        if name in UNTOLD:
            self._refuse(f"its {name} isn't known while staging: take what is needed of it where it is raised")
        if name.startswith("__"):
            raise AttributeError(name)
        types = [one.fields.get(name) for one in self._thrown]
        told = [type_ for type_ in types if type_ is not None]
        if len(told) < len(types):
            self._refuse(f"not every exception that may arrive here has a known attribute {name}: pass it as an argument")
        return self._ask("caught.field", _joined(told), {"name": name})

    def _refuse(self, instead: str) -> NoReturn:
        names = " or ".join(cls.__name__ for cls in self._classes)
        raise ConversionError(f"{recorder().here()}: this {names} is raised when the Program runs; {instead}")

    def _ask(self, operation: str, type_: Type, attrs: dict | None = None) -> object:
        rec = recorder()
        return rec.wrap(rec.emit(operation, [rec.local(self._value)], [type_], attrs).result)


def _known_class(rec: Recorder, name: str) -> type[BaseException]:
    cls = rec.exceptions.get(name) or known_exception(name)
    assert cls is not None
    return cls


def caught(rec: Recorder, thrown: list[Thrown]) -> Caught:
    """What the handler that is being staged caught."""
    return Caught(rec.emit("caught", types=[type_of_thrown(rec, thrown)]).result)


def type_of_thrown(rec: Recorder, thrown: list[Thrown]) -> Type:
    """The type of an exception that is one of these."""
    names = exception_names(rec, tuple(one.cls for one in thrown))
    return exception_type(ExceptionKind(name, one.args, tuple(one.fields.items())) for name, one in zip(names, thrown))


def exception_names(rec: Recorder, classes: type | tuple[type, ...]) -> list[str]:
    """The names of exception classes in the Program."""
    names = []
    for cls in classes if isinstance(classes, tuple) else (classes,):
        if known_exception(cls.__name__) is not cls:
            rec.exceptions[cls.__qualname__] = cls
        names.append(cls.__qualname__)
    return names


def _joined(types: Iterable[Type]) -> Type:
    found, *others = types
    for type_ in others:
        found = join_types(found, type_)
    return found
