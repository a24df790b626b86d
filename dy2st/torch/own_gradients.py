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
from .values import array_of, leaves, mapped, torch_of


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
            kept = {name: mapped(_torchs, value) for name, value in vars(ctx).items()}
            context = SimpleNamespace(**kept, saved_tensors=kept["_saved"], needs_input_grad=_Always())
            with torch().no_grad():
                given = function.backward(context, *map(_torchs, gradients))
            found = given if isinstance(given, tuple) else (given,)
            return tuple(None if found[k] is None else Tensor(array_of(found[k])) for k in kept["tensors"])

    Layer.__qualname__ = function.__qualname__
    return Layer


class _Always:
    """ctx.needs_input_grad: what nobody asks for is computed, too."""

    def __getitem__(self, place: int) -> bool:
        return True


def _torchs(value: Any) -> Any:
    return torch_of(value) if isinstance(value, Tensor) else value
