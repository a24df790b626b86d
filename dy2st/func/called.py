"""A gradient function where it has no Program of its own: called in plain Python, or while another Program is recorded."""

from __future__ import annotations

from collections.abc import Callable

from ..api.autograd import enable_grad, grad, is_grad_enabled
from ..api.creation import zeros_like
from ..errors import TraceError
from ..ops.cast import assign
from ..ops.dispatch import recorder_of_mode
from ..runtime.convert.calls.calls import convert_call
from ..runtime.recorder.recorder import Recorder
from ..runtime.tensors.call_hook import current_observer
from ..runtime.tensors.tensor import Tensor


def gradients_of_call(function: Callable, args: tuple, kwargs: dict, asked: list[Tensor]) -> list[Tensor]:
    """The gradients of the number that `function(*args, **kwargs)` gives; these can be differentiated again.

    asked: the arguments whose gradients are wanted, as made by `separate`. TypeError: it gives something else. TraceError: a
    TracedModule is being traced.
    """
    rec = recorder_of_mode()
    if rec is None and current_observer() is not None:
        raise TraceError(
            "func.grad is computed on the tape here, which the graph of a TracedModule doesn't hold: trace the function itself, "
            "and call func.grad outside"
        )
    with enable_grad():
        result = (function if rec is None else convert_call(function))(*args, **kwargs)
        if not isinstance(result, Tensor) or result.shape != [] or not result.is_floating_point():
            shown = result.type if isinstance(result, Tensor) else type(result).__name__
            raise TypeError(f"a gradient is that of one floating-point number, not of {shown}")
        found = _on_tape(result, asked) if rec is None else _recorded(rec, result, asked)
    return found if is_grad_enabled() else [g.detach() for g in found]


def separate(x: Tensor) -> Tensor:
    """A tensor with the elements of x, which a gradient reaches wherever x came from."""
    if x.is_staged or not x.stop_gradient:
        with enable_grad():
            return assign(x)
    leaf = x.detach()
    leaf.stop_gradient = False
    return leaf


def _on_tape(result: Tensor, asked: list[Tensor]) -> list[Tensor]:
    gradients = grad(result, asked, create_graph=True, allow_unused=True)
    return [zeros_like(x) if g is None else g for x, g in zip(asked, gradients)]


def _recorded(rec: Recorder, result: Tensor, asked: list[Tensor]) -> list[Tensor]:
    from ..passes.backward.recorded import gradients_of, or_zeros  # only who trains in a static function needs it

    return [or_zeros(rec, g, x) for x, g in zip(asked, gradients_of(rec, [result], [None], asked, create_graph=True))]
