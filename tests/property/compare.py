"""Runs a random module as plain Python, as a static function, and as a loaded Program; tells where they differ.

What is compared for each call: the result (structure, values, which containers are one object), the exception (type and
message), what was printed, the arguments afterwards, and the module's state afterwards. A staged scalar may come back as a
0-d tensor, and a number that met a tensor may be a tensor: numbers are compared by value.
"""

from __future__ import annotations

import contextlib
import io
import math
import signal
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from property.coverage import Tracer
from property.modules import CALLS, STATE, forget, module_of, specs, tensors

from dy2st import Tensor, jit
from dy2st.errors import ConversionError, StagedValueError

TOLERANCE = 1e-5
PLAIN_SECONDS = 3.0
FORM_SECONDS = 30.0  # a Program that takes so long for what plain Python did in 3 s runs for ever
TOO_LONG = "plain Python takes too long"
# Raised as soon as the order of what is to come hangs on CPython's hash table; CPython itself raises later, or not at all.
KEYS_CHANGED = ("raised", "RuntimeError", "dictionary keys changed during iteration")


class TooLong(BaseException):
    """A random function whose lists grow from turn to turn may run for ages."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """TooLong after that time of the processor, where the system can tell (signals, in the main thread)."""

    def stop(*_: Any) -> None:
        raise TooLong

    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@dataclass
class Outcome:
    """What one call did, in comparable form."""

    result: Any
    printed: str
    arguments: Any
    state: Any = None

    @property
    def raises(self) -> bool:
        return isinstance(self.result, tuple) and self.result[0] == "raised"


@dataclass
class Report:
    """What the comparison of one program found."""

    difference: str = ""
    refusal: str = ""
    expected: list[Outcome] = field(default_factory=list)

    @property
    def answers(self) -> bool:
        """Whether some call gives values, and not all of them raise."""
        return not all(outcome.raises for outcome in self.expected)


def compare(text: str, tracer: Tracer | None = None, loaded: bool = True) -> Report:
    """Run one random module in every form on every call of CALLS."""
    plain, static = module_of(text), module_of(text)
    report = Report()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function = plain.f if tracer is None else tracer.traced(plain)
            with limited(PLAIN_SECONDS):
                report.expected = [observe(function, call, plain) for call in CALLS]
            _compare_static(static, text[text.index("def f(") :], report, loaded)
    except TooLong:
        report.refusal = TOO_LONG
    finally:
        forget(plain)
        forget(static)
    return report


def _compare_static(module: Any, text: str, report: Report, loaded: bool) -> None:
    function = jit.to_static(module.f, input_spec=specs())
    try:
        function.concrete_program  # noqa: B018  # staged here
    except (ConversionError, StagedValueError) as error:
        report.refusal = f"{type(error).__name__}: {error}"
        return
    except Exception as error:
        if not all(same(raised(error), o.result) for o in report.expected):
            report.difference = f"staging raised {raised(error)}"
        return
    again = _loaded(function, report) if loaded else None
    if again is not None:
        report.difference = first_difference("loaded", again, None, report)
    if report.refusal or report.difference or (again is not None and not any(name in text for name in STATE)):
        return  # what the loaded form says holds for the static form, too, where there is no state to write back
    report.difference = first_difference("static", function, module, report)


def _loaded(function: Any, report: Report) -> Any:
    """The saved and loaded form; None where there is none, since every call raises or saving is refused."""
    file = io.BytesIO()
    try:
        jit.save(function, file)
    except ConversionError as error:
        if "every call of this function raises" not in str(error):
            report.refusal = f"{type(error).__name__}: {error}"
        return None
    file.seek(0)
    return jit.load(file)


def first_difference(form: str, function: Any, module: Any, report: Report) -> str:
    """Where a form differs from what plain Python did in the calls; "" where it doesn't. module: its state is compared, too."""
    for call, expected in zip(CALLS, report.expected):
        try:
            with limited(FORM_SECONDS):
                given = observe(function, call, module)
        except TooLong:
            return f"{form} f{call}: runs for more than {FORM_SECONDS} seconds"
        if given.result == KEYS_CHANGED:
            return ""  # what state this call leaves behind isn't CPython's either, so later calls tell nothing
        if given.raises and given.result[1] == "EngineError" and "is beyond int64" in given.result[2]:
            report.refusal = given.result[2]
            return ""
        for part in ("result", "printed", "arguments", *(("state",) if module is not None else ())):
            a, b = getattr(expected, part), getattr(given, part)
            if not same(a, b):
                return f"{form} f{call}: {part}\n  plain:  {a}\n  {form}: {b}"
    return ""


def observe(function: Any, call: tuple, module: Any = None) -> Outcome:
    """Call, and tell all that can be seen of it."""
    arguments = tensors(call)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = canonical(function(*arguments))
        except Exception as error:
            result = raised(error)
    state = None if module is None else canonical([getattr(module, name) for name in STATE])
    return Outcome(result, printed.getvalue(), canonical(arguments), state)


def raised(error: Exception) -> tuple:
    if isinstance(error, NameError):  # a name may be local in one form and free in the other, with another text in each Python
        return ("raised", "NameError", error.name or str(error).split("'")[1])
    if isinstance(error, RecursionError):  # its text tells what Python was doing just then
        return ("raised", "RecursionError")
    return ("raised", type(error).__name__, str(error))


def canonical(value: Any, seen: dict[int, int] | None = None) -> Any:
    """Nested tuples that tell structure, values and identity: a container met again is a reference to where it was met first."""
    seen = {} if seen is None else seen
    if isinstance(value, Tensor):
        value = value.numpy()
    if isinstance(value, bool | int | float | np.ndarray | np.generic):
        array = np.asarray(value)
        return ("array", array.shape, array.tolist())
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ("tuple", *(canonical(v, seen) for v in value))
    if callable(value):
        return ("function", value.__qualname__)
    if id(value) in seen:
        return ("again", seen[id(value)])
    seen[id(value)] = len(seen)
    if isinstance(value, list):
        return ("list", *(canonical(v, seen) for v in value))
    if isinstance(value, set):
        return ("set", *sorted(canonical(v, seen) for v in value))
    if isinstance(value, dict):
        return ("dict", *((k, canonical(v, seen)) for k, v in value.items()))
    if not hasattr(value, "__dict__"):
        return ("opaque", str(value))
    return ("object", *((k, canonical(v, seen)) for k, v in sorted(vars(value).items())))


def same(a: Any, b: Any) -> bool:
    """Whether two canonical forms are equal, numbers within the tolerance of float32."""
    if a == b:
        return True
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool | int | float) and isinstance(b, bool | int | float):
        return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(a) is type(b) and a == b
