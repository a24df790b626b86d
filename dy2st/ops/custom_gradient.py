"""Results whose gradient is a function of the user's own (`autograd.PyLayer`).

    y = custom_gradient(y', x, kept, gradients=..., results=1, inputs=1)

y is y', which was computed without a history; the gradient of x is what `gradients` makes of that of y and of what was kept. In
a Program `gradients` is a name in GRADIENTS: Python code, which no file holds, and which runs as it is, once for each backward
pass. So there is no backward Program: where a gradient is asked for, the Program runs on the tape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import Dy2stError
from .registry import define

GRADIENTS: dict[str, Callable[[list, list], list]] = {}  # name -> gradients(kept, gradients of the results)


def _kernel(*values: Any, results: int, inputs: int, gradients: str) -> Any:
    copies = tuple(np.array(value) for value in values[:results])
    return copies if results > 1 else copies[0]


def _infer(*types: Any, results: int, inputs: int, gradients: str) -> Any:
    return types[:results] if results > 1 else types[0]


def _grad(ctx: Any, *weights: Any) -> tuple:
    results, inputs, gradients = ctx.attrs["results"], ctx.attrs["inputs"], ctx.attrs["gradients"]
    if any(getattr(weight, "is_staged", False) for weight in weights):
        raise Dy2stError("the backward of a PyLayer is Python code that runs for each backward pass")
    if isinstance(gradients, str):
        if gradients not in GRADIENTS:
            name = gradients.partition("#")[0]
            raise Dy2stError(
                f"the backward of {name} is Python code, which a saved model doesn't hold; train the model that it was saved from"
            )
        gradients = GRADIENTS[gradients]
    kept = [_with_history(x, ctx, results) for x in ctx.inputs[results + inputs :]]
    return (*weights, *gradients(kept, list(weights)), *(None for _ in kept))


def _with_history(x: Any, ctx: Any, results: int) -> Any:
    """What was kept; a result that was kept is the result, as gradients of gradients go through it."""
    for before, result in zip(ctx.inputs[:results], ctx.outputs):
        if x is not None and not result.stop_gradient and getattr(x, "_writes", x) is before._writes and x.shape == before.shape:
            return result
    return x


def _onnx(g: Any, *values: Any, results: int, inputs: int, gradients: str) -> Any:
    why = f"the backward of {str(gradients).partition('#')[0]} is Python code, which a graph doesn't hold"
    return tuple(g.without_gradient(x, values[results : results + inputs], why) for x in values[:results])


custom_gradient = define("custom_gradient", kernel=_kernel, infer=_infer, grad=_grad, row_major=None, onnx=_onnx)
