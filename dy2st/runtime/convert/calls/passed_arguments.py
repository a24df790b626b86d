"""The argument of each parameter of a function, where only the Program knows how many arguments there are.

That is asked when the Program runs: the third is `xs[2] if len(xs) > 2 else default`.
"""

from __future__ import annotations

import inspect
import types
from typing import Any

from ....annotations import signature_of
from ....ops.registry import lookup
from ...control.rest_arguments import Rest
from ...heap.heap import Poison
from ...library import arguments, variadic
from ...proxies import StagedDict, StagedList
from ...recorder.recorder import Recorder
from ..iteration.collecting import convert_dict
from ..operations.ifelse import convert_ifexp
from .calls import convert_call

P = inspect.Parameter


class Given:
    """The arguments of one call: `args` and `kwargs` are what to call the function with.

    known: the first ones by position; items: the list of the others; named: those by keyword; more: the dict of the others.
    """

    def __init__(self, rec: Recorder, function: types.FunctionType, args: tuple, named: dict, more: StagedDict | None):
        first = next((i for i, a in enumerate(args) if type(a) is Poison), len(args))
        self.rec, self.known, self.named, self.more = rec, args[:first], named, more
        self.items: StagedList | None = rec.heap.rebuilt(list(args[first:])) if first < len(args) else None
        every = signature_of(function, follow_wrapped=False).parameters.values()
        by_position = [p for p in every if p.kind in (P.POSITIONAL_ONLY, P.POSITIONAL_OR_KEYWORD)]
        by_name = [p for p in every if p.kind is P.KEYWORD_ONLY]
        expected = _expected(function, by_position, by_name, {p.kind for p in every})
        convert_call(arguments.check)(expected, self._count(), tuple(named), more if more is not None else {})
        self.args = tuple(self._at(i, p) for i, p in enumerate(by_position))
        self.kwargs = {p.name: self._by_name(p) for p in by_name}
        if expected.has_rest or expected.has_more:
            self.args += (Rest(self._rest(len(by_position)), self._others(expected), function),)

    def _count(self) -> Any:
        return len(self.known) + (0 if self.items is None else self.items.length())

    def _at(self, position: int, parameter: inspect.Parameter) -> Any:
        """The argument of the parameter at `position`: by position, else by name."""
        if position < len(self.known):
            return self.known[position]
        items, position = self.items, position - len(self.known)
        if items is None:
            return self._by_name(parameter)
        is_else_missing = not self._may_be_named(parameter) and parameter.default is P.empty
        if is_else_missing:
            return items[position]
        return convert_ifexp(items.length() > position, lambda: items[position], lambda: self._by_name(parameter))

    def _may_be_named(self, parameter: inspect.Parameter) -> bool:
        return parameter.kind is not P.POSITIONAL_ONLY and (parameter.name in self.named or self.more is not None)

    def _by_name(self, parameter: inspect.Parameter) -> Any:
        """The argument of a parameter by name, or its default."""
        name, more = parameter.name, self.more
        if not self._may_be_named(parameter):
            return None if parameter.default is P.empty else parameter.default  # None: `check` has raised
        if name in self.named or more is None:
            return self.named[name]
        if parameter.default is P.empty:
            return more[name]
        return convert_ifexp(more.contains(name), lambda: more[name], lambda: parameter.default)

    def _rest(self, count: int) -> Any:
        """The arguments by position behind the first `count`."""
        known = self.known[count:]
        if self.items is None:
            return known
        behind = lookup("sequence.from_list")(self.items[max(count - len(self.known), 0) :])
        return known + behind if known else behind

    def _others(self, expected: arguments.Parameters) -> Any:
        """The arguments by keyword that no parameter is for."""
        taken = expected.by_keyword()
        named = {name: value for name, value in self.named.items() if name not in taken}
        if self.more is None:
            return self.rec.new(named)
        others = convert_call(arguments.others)(self.more, taken)
        return convert_dict(others, **named) if named else others


def _expected(function: types.FunctionType, by_position: list, by_name: list, kinds: set) -> arguments.Parameters:
    """What is asked of the arguments when the Program runs."""
    name = function.__qualname__
    return arguments.Parameters(
        name,
        name if function in variadic.VARIADIC.values() else f"{function.__module__}.{name}",
        tuple(p.name for p in by_position if p.kind is P.POSITIONAL_ONLY),
        tuple(p.name for p in by_position),
        tuple(p.name for p in by_position if p.default is P.empty),
        tuple(p.name for p in by_name),
        tuple(p.name for p in by_name if p.default is P.empty),
        P.VAR_POSITIONAL in kinds,
        P.VAR_KEYWORD in kinds,
    )
