"""How arguments are recorded: those before `*` by position, those after it by name, defaults included."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from ..annotations import signature_of as plain_signature
from ..runtime.tensors.call_hook import TAKES_OUT

_KINDS = inspect.Parameter
_MISSING = object()
_POSITIONAL = (_KINDS.POSITIONAL_ONLY, _KINDS.POSITIONAL_OR_KEYWORD)


class Signature(inspect.Signature):
    """A signature that knows whether each argument may come by position or by name."""

    @cached_property
    def defaults(self) -> dict[str, Any] | None:
        """The defaults by name, `empty` where there is none; None where a parameter is taken in one way only."""
        parts = self.parameters.values()
        in_both_ways = all(part.kind is _KINDS.POSITIONAL_OR_KEYWORD for part in parts)
        return {part.name: part.default for part in parts} if in_both_ways else None


@lru_cache(maxsize=4096)
def signature_of(function: Callable) -> Signature | None:
    """The signature, without `name`, which says nothing, and `out`, a write of its own; None for a function that doesn't tell."""
    try:
        found = plain_signature(function)
    except (TypeError, ValueError):
        return None
    parts = [part for part in found.parameters.values() if part.name != "out" or not hasattr(function, TAKES_OUT)]
    by_place = [part for part in parts if part.kind in _POSITIONAL]
    if by_place and by_place[-1].name == "name" and by_place[-1].default is None:
        parts.remove(by_place[-1])
    return Signature(parts, return_annotation=found.return_annotation)


def normal_arguments(signature: Signature | None, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments as a graph records them; TypeError as Python raises it."""
    if signature is None:
        return args, kwargs
    if "name" in kwargs and "name" not in signature.parameters and not _takes_any(signature):
        kwargs = {key: value for key, value in kwargs.items() if key != "name"}
    if signature.defaults is not None:
        by_place = dict(zip(signature.defaults, args))
        given = {**signature.defaults, **by_place, **kwargs}
        if len(given) == len(signature.defaults) and len(by_place) == len(args) and by_place.keys().isdisjoint(kwargs):
            if not any(value is signature.empty for value in given.values()):
                return tuple(given.values()), {}
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args, {key: value for key, value in sorted(bound.kwargs.items()) if key != "out" or value is not None}


def _takes_any(signature: Signature) -> bool:
    return any(p.kind is _KINDS.VAR_KEYWORD for p in signature.parameters.values())


def named_arguments(signature: Signature | None, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Parameter name -> argument."""
    if signature is None:
        return {str(k): value for k, value in enumerate(args)} | kwargs
    bound = signature.bind(*args, **kwargs)
    return dict(bound.arguments)


@dataclass
class ArgSpec:
    """The parameters of a traced forward, `self` first; `args` may be appended to when the graph gets a further input."""

    args: list[str]
    varargs: str | None = None
    varkw: str | None = None
    defaults: list[Any] = field(default_factory=list)
    kwonlyargs: list[str] = field(default_factory=list)
    kwonlydefaults: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(signature: Signature) -> ArgSpec:
        """What a signature without `self` says."""
        parts = list(signature.parameters.values())
        first = [p for p in parts if p.kind in _POSITIONAL]
        only = [p for p in parts if p.kind is _KINDS.KEYWORD_ONLY]
        return ArgSpec(
            args=["self", *(p.name for p in first)],
            varargs=next((p.name for p in parts if p.kind is _KINDS.VAR_POSITIONAL), None),
            varkw=next((p.name for p in parts if p.kind is _KINDS.VAR_KEYWORD), None),
            defaults=[p.default for p in first if p.default is not p.empty],
            kwonlyargs=[p.name for p in only],
            kwonlydefaults={p.name: p.default for p in only if p.default is not p.empty},
        )

    def __post_init__(self) -> None:
        self.declared = len(self.args)  # names behind these are of inputs that were added later

    def copy(self) -> ArgSpec:
        made = replace(
            self,
            args=list(self.args),
            defaults=list(self.defaults),
            kwonlyargs=list(self.kwonlyargs),
            kwonlydefaults=dict(self.kwonlydefaults),
        )
        made.declared = self.declared
        return made

    def signature(self) -> Signature:
        """The signature of the traced forward, without `self`."""
        names = self.args[1 : self.declared]
        without = len(names) - len(self.defaults)
        defaults = [_KINDS.empty] * without + self.defaults
        parts = [_KINDS(n, _KINDS.POSITIONAL_OR_KEYWORD, default=d) for n, d in zip(names, defaults)]
        if self.varargs:
            parts.append(_KINDS(self.varargs, _KINDS.VAR_POSITIONAL))
        for name in self.kwonlyargs:
            parts.append(_KINDS(name, _KINDS.KEYWORD_ONLY, default=self.kwonlydefaults.get(name, _KINDS.empty)))
        if self.varkw:
            parts.append(_KINDS(self.varkw, _KINDS.VAR_KEYWORD))
        return Signature(parts)

    def take_added(self, count: int, args: tuple, kwargs: dict[str, Any]) -> tuple[list[Any], tuple, dict[str, Any]]:
        """The values of `count` added inputs, by name or behind the other positions, and the arguments that are left."""
        added, kwargs = [], dict(kwargs)
        names = self.args[self.declared : self.declared + count]
        names += [f"added input {k}" for k in range(len(names), count)]
        by_position = [name for name in names if name not in kwargs]
        first = max(len(args) - len(by_position), 0) if self.varargs else min(self.declared - 1, len(args))
        given = iter(args[first:])
        for name in names:
            added.append(kwargs.pop(name) if name in kwargs else next(given, _MISSING))
            if added[-1] is _MISSING:
                raise TypeError(f"missing a required argument: {name!r}")
        return added, args[:first] + tuple(given), kwargs
