"""torch.autograd.Function in converted code: its forward is converted, its backward runs as it is for each backward pass."""

from __future__ import annotations

from functools import cache
from types import MethodType, SimpleNamespace
from typing import Any

from ..api.converted import converted
from ..autograd.py_layer import PyLayer, PyLayerContext
from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..runtime.tensors.tensor import Tensor
from .packages import torch
from .through import through_torch
from .values import leaves, mapped


def is_apply(function: Any) -> bool:
    """Whether it is the `apply` of a torch.autograd.Function."""
    is_bound = type(function) is MethodType and function.__name__ == "apply"
    return is_bound and isinstance(function.__self__, type(torch().autograd.Function))


def applied(function: Any, *args: Any) -> Any:
    """function.apply(*args). ConversionError: a list or dict of tensors among them, to which torch gives no gradients."""
    if any(isinstance(x, Tensor) for arg in args if not isinstance(arg, Tensor) for x in leaves(arg)):
        said = f"{function.__name__}.apply takes tensors within a list, through which no gradient flows; give each by itself"
        raise ConversionError(f"{recorder_of_mode().here()}: {said}")
    return _layer(function).apply(*args)


@cache
def _layer(function: Any) -> type[PyLayer]:
    """The PyLayer that computes what a torch.autograd.Function does."""
    is_apart = function.setup_context is not torch().autograd.function._SingleLevelFunction.setup_context

    class Layer(PyLayer):
        @staticmethod
        def forward(ctx: PyLayerContext, *args: Any, **kwargs: Any) -> Any:
            vars(ctx)["tensors"] = tuple(place for place, x in enumerate(args) if isinstance(x, Tensor))
            if not is_apart:
                return converted(function.forward)(ctx, *args)
            result = converted(function.forward)(*args)
            converted(function.setup_context)(ctx, args, result)
            return result

        @staticmethod
        def backward(ctx: PyLayerContext, *gradients: Any) -> Any:
            places, kept = vars(ctx)["tensors"], [vars(ctx), *gradients]
            reached: list[int] = []

            def given(*tensors: Any) -> list[Any]:
                known = {id(x): tensor for x, tensor in zip(operands, tensors)}
                state, *weights = [mapped(lambda x: known.get(id(x), x), value) for value in kept]
                context = SimpleNamespace(**state, saved_tensors=state["_saved"], needs_input_grad=_Always())
                result = function.backward(context, *weights)
                found = [(result if isinstance(result, tuple) else (result,))[k] for k in places]
                reached[:] = [k for k, x in enumerate(found) if x is not None]
                return [x for x in found if x is not None]

            operands = list({id(x): x for x in leaves(kept) if isinstance(x, Tensor)}.values())
            results = through_torch(given, operands)
            found = dict(zip(reached, results))
            return tuple(found.get(k) for k in range(len(places)))

    Layer.__qualname__ = function.__qualname__
    return Layer


class _Always:
    """ctx.needs_input_grad: what nobody asks for is computed, too."""

    def __getitem__(self, place: int) -> bool:
        return True
