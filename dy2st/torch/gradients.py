"""Calls that take part in torch's autograd: one torch.autograd.Function for each call of a Program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from .. import autograd
from ..api.autograd import no_grad
from ..runtime.tensors.tensor import Tensor
from .crossing import Crossing, tensors_in
from .face import Size
from .mirror import Tensors
from .packages import torch
from .state import State
from .values import array_of, torch_of


def called(
    function: Callable, args: tuple, kwargs: dict, parameters: Sequence[Any], tensors: Tensors, state: State
) -> Any:
    """function(*args, **kwargs), which takes Tensors of dy2st's, for tensors of torch's. state: where it may leave some."""
    given = tensors_in((args, kwargs), torch().Tensor)
    wanted = [x for x in (*given, *parameters) if x.requires_grad] if torch().is_grad_enabled() else []
    made = {id(x): Tensor(array_of(x), stop_gradient=not (wanted and x.requires_grad)) for x in given}
    crossing = Crossing((args, kwargs), (torch().Tensor, torch().Size), lambda x: made[id(x)] if id(x) in made else Size(x))
    own = {id(made[id(x)]): x for x in given}  # a tensor that is handed on stays itself
    taken, named = crossing.tree
    with nullcontext() if torch().is_grad_enabled() else no_grad():
        result = function(*taken, **named)
    found = {id(x): x for x in (*tensors_in((result, crossing.tree), Tensor), *state.tensors()) if id(x) not in own}
    outputs = list(found.values())
    if wanted and outputs:
        sources = [made[id(x)] if id(x) in made else tensors.of(x) for x in wanted]
        own |= zip(found, _function(outputs, sources).apply(*wanted))
    else:
        own |= {key: torch_of(x) for key, x in found.items()}
    state.replace(lambda x: own[id(x)])
    return crossing.hand_back(result, Tensor, lambda x: own[id(x)])


def _function(outputs: list[Tensor], sources: list[Any]) -> Any:
    """The autograd.Function of one call: it gives `outputs`, and takes gradients back to `sources`."""

    class Call(torch().autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *given: Any) -> Any:
            found = tuple(map(torch_of, outputs))
            ctx.mark_non_differentiable(*(x for x, output in zip(found, outputs) if output.stop_gradient))
            return found

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            pairs = [(x, Tensor(array_of(g))) for x, g in zip(outputs, gradients) if not x.stop_gradient and g is not None]
            ends, starts = [x for x, _ in pairs], [g for _, g in pairs]
            found = autograd.grad(ends, sources, starts, allow_unused=True, retain_graph=True)
            return tuple(None if g is None else torch_of(g) for g in found)

    return Call
