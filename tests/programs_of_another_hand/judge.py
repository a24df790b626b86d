"""Runs a program as plain Python, as a static model, and saved and loaded; says what came out."""

from __future__ import annotations

import importlib.util
import re
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import dy2st as paddle
from dy2st.errors import Dy2stError, InternalError, JoinWarning
from dy2st.static import InputSpec

from .program import Program
from .telling import Telling, state_of

SPEC = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")]
LIMIT, PLAIN_LIMIT = 40.0, 5.0  # seconds of the processor for one program, and for plain Python
NAME = "program_of_another_hand"
WRONG = ("silent", "exception", "inner", "endless")


@dataclass(frozen=True)
class Verdict:
    """How a program ended.

    kind: same, refused, warned (it differs where a JoinWarning said so), silent, exception (another one, or one too many), inner,
    endless, or broken (plain Python doesn't come to an end).
    where: which run and call. text: what was told of it.
    """

    kind: str
    where: str = ""
    text: str = ""

    @property
    def group(self) -> str:
        """What verdicts of one cause have in common: the text without lines, names and numbers."""
        text = re.sub(r"\S*/\S*\.py:\d+: ", "", self.text)
        return f"{self.where.rstrip(' 0123456789')}: " + re.sub(r"\d+", "#", re.sub(r"'[^']*'", "'..'", text)).strip()[:130]


@dataclass(frozen=True)
class Answer:
    """What a call gives or raises; what it leaves of its arguments, and of the model and its module."""

    result: Any
    arguments: Any
    state: Any
    error: Exception | None = None  # that it raised


class Judged(Exception):
    """The verdict is found."""

    def __init__(self, kind: str, where: str, text: str):
        self.verdict = Verdict(kind, where, text)


class _Endless(BaseException):
    """The program's time is over."""


def judged(program: Program, limit: float = LIMIT) -> Verdict:
    """Run the program each way and compare."""

    with warnings.catch_warnings(record=True) as told, tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", JoinWarning)
        try:
            with _limited(PLAIN_LIMIT):
                expected = list(_plain_answers(program, Path(folder)))
        except _Endless:
            return Verdict("broken", "", "plain Python gives no answer")
        try:
            with _limited(limit):
                _compare(program, Path(folder), expected)
        except Judged as judgement:
            found = judgement.verdict
            return replace(found, kind="warned") if told and found.kind == "silent" else found
        except _Endless:
            return Verdict("endless", "", f"no answer in {limit:.0f} s")
    return Verdict("same")


@contextmanager
def _limited(limit: float) -> Iterator[None]:
    """_Endless where what runs inside takes longer than so many seconds of the processor."""

    def over(*_: Any) -> None:
        raise _Endless

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _compare(program: Program, folder: Path, expected: list[Answer]) -> None:
    with _module(program, folder) as module:
        for number, answer in enumerate(_answers_of_another(program, module, paddle.jit.to_static)):
            _same(answer, expected.pop(0), f"another's call {number}")
        net = paddle.jit.to_static(module.Net(), input_spec=SPEC if program.has_spec else None)
        later = program.saved_after if program.has_spec else 1
        for number, call in enumerate(program.calls):
            if number == later:
                loaded = _reloaded(net, folder, None if program.has_arguments else SPEC)
            _same(_answer(net, module, call, net), expected[number], f"static call {number}")
        if not any(answer.error is None for answer in expected):
            return  # where every call raises, there is nothing to save
        if isinstance(loaded, Judged):
            raise loaded
        for number, call in enumerate(program.calls[later:], later):
            _same(_answer(loaded, module, call), expected[number], f"loaded call {number}")


def _plain_answers(program: Program, folder: Path) -> Iterator[Answer]:
    with _module(program, folder) as module:
        yield from _answers_of_another(program, module, lambda net: net)
        net = module.Net()
        for call in program.calls:
            yield _answer(net, module, call, net)


def _answers_of_another(program: Program, module: ModuleType, converted: Callable) -> Iterator[Answer]:
    """Where the program asks for it, another model of the class is called first, with the inputs in another order."""
    if program.other_first:
        net = converted(module.Net())
        for call in program.calls[:1:-1]:
            yield _answer(net, module, call, net)


def _reloaded(net: Any, folder: Path, spec: list | None) -> Any:
    """The model saved and loaded, or the verdict that it can't be saved."""
    try:
        paddle.jit.save(net, folder / "net", input_spec=spec)
        return paddle.jit.load(folder / "net")
    except Exception as error:
        refused = isinstance(error, Dy2stError) and not isinstance(error, InternalError)
        return Judged("refused" if refused else "inner", "save", _words(error))


def _answer(function: Callable, module: ModuleType, call: str, live: Any = None) -> Answer:
    values, n, *more = eval(f"[{call}]")
    result, raised = None, None
    try:
        result = Telling(exactly=False)(function(paddle.to_tensor(values, "float32"), paddle.to_tensor(n), *more))
    except Exception as error:
        result, raised = ("raised", type(error).__name__, str(error)), error
    return Answer(result, Telling(exactly=True)(more), None if live is None else state_of(live, module), raised)


def _same(found: Answer, expected: Answer, where: str) -> None:
    """Judged where a call gives or leaves something else than plain Python's."""
    if repr(found.result) != repr(expected.result):
        text = f"{found.result!r}, plain: {expected.result!r}"
        if found.error is None:
            raise Judged("silent", where, ("answers where plain Python raises: " if expected.error else "result: ") + text)
        if isinstance(found.error, InternalError):
            raise Judged("inner", where, _words(found.error))
        if isinstance(found.error, Dy2stError) or re.match(r"argument .* (saved with|is a (sequence|dict))", str(found.error)):
            raise Judged("refused", where, _words(found.error))
        raise Judged(
            "exception", where, f"{_words(found.error)}, plain: {expected.result!r}" if expected.error else _words(found.error)
        )
    if found.arguments != expected.arguments:
        raise Judged("silent", where, f"arguments: {found.arguments!r}, plain: {expected.arguments!r}")
    if found.state is not None and found.state != expected.state:
        differing = [
            (name, found.state[name], expected.state.get(name))
            for name in found.state
            if found.state[name] != expected.state.get(name)
        ]
        raise Judged("silent", where, f"state: {differing!r}")


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".split("\n\n")[0]


@contextmanager
def _module(program: Program, folder: Path) -> Iterator[ModuleType]:
    """The program as a module of its own."""
    path = folder / f"{NAME}_{program.seed}.py"
    path.write_text(program.source)
    spec = importlib.util.spec_from_file_location(NAME, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[NAME]
