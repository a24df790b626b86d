"""What `except E as e` names where the exception is raised when the Program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType as PythonFunction
from typing import TYPE_CHECKING, NoReturn

from ...errors import ConversionError
from ...ir.core import Value
from ...ir.join import exception_type
from ...ir.types import BOOL, STR, AtomType, ClassType, ExceptionKind, ExceptionType, FunctionType, TupleType, Type
from ..engine.exceptions import known_exception
from ..heap.elements import joined_all
from ..proxies import Staged
from ..proxies.base import recorder
from .try_bodies import Thrown

if TYPE_CHECKING:
    from .recorder import Recorder

OBJECTS = (AtomType, ClassType, FunctionType, ExceptionType)  # what has a text that its class says, which no Program can write
SPELLED_BY_ARGUMENTS = (BaseException.__str__, KeyError.__str__, BaseException.__repr__)
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
        types = _types_of_arguments(self._thrown)
        if types is None:
            self._refuse("its arguments follow the path: use str() of it, or one 'except' for each kind")
        return self._arguments(types)

    def _arguments(self, types: Iterable[Type]) -> tuple:
        """The arguments, which are of these types."""
        args = self._emit("caught.args", TupleType(tuple(types)))
        for cls in self._classes:
            for k in range(len(args.type.parts())):
                recorder().heap.elements.given_by_exception((cls, k), args, k)
        return recorder().wrap(args)  # type: ignore[return-value]  # a Value of a TupleType comes as a tuple

    def _spelled(self, method: str, of_arguments: Callable[[type, tuple], object]) -> object:
        """The message, or how Python writes it.

        of_arguments: asks the arguments, whose class is known; a Program can't write an object by itself.
        """
        for cls in self._classes:
            if isinstance(getattr(cls, method), PythonFunction) and known_exception(cls.__name__) is not cls:
                self._refuse(f"its class has a {method} of its own: keep the message in its arguments")
        derived_first = sorted(self._classes, key=lambda cls: -len(cls.__mro__))
        asking = [cls for cls in derived_first if any(one.cls is cls and _asks_objects(one) for one in self._thrown)]
        return self._spelled_by(method, of_arguments, derived_first, asking)

    def _spelled_by(self, method: str, of_arguments: Callable, classes: list[type], asking: list[type]) -> object:
        """The same, where it is of one of these classes. asking: those of them that have an object among their arguments."""
        if not asking:
            return self._ask("caught.text", STR, {"repr": method == "__repr__"})
        first, *others = classes
        if others:
            is_first = self._emit("caught.is", BOOL, {"exceptions": exception_names(recorder(), first)})
            rest = [cls for cls in asking if cls is not first]
            return recorder().choose(
                is_first,
                lambda: self._spelled_by(method, of_arguments, [first], [cls for cls in asking if cls is first]),
                lambda: self._spelled_by(method, of_arguments, others, rest),
            )
        types = _types_of_arguments([one for one in self._thrown if one.cls is first])
        if types is None or getattr(first, method) not in SPELLED_BY_ARGUMENTS:
            self._refuse(
                f"its text is what an object among its arguments says, but {_why_untold(types)}; put the text of the object "
                "where it is raised, as in str(obj)"
            )
        return of_arguments(first, self._arguments(types))

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
        held = self._emit("caught.field", joined_all(told), {"name": name})
        for cls in self._classes:
            recorder().heap.elements.given_by_exception((cls, name), held, None)
        return recorder().wrap(held)

    def _refuse(self, instead: str) -> NoReturn:
        names = " or ".join(cls.__name__ for cls in self._classes)
        raise ConversionError(f"{recorder().here()}: this {names} is raised when the Program runs; {instead}")

    def _ask(self, operation: str, type_: Type, attrs: dict | None = None) -> object:
        return recorder().wrap(self._emit(operation, type_, attrs))

    def _emit(self, operation: str, type_: Type, attrs: dict | None = None) -> Value:
        rec = recorder()
        return rec.emit(operation, [rec.local(self._value)], [type_], attrs).result


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


def _types_of_arguments(thrown: list[Thrown]) -> tuple[Type, ...] | None:
    """The types of the arguments of what is one of these; None where one has more of them than another, or nobody knows."""
    found = [(STR,) if one.args is None and one.cls is not KeyError else one.args for one in thrown]
    told = [args for args in found if args is not None]
    if len(told) < len(found) or len(set(map(len, told))) > 1:
        return None
    return tuple(joined_all(column) for column in zip(*told))


def _asks_objects(one: Thrown) -> bool:
    return any(type_.holds(*OBJECTS) for type_ in one.args or ())


def _why_untold(types: tuple[Type, ...] | None) -> str:
    return "how many it has follows the path" if types is None else "its class puts it together in a way of its own"
