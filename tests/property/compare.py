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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from property.coverage import Tracer
from property.modules import CALLS, STATE, forget, module_of, specs, tensors

from dy2st import Tensor, jit
from dy2st.errors import ConversionError, Dy2stError, StagedValueError

TOLERANCE = 1e-5
PLAIN_SECONDS = 3.0
FORM_SECONDS = 30.0  # a Program that takes so long for what plain Python did in 3 s runs for ever
TOO_LONG = "plain Python takes too long"
NUMBER = "number"  # begins the canonical form of a number or tensor: its class or dtype, its shape, its elements
# Raised as soon as the order of what is to come hangs on CPython's hash table; CPython itself raises later, or not at all.
KEYS_CHANGED = ("raised", "RuntimeError", "dictionary keys changed during iteration")
# What torch can't compute is its RuntimeError, dy2st tells the kind.
OF_TORCH, OWN = "RuntimeError", ("ShapeError", "DTypeError", "OperatorError")


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
        return isinstance(self.result, tuple) and self.result[:1] == ("raised",)


@dataclass
class Report:
    """What the comparison of one program found."""

    difference: str = ""
    refusal: str = ""
    expected: list[Outcome] = field(default_factory=list)
    has_state: bool = False

    @property
    def answers(self) -> bool:
        """Whether some call gives values, and not all of them raise."""
        return not all(outcome.raises for outcome in self.expected)


def compare(text: str, tracer: Tracer | None = None, loaded: bool = True) -> Report:
    """Run one random module in every form on every call of CALLS."""

    def compare_forms(module: Any, report: Report) -> None:
        function = jit.to_static(module.f, input_spec=specs())
        if made(lambda: function.concrete_program, report) is None:
            return
        again = made(lambda: saved_and_loaded(function), report) if loaded else None
        if again is not None:
            report.difference = first_difference("loaded", again, None, report)
        if report.refusal or report.difference or (again is not None and not report.has_state):
            return  # what the loaded form says holds for the static form, too, where there is no state to write back
        report.difference = first_difference("static", function, module, report)

    return compared(text, compare_forms, lambda module: module.f if tracer is None else tracer.traced(module))


def compared(
    text: str,
    compare_forms: Callable[[Any, Report], None],
    function_of: Callable[[Any], Callable] = lambda module: module.f,
    arguments: Callable[[tuple], list] = tensors,
    aliases: bool = True,
) -> Report:
    """Run a random module as plain Python, and let `compare_forms` hold a second one of the text against that.

    function_of: what is called of the first; arguments: those of a call; aliases: as `canonical` has it.
    """
    plain, static = module_of(text), module_of(text)
    report = Report(has_state=any(name in text[text.index("def f(") :] for name in STATE))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with limited(PLAIN_SECONDS):
                report.expected = [observe(function_of(plain), arguments(call), plain, aliases) for call in CALLS]
            compare_forms(static, report)
    except TooLong:
        report.refusal = TOO_LONG
    except Dy2stError as error:
        if not is_refusal(error):
            raise
        report.refusal = f"{type(error).__name__}: {error}"
    finally:
        forget(plain)
        forget(static)
    return report


def is_refusal(error: Exception) -> bool:
    """Whether dy2st says that it can't do something, which isn't wrong."""
    refuses = isinstance(error, ConversionError | StagedValueError)
    return refuses or (isinstance(error, Dy2stError) and "is beyond int64" in str(error))


def made(make: Callable[[], Any], report: Report) -> Any:
    """What `make()` gives; None where every call raises, as a function that is staged or saved may say. Refusals are raised."""
    try:
        return make()
    except Exception as error:
        if is_refusal(error):
            if "every call of this function raises" not in str(error):
                raise
        elif not all(same(raised(error), outcome.result) for outcome in report.expected):
            report.difference = f"staging raised {raised(error)}"
        return None


def saved_and_loaded(function: Any) -> Any:
    """The saved and loaded form."""
    file = io.BytesIO()
    jit.save(function, file)
    file.seek(0)
    return jit.load(file)


def first_difference(
    form: str,
    function: Any,
    module: Any,
    report: Report,
    arguments: Callable[[tuple], list] = tensors,
    typed: bool = False,
) -> str:
    """Where a form differs from what plain Python did in the calls; "" where it doesn't. module: its state is compared, too.

    arguments: those of a call; typed: as `same` has it.
    """
    for call, expected in zip(CALLS, report.expected):
        try:
            with limited(FORM_SECONDS):
                given = observe(function, arguments(call), module)
        except TooLong:
            return f"{form} f{call}: runs for more than {FORM_SECONDS} seconds"
        if given.result == KEYS_CHANGED:
            return ""  # what state this call leaves behind isn't CPython's either, so later calls tell nothing
        for part in ("result", "printed", "arguments", *(("state",) if module is not None else ())):
            a, b = getattr(expected, part), getattr(given, part)
            if not same(a, b, typed) and not (part == "result" and _fail_alike(expected, given)):
                return f"{form} f{call}: {part}\n  plain:  {a}\n  {form}: {b}"
    return ""


def _fail_alike(expected: Outcome, given: Outcome) -> bool:
    """Whether torch and dy2st both say, each in its words, that tensors don't fit."""
    return expected.raises and given.raises and expected.result[1] == OF_TORCH and given.result[1] in OWN


def observe(function: Any, arguments: list, module: Any = None, aliases: bool = True) -> Outcome:
    """Call, and tell all that can be seen of it. Refusals are raised."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = canonical(function(*arguments), aliases)
        except Exception as error:
            if is_refusal(error):
                raise
            result = raised(error)
    state = None if module is None else canonical([getattr(module, name) for name in STATE], aliases)
    return Outcome(result, printed.getvalue(), canonical(arguments, aliases), state)


def raised(error: Exception) -> tuple:
    if isinstance(error, NameError):  # a name may be local in one form and free in the other, with another text in each Python
        return ("raised", "NameError", error.name or str(error).split("'")[1])
    if isinstance(error, RecursionError):  # its text tells what Python was doing just then
        return ("raised", "RecursionError")
    return ("raised", type(error).__name__, str(error))


def canonical(value: Any, aliases: bool = True) -> Any:
    """Nested tuples that tell structure, values and identity: a container met again is a reference to where it was met first.

    aliases: False where nothing keeps which containers are one object: each is told whole then, but within itself.
    """
    seen: dict[int, int] = {}

    def form(value: Any) -> Any:
        if isinstance(value, Tensor):
            value = value.numpy()
        if isinstance(value, bool | int | float):
            return (NUMBER, type(value).__name__, (), value)
        if hasattr(value, "dtype"):  # an array, or a tensor of another library
            return (NUMBER, str(value.dtype), tuple(value.shape), value.tolist())
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, tuple):
            return ("tuple", *map(form, value))
        if callable(value):
            return ("function", value.__qualname__)
        if id(value) in seen:
            return ("again", seen[id(value)])
        seen[id(value)] = len(seen)
        found = parts(value)
        if not aliases:
            del seen[id(value)]
        return found

    def parts(value: Any) -> tuple:
        if isinstance(value, list):
            return ("list", *map(form, value))
        if isinstance(value, set):
            return ("set", *sorted(map(form, value)))
        if isinstance(value, dict):
            return ("dict", *((k, form(v)) for k, v in value.items()))
        if not hasattr(value, "__dict__"):
            return ("opaque", str(value))
        return ("object", *((k, form(v)) for k, v in sorted(vars(value).items())))

    return form(value)


def same(a: Any, b: Any, typed: bool = False) -> bool:
    """Whether two canonical forms are equal, numbers within the tolerance of float32.

    typed: whether the class of a number and the dtype of a tensor count, too.
    """
    if a == b:
        return True
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        if not typed and a[:1] == b[:1] == (NUMBER,):
            a, b = a[2:], b[2:]
        return len(a) == len(b) and all(same(x, y, typed) for x, y in zip(a, b))
    if isinstance(a, bool | int | float) and isinstance(b, bool | int | float):
        return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return type(a) is type(b) and a == b
