"""The exceptions of a recording: which `try` statements are active, whose handlers run, and what comes from what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

from ..heap.frames import Frame
from .try_bodies import Thrown

Item = TypeVar("Item")


class Catching(Protocol):
    """A `try`, or a Function of the Program, in whose body something may be raised."""

    @property
    def frame(self) -> Frame | None: ...
    def offer(self, thrown: list[Thrown]) -> list[Thrown]: ...


class Handling:
    """What is being tried and handled while the user's code is staged."""

    def __init__(self) -> None:
        self.attempts: list[Catching] = []  # the `try` statements whose bodies are being run
        self.raising: object = None  # what a `raise` of the user's code raised last: a SystemExit may be that, Ctrl-C never is
        self.causes: list[tuple[object, object]] = []  # what the user's code said an exception comes from
        self._handlers: list[object] = []  # the exceptions whose handlers are being run
        self._handled_before: list[BaseException] = []  # what handlers were run for while staging

    @property
    def handled(self) -> object:
        """The exception whose handler is being run."""
        return self._handlers[-1] if self._handlers else None

    def attempting(self, attempt: Catching) -> AbstractContextManager[None]:
        """A `try` is active for a while."""
        return on_top(self.attempts, attempt)

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """What is recorded for a while is known not to raise, whatever its operators might."""
        attempts, self.attempts = self.attempts, []
        try:
            yield
        finally:
            self.attempts = attempts

    def in_handler_of(self, error: object) -> AbstractContextManager[None]:
        """A handler of `error` runs for a while."""
        if isinstance(error, BaseException):
            self._handled_before.append(error)
        return on_top(self._handlers, error)

    def context_of(self, error: BaseException) -> BaseException | None:
        """The exception in whose handler the user's code raised this one, where staging knows it."""
        return next((known for known in self._handled_before if known is error.__context__), None)

    def cause_of(self, error: BaseException) -> dict[str, object]:
        """What `raise error from cause` said, as an attribute by its name."""
        return next(({"cause": cause} for known, cause in reversed(self.causes) if known is error), {})


@contextmanager
def on_top(stack: list[Item], item: Item) -> Iterator[None]:
    """An item is on top of a stack for a while."""
    depth = len(stack)
    stack.append(item)
    try:
        yield
    finally:
        del stack[depth:]
