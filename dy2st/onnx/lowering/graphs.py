"""Graphs in the graph, and the checks in them: branches, loops, and what of Python's exceptions leaves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...graphs.lowering.faults import FINE, ErrorEntry
from ...graphs.lowering.values import Array, OnnxType, OnnxValue
from ...ops.wording import in_words
from ...passes.values.reraising import Reraised, raisers
from . import protos
from .builder import Builder
from .scope import Scope
from .selecting import is_cheap, selected

_CODE, _TRUTH = Array("int64", ()), Array("bool", ())


class Graphs(Builder):
    """A Builder that also writes If and Loop. A check that fails in one of them is the one that all around it has failed with.

    errors: the checks, in the order in which they run. kernel: of the operator that is being written. class_of: the class of what
    it raises in this Program. around: the handlers that raise something else in its place.
    """

    def __init__(self, opset: int):
        super().__init__(opset)
        self.errors: list[ErrorEntry] = []
        self.kernel: Callable[..., Any] | None = None
        self.class_of: Callable[[str], str] = str
        self.around: tuple[Reraised, ...] = ()
        self._unless: list[OnnxValue] = []

    # --- checks --------------------------------------------------------------------------------------------------------------

    def check(self, ok: OnnxValue, exception: str, *arguments: Any) -> None:
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
    def only_if(self, condition: OnnxValue) -> Iterator[None]:
        """Checks in here fail only where `condition`, bool[], holds."""
        self._unless.append(self.Not(condition))
        try:
            yield
        finally:
            self._unless.pop()

    def fault(self) -> OnnxValue:
        """The code of the first check of the innermost graph that fails, int64[], or FINE."""
        if self.scope.codes:
            self.scope.codes[:] = [self._least(self.scope.codes)]
        return self.scope.codes[0] if self.scope.codes else self.const(FINE)

    def goes_on(self, again: OnnxValue) -> OnnxValue:
        """Whether a loop of the user's has another turn: none after a failed check, since it might never end.

        A turn of a loop begins only where no check around that loop has failed.
        """
        codes: list[OnnxValue] = []
        for scope in reversed(self.scopes):
            codes += scope.codes
            if scope.is_turn:
                break
        return self.And(again, self.Equal(self._least(codes), FINE)) if codes else again

    def _least(self, codes: Sequence[OnnxValue]) -> OnnxValue:
        return codes[0] if len(codes) == 1 else self.Min(*codes)

    @property
    def repeats(self) -> bool:
        """Whether what is written now is in a loop."""
        return any(scope.is_turn for scope in self.scopes)

    # --- graphs --------------------------------------------------------------------------------------------------------------

    @contextmanager
    def inner(self, scope: Scope | None = None) -> Iterator[Scope]:
        """A graph in this one, which sees its values; `scope`: one that was begun before."""
        self.scopes.append(scope or Scope())
        try:
            yield self.scope
        finally:
            self.scopes.pop()

    def own(self, x: OnnxValue, taken: set[str]) -> OnnxValue:
        """`x` as an output of the innermost graph: a copy where another graph gives it, or it is an output already."""
        if x.name not in self.scope.given or x.name in taken:
            x = OnnxValue(self.node("Identity", x.as_tensor()).name, x.type)
        taken.add(x.name)
        return x

    def branch(self, condition: OnnxValue, *arms: Callable[[], Sequence[OnnxValue]]) -> list[OnnxValue]:
        """What the first arm gives where `condition`, bool[], holds, what the second gives elsewhere: an If, or both computed."""
        if condition.item is not None:
            return [*arms[0 if condition.item else 1]()]
        scopes, given = [], []
        for arm in arms:
            with self.inner() as scope:
                given.append([*arm()])
            scopes.append(scope)
        if all(map(is_cheap, scopes, given)):
            for scope in scopes:
                self.scope.take(scope)
            return [selected(self, condition, *pair) for pair in zip(*given)]
        checked, only_may_fail = any(scope.codes for scope in scopes), any(scope.kept for scope in scopes)
        graphs = []
        for name, scope, values in zip(("then", "else"), scopes, given):
            with self.inner(scope):
                taken: set[str] = set()
                values += [self.fault()] if checked else [self.const(False)] if only_may_fail else []
                values[:] = [self.own(x, taken) for x in values]
                graphs.append(scope.graph(name, [], [(x.name, x.type) for x in values]))
        types = [protos.merged([x.type for x in pair]) for pair in zip(*given)]
        found = self._region("If", [condition], types, then_branch=graphs[0], else_branch=graphs[1])
        self.scope.kept.update(x.name for x in found[-1:] if only_may_fail)
        self.scope.codes += [found.pop()] if checked else []
        return found[:-1] if only_may_fail and not checked else found

    def loop(
        self,
        trips: OnnxValue | None,
        condition: OnnxValue | None,
        carried: Sequence[OnnxValue],
        types: Sequence[OnnxType],
        turn: Callable[..., tuple[OnnxValue, Sequence[OnnxValue], Sequence[OnnxValue]]],
        count: int | None = None,
    ) -> list[OnnxValue]:
        """A Loop: `turn(number, *carried)` gives the condition of the next turn, what it carries, and what is stacked.

        trips: how many turns at most, int64[]. condition: bool[], whether there is a first turn. types: those of what is carried.
        count: how many turns there are, unless a check fails, which ends the loop. Returned are the last values carried, and
        behind them the stacked ones, one row per turn.
        """
        begins = None if condition is None else self.goes_on(condition)
        with self.inner(Scope(is_turn=True)) as scope:
            number, going = (OnnxValue(self.names.fresh(hint), kind) for hint, kind in (("turn", _CODE), ("going", _TRUTH)))
            arguments = [OnnxValue(self.names.fresh("carried"), type_) for type_ in types]
            again, values, rows = turn(number, *arguments)
            if scope.kept and not values and not rows:
                rows = [self.const(True)]  # so that there is an output to keep the Loop for
            faults = [self.fault()] if scope.codes else []
            before = [OnnxValue(self.names.fresh("fault"), _CODE) for _ in faults]  # FINE: another turn would not have begun
            taken: set[str] = set()
            outputs = [self.own(x, taken) for x in (self.goes_on(again), *values, *faults, *rows)]
            inputs = [(x.name, x.type) for x in (number, going, *arguments, *before)]
            declared = [_TRUTH, *types, *(_CODE for _ in faults), *(x.type for x in rows)]
            graph = scope.graph("body", inputs, [(x.name, type_) for x, type_ in zip(outputs, declared)])
        turns = None if any(around.codes for around in (scope, *self.scopes)) else count
        stacked = [Array(x.dtype, None if x.shape is None else (turns, *x.shape)) for x in rows]
        start = [*carried, *(self.const(FINE) for _ in faults)]
        found = self._region("Loop", [trips, begins, *start], [*types, *(_CODE for _ in faults), *stacked], body=graph)
        self.scope.kept.update(x.name for x in found[:1] if scope.kept)
        self.scope.codes += [found.pop(len(types)) for _ in faults]
        return found
