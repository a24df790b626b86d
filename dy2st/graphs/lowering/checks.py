"""Checks in the graph of a Program, of a branch or of a loop: the exceptions that Python would raise there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from ...ops.wording import in_words
from ...passes.values.reraising import Reraised, raisers
from .builder import Builder
from .faults import FINE, ErrorEntry
from .scope import Scope
from .values import GraphValue

ScopeType = TypeVar("ScopeType", bound=Scope)


class Checks(Builder):
    """A Builder that also writes checks. A check that fails in a branch or loop is the one that all around it has failed with.

    errors: the checks, in the order in which they run. kernel: of the operator that is being written. class_of: the class of what
    it raises in this Program. around: the handlers that raise something else in its place.
    """

    def __init__(self, scope: Scope):
        super().__init__(scope)
        self.errors: list[ErrorEntry] = []
        self.kernel: Callable[..., Any] | None = None
        self.class_of: Callable[[str], str] = str
        self.around: tuple[Reraised, ...] = ()
        self._unless: list[GraphValue] = []

    # --- checks --------------------------------------------------------------------------------------------------------------

    def check(self, ok: GraphValue, exception: str, *arguments: Any) -> None:
        """Python raises `exception` here, of these arguments, unless `ok`, bool[], holds.

        What follows computes all the same: it must neither crash nor hang, so it clamps an index or replaces a divisor.
        """
        if ok.item is True:
            return
        for condition in self._unless:
            ok = self.Or(ok, condition)
        name, told = in_words(self.kernel, exception, arguments)
        self.errors.append(self._entry(self.class_of(name), told))
        self.scope.codes.append(self.Where(ok, FINE, len(self.errors)))

    def _entry(self, exception: str, told: tuple[Any, ...]) -> ErrorEntry:
        """The exception, or what handlers around the operation raise in its place."""
        names: tuple[str, ...] = (exception,)
        for handler in raisers(self.around, exception):
            names, told = handler.bases, told if handler.text is None else (handler.text,)
        return ErrorEntry(names[0], told, self.loc, names[1:])

    @contextmanager
    def only_if(self, condition: GraphValue) -> Iterator[None]:
        """Checks in here fail only where `condition`, bool[], holds."""
        self._unless.append(self.Not(condition))
        try:
            yield
        finally:
            self._unless.pop()

    def fault(self) -> GraphValue:
        """The code of the first check of the innermost graph that fails, int64[], or FINE."""
        if self.scope.codes:
            self.scope.codes[:] = [self._least(self.scope.codes)]
        return self.scope.codes[0] if self.scope.codes else self.const(FINE)

    def goes_on(self, again: GraphValue) -> GraphValue:
        """Whether a loop of the user's has another turn: none after a failed check, since it might never end.

        A turn of a loop begins only where no check around that loop has failed.
        """
        codes: list[GraphValue] = []
        for scope in reversed(self.scopes):
            codes += scope.codes
            if scope.is_turn:
                break
        return self.And(again, self.Equal(self._least(codes), FINE)) if codes else again

    def _least(self, codes: Sequence[GraphValue]) -> GraphValue:
        return codes[0] if len(codes) == 1 else self.Min(*codes)

    @property
    def repeats(self) -> bool:
        """Whether what is written now is in a loop."""
        return any(scope.is_turn for scope in self.scopes)

    # --- graphs --------------------------------------------------------------------------------------------------------------

    @contextmanager
    def inner(self, scope: ScopeType) -> Iterator[ScopeType]:
        """A graph in this one, which sees its values."""
        self.scopes.append(scope)
        try:
            yield scope
        finally:
            self.scopes.pop()
