"""Gradients through a Program: a call of it is one node of the tape.

A Program without effects runs as if nobody wanted a gradient; should one be asked for, it runs once more on what it was given,
now on the tape. From then on, and where it can't be run twice (it draws random numbers, or writes what outlives the call), it
runs on the tape at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..ir.core import Program
from ..ir.effects import EffectAnalysis
from ..ir.native import SHARED, parts
from ..ops.registry import OPERATORS, OpDef
from ..runtime import autograd
from ..runtime.aliases import current_history
from ..runtime.grad_mode import enable_grad, is_grad_enabled
from ..runtime.tape import record
from ..runtime.taped import Taped
from ..runtime.tensor import Tensor

_OUTSIDE = ("outside", "param", "state")


class Gradients:
    """How gradients flow through one Function of a Program, on the tensors that are its parameters."""

    def __init__(
        self,
        program: Program,
        function: str,
        tensors: Mapping[str, Tensor],
        exceptions: Mapping[str, type[BaseException]] | None = None,
    ):
        self.program, self.function = program, function
        self.tensors, self.exceptions = tensors, exceptions
        self._asked = False

    def wanted(self, inputs: Sequence) -> bool:
        """Whether plain Python's result would have a gradient."""
        if not is_grad_enabled():
            return False
        given = (x for x in inputs if isinstance(x, Tensor))
        return any(not t.stop_gradient for t in (*self.tensors.values(), *given))

    @property
    def at_once(self) -> bool:
        """Whether the Program runs on the tape at once."""
        return self._asked or self._acts

    @cached_property
    def _acts(self) -> bool:
        """Whether another run would be seen, or would give something else."""
        analysis = EffectAnalysis(self.program, OPERATORS)
        effects = analysis.functions[self.function]
        roots = {root[0] for group in effects.writes for root in analysis.aliases.roots.get(group, ())}
        return bool(self.program.state) or effects.random or effects.io or not roots.isdisjoint(_OUTSIDE)

    def run_taped(self, inputs: list, state: dict[str, Any]) -> Any:
        """The result on the tape: in native form, with Tensors in the place of arrays."""
        taped = Taped(self.program, self.tensors, state, self.exceptions)
        return taped.run(self.function, [x if isinstance(x, Tensor) else Tensor(np.asarray(x)) for x in inputs])

    def attach(self, result: Any, inputs: list) -> Callable[[np.ndarray], Tensor]:
        """What makes the Tensors of a native result, whose gradients will be found by another run on the tape."""
        given = [x if isinstance(x, Tensor) else Tensor(np.asarray(x)) for x in inputs]
        operands = [*given, *self.tensors.values()]
        for x in operands:
            current_history(x)
        node = record(_STATIC, [*operands, None], [*(x._data for x in operands), self], {})
        made: dict[int, Tensor] = {}
        for index, array in enumerate(floating(result)):
            tensor = made.setdefault(id(array), Tensor(array, stop_gradient=False))
            tensor._node = tensor._node or (node, index)
            node.add_result(array, tensor._writes)
        return lambda array: made[id(array)] if id(array) in made else Tensor(array)

    def once_more(self, tensors: list[Tensor], needs: Sequence[bool], weights: Sequence[Tensor]) -> list:
        """The gradients of operands of the node, by a run on the tape."""
        self._asked = True
        create_graph = is_grad_enabled()
        with enable_grad():
            for x, need in zip(tensors, needs):
                x.stop_gradient = not need
            count = len(tensors) - len(self.tensors)
            again = Gradients(self.program, self.function, dict(zip(self.tensors, tensors[count:])), self.exceptions)
            results = floating(again.run_taped(tensors[:count], {}))
            wanted = [x for x, need in zip(tensors, needs) if need]
            found = iter(autograd.grad(results, wanted, list(weights), create_graph=create_graph, allow_unused=True))
        return [next(found) if need else None for need in needs]


def _rule(ctx: Any, *weights: Tensor) -> tuple:
    *tensors, gradients = ctx.inputs
    return (*gradients.once_more(tensors, ctx.needs[:-1], weights), None)


_STATIC = OpDef("static function", kernel=lambda x: x, infer=lambda x: x, grad=_rule)


def floating(value: Any) -> list:
    """The floating-point arrays, or Tensors, of a native value, in order; a container counts once."""
    return list(_floating(value, set()))


def _floating(value: Any, seen: set[int]) -> Iterator[Any]:
    if isinstance(value, np.ndarray | Tensor):
        array = value._data if isinstance(value, Tensor) else value
        if array.dtype.kind in "fc":
            yield value
        return
    if isinstance(value, SHARED):
        if id(value) in seen:
            return
        seen.add(id(value))
    for part in parts(value):
        yield from _floating(part, seen)
