"""Which Python function computes which operator of ONNX, by domain, name and version.

    @node("Gemm", since=7)
    def gemm(a: Tensor, b: Tensor, c: Tensor | None = None, *, alpha: float = 1.0, ...) -> Tensor:

What stands before the `*` are the inputs, what follows it the attributes; `outputs` is the number of outputs that the node has,
and `mark` the node itself. An annotation says how an input is wanted: `Ints` is a list of ints (staged ones where only the
Program knows them), `Int` a tensor of one element as an int, `Value` what flows along the edge as it is, the rest are Tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Ints = list[Any]
Int = Any
Value = Any


@dataclass(frozen=True)
class Implementation:
    """A function for an operator from a version on.

    wants: how each input is wanted; rest: how those of `*inputs` are. takes: the names of the attributes. is_control: it takes
    the node, the values as they are, and the scope that it stands in. folds: it is computed at once where all inputs are
    constants and the results small; never an operator that needs more memory than these, as convolutions do for their windows.
    """

    function: Callable
    since: int
    wants: tuple[str, ...]
    rest: str | None
    takes: frozenset[str]
    is_control: bool = False
    folds: bool = True


@dataclass
class Table:
    """Implementations by (domain, operator), the latest first; and those on arrays that staging knows."""

    functions: dict[tuple[str, str], list[Implementation]] = field(default_factory=dict)
    arrays: dict[str, Implementation] = field(default_factory=dict)

    def find(self, domain: str, name: str, version: int) -> Implementation | None:
        """The implementation for this version of an operator."""
        return next((one for one in self.functions.get((domain, name), ()) if one.since <= version), None)


TABLE = Table()


def node(
    *names: str, since: int = 1, domain: str = "", is_control: bool = False, folds: bool = True
) -> Callable[[Callable], Callable]:
    """The decorated function computes these operators, from the version `since` on. The others are as of `Implementation`."""

    def note(function: Callable) -> Callable:
        made = _implementation(function, since, is_control, folds)
        for name in names:
            known = TABLE.functions.setdefault((domain, name), [])
            known.append(made)
            known.sort(key=lambda one: -one.since)
        return function

    return note


def on_arrays(*names: str) -> Callable[[Callable], Callable]:
    """The decorated function computes these operators where all inputs are arrays, also of staged ints; None: it can't."""

    def note(function: Callable) -> Callable:
        TABLE.arrays.update(dict.fromkeys(names, _implementation(function, 1, False, False)))
        return function

    return note


def _implementation(function: Callable, since: int, is_control: bool, folds: bool) -> Implementation:
    parameters = inspect.signature(function).parameters.values()
    told = {p.name: str(p.annotation).partition(" ")[0] for p in parameters}
    wants = tuple(told[p.name] for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)
    rest = next((told[p.name] for p in parameters if p.kind is p.VAR_POSITIONAL), None)
    takes = frozenset(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)
    return Implementation(function, since, wants, rest, takes, is_control, folds)
