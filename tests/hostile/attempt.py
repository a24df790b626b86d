"""One try of a file: what loading it and calling it comes to, where nothing may happen but a refusal or an honest failure."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from saving import hostile_traced

import dy2st as paddle
from dy2st.errors import Dy2stError, InternalError, ModelFileError
from dy2st.ir.core import Program
from dy2st.ops.registry import OPERATORS
from dy2st.runtime.tensors.tape import OverwrittenError
from dy2st.traced_module import TracedModule

SECONDS = 2.0  # of processor time
# What the built-in operators of a Program raise, beside the errors of dy2st: a Program computes, so it may fail as Python does.
HONEST = (ArithmeticError, ValueError, TypeError, IndexError, MemoryError, RecursionError, OverwrittenError)
DISHONEST = (UnicodeError, NotImplementedError, InternalError)
_LIBRARIES = ("dy2st", "numpy", "ml_dtypes", "encodings", "unicodedata", "onnx", "google")
_FORBIDDEN = ("open", "os.", "subprocess.", "ctypes.", "socket.", "shutil.", "pty.", "webbrowser.", "urllib.", "marshal.")
# Files that a traceback or the page shows: the package's, NumPy's, the tests' own.
_SOURCES = (paddle.__path__[0], np.__path__[0], str(Path(__file__).resolve().parents[1]))
_watched: list[bool] = []


class Forbidden(BaseException):
    """What was tried ran code, or touched a file."""


class TooLong(BaseException):
    """The time is up."""


def watch() -> None:
    """From here on, code that runs while a file is tried, and files that are opened, raise Forbidden."""
    sys.addaudithook(_audit)
    signal.signal(signal.SIGPROF, _alarm)


def _alarm(*_: Any) -> None:
    raise TooLong


def _audit(event: str, args: tuple) -> None:
    if not _watched or event not in ("import", "exec") and not event.startswith(_FORBIDDEN):
        return
    ours = event == "import" and args[0].startswith(_LIBRARIES)
    ours = ours or event == "exec" and args[0].co_filename.startswith(("<dy2st engine", _SOURCES[0]))
    ours = ours or event == "open" and str(args[0]).startswith(_SOURCES) and args[1] in ("r", "rb")
    if not ours and not _is_importing() and sys._getframe(1).f_code.co_name != "namedtuple":  # which makes its class by eval
        raise Forbidden(f"{event} {str(args)[:100]} in {_callers()}")


def _callers() -> str:
    frames = [sys._getframe(depth).f_code for depth in range(2, 6)]
    return ", ".join(f"{code.co_name} ({code.co_filename.rpartition('/')[2]})" for code in frames)


def _is_importing() -> bool:
    """Whether a module of ours or of a library's is being imported, which reads and runs its file."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name == "_find_and_load" and str(frame.f_locals.get("name", "")).startswith(_LIBRARIES):
            return True
        frame = frame.f_back
    return False


def attempt(load: Callable[[], Any], call: Callable[[Any], str], refusals: tuple = (ModelFileError,)) -> str:
    """`refused`, `endless`, or what `call` says of what `load` gave; starting with `!`, what must not happen.

    refusals: the classes of errors by which a file may be refused.
    """
    _watched.append(True)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return _attempt(load, call, refusals)
    except TooLong:
        return "! hangs at load"
    except Forbidden as error:
        return f"! {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _watched.clear()


def _attempt(load: Callable[[], Any], call: Callable[[Any], str], refusals: tuple) -> str:
    try:
        model = load()
    except refusals as error:
        if "MemoryError" in str(error):
            return f"! takes too much memory: {str(error)[:150]}"
        return "refused" if 0 < len(str(error)) < 5000 else "! a message of no use"
    except (TooLong, Forbidden):
        raise
    except BaseException as error:
        return f"! load raises {type(error).__name__}: {str(error)[:150]}"
    try:
        return call(model)
    except TooLong:
        return "endless"
    except Forbidden:
        raise
    except BaseException as error:
        return judged(model, error)


# --- models of jit.save ------------------------------------------------------------------------------------------------


def try_model(data: bytes, inputs: tuple, backward: bool) -> str:
    """Load an archive and call it, with gradients where `backward`."""
    return attempt(lambda: paddle.jit.load(io.BytesIO(data)), lambda model: used(model, inputs, backward))


def used(model: Any, inputs: tuple, backward: bool) -> str:
    """Call a model, and ask for gradients of its first result where `backward`."""
    if backward:
        inputs = tuple(paddle.to_tensor(x, stop_gradient=False) if isinstance(x, np.ndarray) else x for x in inputs)
    result = model(*inputs)
    first = result[0] if isinstance(result, tuple) and result else result
    if backward and isinstance(first, paddle.Tensor) and not first.stop_gradient:
        first.sum().backward()
    return "answered"


def judged(model: Any, error: BaseException) -> str:
    """Whether a checked Program may raise this: an honest error, or one of the classes that the file itself makes."""
    kind = type(error)
    honest = isinstance(error, (Dy2stError, *HONEST)) and not isinstance(error, DISHONEST)
    raised = isinstance(error, Exception) and kind.__name__ in _names(model)
    sign = "raised" if honest or raised else "! call raises"
    return f"{sign} {kind.__name__}" + ("" if honest or raised else f": {str(error)[:150]}")


def _names(model: Any) -> set[str]:
    """The exceptions that the Program names, and those that its operators say they raise."""
    owner = getattr(getattr(model, "_method", model), "owner", model)
    program = vars(getattr(owner, "_shadow", owner)).get("_program", Program())
    found: set[str] = set()
    for op in program.walk():
        if op.name in ("raise", "exception.new"):
            found.update((op.attrs.get("exception"), *(op.attrs.get("bases") or ())))
        elif op.name in OPERATORS:
            found.update(OPERATORS[op.name].raises)
            found.update(["RuntimeError"] if OPERATORS[op.name].mutates else [])  # of a leaf that wants a gradient
    return found


# --- traced modules and state dicts --------------------------------------------------------------------------------------


def try_state(data: bytes) -> str:
    """Load what `dy2st.load` reads, look at it, and call it where it is a module."""

    def load() -> Any:
        found = paddle.load(io.BytesIO(data))
        if isinstance(found, TracedModule):
            hostile_traced.look_at(found)
        return found

    return attempt(load, lambda found: hostile_traced.call(found) if isinstance(found, TracedModule) else "answered")
