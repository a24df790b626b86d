"""Functions of torch's tensors on the tape: the gradients of such a function are a function of torch's tensors again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ops.registry import OpDef
from ..runtime.tensors.grad_mode import is_grad_enabled
from ..runtime.tensors.tape import record
from ..runtime.tensors.tensor import Tensor
from .packages import torch
from .values import array_of, torch_of


def through_torch(function: Callable[..., Sequence[Any]], operands: Sequence[Tensor]) -> list[Tensor]:
    """function(*operands), which takes and gives tensors of torch's."""
    records = is_grad_enabled() and not all(x.stop_gradient for x in operands)
    with torch().set_grad_enabled(records):
        found = function(*map(_leaf if records else torch_of, operands))
    results = [Tensor(array_of(x), stop_gradient=not (records and x.requires_grad)) for x in found]
    if records:
        node = record(_THROUGH, [*operands, None], [*(x._data for x in operands), function], {})
        for index, x in enumerate(results):
            x._node = None if x.stop_gradient else (node, index)
            node.add_result(x._data, x._writes)
    return results


def _leaf(x: Tensor) -> Any:
    return torch_of(x) if x.stop_gradient else torch_of(x).detach().requires_grad_()


def _gradients(ctx: Any, *weights: Tensor | None) -> tuple:
    """The gradients of the operands, by torch's autograd: they are functions of the operands and the weights."""
    *operands, function = ctx.inputs
    arrived = [i for i, w in enumerate(weights) if w is not None]
    asked = [i for i, need in enumerate(ctx.needs[:-1]) if need]
    reached: list[int] = []

    def gradients(*tensors: Any) -> list[Any]:
        again = torch().is_grad_enabled()
        taken = [x if x.requires_grad or i not in asked else x.detach().requires_grad_() for i, x in enumerate(tensors)]
        with torch().enable_grad():
            results = function(*taken[: len(operands)])
        pairs = [(results[i], w) for i, w in zip(arrived, taken[len(operands) :]) if results[i].requires_grad]
        inputs = [taken[i] for i in asked]
        ends, starts = [x for x, _ in pairs], [w for _, w in pairs]
        found = torch().autograd.grad(ends, inputs, starts, create_graph=again, allow_unused=True)
        reached[:] = [i for i, g in zip(asked, found) if g is not None]
        return [g for g in found if g is not None]

    made = through_torch(gradients, [*operands, *(w for w in weights if w is not None)])
    known = dict(zip(reached, made))
    return (*(known.get(i) for i in range(len(operands))), None)


_THROUGH = OpDef("a torch.autograd.Function", kernel=lambda x: x, infer=lambda x: x, grad=_gradients, grad_of_some=True)
