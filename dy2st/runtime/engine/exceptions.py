"""Exception classes by name: those the caller supplies, those of a closed table, and stand-ins for the user's.

The table holds none but classes below Exception. Exceptions that end the process (SystemExit, KeyboardInterrupt) or unwind it are
known only to a Program that was staged in this process: staging supplies the class.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ...config import file_limits
from ...errors import DTypeError, Dy2stError, EngineError, ShapeError, _LinAlgError
from ...ir.core import Program
from ...ir.names import TEXT
from ...ir.native import Atom, matches
from ...ir.types import Type
from ...ops.python.text import native_repr, native_str
from ...ops.torch_errors import LINALG_ERROR
from ..where.faults import as_the_user, speaks_for_the_user

# Not SyntaxError and what derives from it: to print one, Python may read the file that its arguments name.
_BUILTIN = """
    ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError
    ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
    EncodingWarning Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning ImportError
    ImportWarning IndexError InterruptedError IsADirectoryError KeyError LookupError MemoryError ModuleNotFoundError NameError
    NotADirectoryError NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxWarning
    SystemError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
    UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
"""
_KNOWN: dict[str, type[Exception]] = {name: getattr(builtins, name) for name in _BUILTIN.split() if hasattr(builtins, name)}
_KNOWN |= {cls.__name__: cls for cls in (np.linalg.LinAlgError, _LinAlgError, Dy2stError, ShapeError, DTypeError)}


class ExceptionClasses:
    """The classes that a Program raises and catches. A name that nobody knows becomes a class of that name."""

    def __init__(self, program: Program, given: Mapping[str, type[BaseException]] | None = None):
        self._classes: dict[str, type[BaseException]] = dict(given or {})
        for op in program.walk():
            if op.name in ("raise", "exception.new") and op.attrs.get("exception"):
                self._declare(op.attrs["exception"], op.attrs.get("bases") or ())

    def __getitem__(self, name: str) -> type[BaseException]:
        if name not in self._classes:
            self._classes[name] = known_exception(name) or _stand_in(name, Exception)
        return self._classes[name]

    def _declare(self, name: str, bases: Iterable[str]) -> None:
        """Make `name` and the bases it names, the outermost first: each derives from the next."""
        chain = [name, *(b for b in bases if b != name)]
        known = next((i for i, n in enumerate(chain) if n in self._classes or known_exception(n)), len(chain))
        base: type[BaseException] = self[chain[known]] if known < len(chain) else Exception
        for missing in reversed(chain[:known]):
            base = self._classes[missing] = _stand_in(missing, base)


def exception_class(names: Sequence[str], given: Mapping[str, type[BaseException]] | None = None) -> type[BaseException]:
    """The class of the first of these names; the others are those of its bases, up to a known one. given: classes by name."""
    classes = ExceptionClasses(Program(), given)
    classes._declare(names[0], names)
    return classes[names[0]]


def _stand_in(name: str, base: type[BaseException]) -> type[BaseException]:
    if len(base.__mro__) > file_limits.depth:  # each class keeps a list of all its bases
        limit = f"{file_limits.depth} classes (dy2st.config.file_limits.depth)"
        raise EngineError(f"the exception {name[:60]!r} derives from more than {limit}")
    try:
        namespace = {"__module__": "builtins", "__str__": _kept_text}  # of another module, a traceback would say so
        return type(name, (base,), namespace)
    except (TypeError, ValueError) as error:
        raise EngineError(f"an exception can't be called {name!r}: {error}") from error


def _kept_text(error: BaseException) -> str:
    found = vars(error).get(TEXT)
    return found if isinstance(found, str) else _known_str(type(error))(error)


def _known_str(cls: type[BaseException]) -> Callable[[BaseException], str]:
    """The `__str__` of a class, or of the first of its bases that is no stand-in."""
    methods: Iterator[Any] = (base.__str__ for base in cls.__mro__)
    return next(method for method in methods if method is not _kept_text)


def says_itself(cls: type[BaseException]) -> bool:
    """Whether the text of such an exception is what a `__str__` of the user's class says."""
    return isinstance(cls.__str__, FunctionType) and cls.__str__ is not _kept_text and known_exception(cls.__name__) is not cls


@speaks_for_the_user
def caught() -> BaseException:
    """The exception that is being handled, as `except ... as error` binds it."""
    error = sys.exc_info()[1]
    assert error is not None
    return error


def text_of(error: BaseException) -> str:
    """`str(error)`, with tensors among its arguments spelt as the Program spells them."""
    if TEXT in vars(error) or _known_str(type(error)) is not BaseException.__str__:
        return str(error)
    return native_str(error.args[0]) if len(error.args) == 1 else native_repr(error.args) if error.args else ""


def repr_of(error: BaseException) -> str:
    """`repr(error)`, spelt the same way."""
    name = type(error).__name__.rpartition(".")[2]
    return f"{name}({', '.join(map(native_repr, error.args))})"


def args_of(error: BaseException, type_: Type, **kinds: Any) -> tuple:
    """The arguments of an exception, which the Program declares to be of a type. kinds: as for `ir.native.matches`."""
    return _declared(error, "the arguments", error.args, type_, **kinds)


def field_of(error: BaseException, name: str, type_: Type, **kinds: Any) -> Any:
    """An attribute of an exception, which the Program declares to be of a type."""
    if name not in vars(error):
        raise EngineError(f"this {type(error).__name__} has no attribute {name!r}, which the Program asks for")
    return _declared(error, f"the attribute {name}", vars(error)[name], type_, **kinds)


def _declared(error: BaseException, what: str, value: Any, type_: Type, **kinds: Any) -> Any:
    """`value`, if it is what was declared: operators raise what the Program didn't make, and a file may declare anything."""
    if not matches(type_, value, **kinds):
        raise EngineError(f"{what} of this {type(error).__name__} should be {type_}: the Program can't use what it has")
    return value


def made_error(cls: type[BaseException], fields: Mapping[str, Any], *args: Any) -> BaseException:
    """An exception as the user's `__init__` left it when it was staged: its arguments and its attributes."""
    error = as_the_user(cls.__new__, cls, *args)
    error.args = args
    vars(error).update(fields)
    if cls.__str__ is not _kept_text:
        text = vars(error).pop(TEXT, None)
        if isinstance(text, str) and len(args) == 1 and type(args[0]) is Atom:
            error.args = (args[0].saying(text),)
    return error


def chained(error: BaseException, **links: BaseException | None) -> BaseException:
    """An exception with its `context` and `cause`, of those that are given."""
    for name, value in links.items():
        setattr(error, f"__{name}__", value)
    return error


def known_exception(name: str) -> type[Exception] | None:
    """The class of the table that is called `name`: of Python, NumPy's linear algebra, torch's or dy2st."""
    torch: Any = sys.modules.get("torch") if name == LINALG_ERROR else None
    return _KNOWN.get(name) if torch is None else torch.linalg.LinAlgError


def of_torch(error: Exception, name: str) -> Exception:
    """The exception that torch raises, whose class is called `name`, in place of one of an operator; with what that tells."""
    cls = known_exception(name)
    if cls is None or type(error) is cls:
        return error
    made = cls(*error.args)
    vars(made).update(vars(error))
    return made.with_traceback(error.__traceback__)
