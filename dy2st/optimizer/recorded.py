"""A step of an optimizer, recorded: one operator per parameter, which writes into the parameter and its slots.

The learning rate and the gradients are what each call finds; everything else about the optimizer is constant.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..errors import StagedValueError
from ..ir.types import FLOAT, INT
from ..ops.creation import zeros_like
from ..regularizer import L1Decay
from ..runtime.heap.journal import Attribute
from ..runtime.recorder.recorder import Recorder, current_recorder
from ..runtime.tensors.grad_mode import enable_grad, no_grad
from ..runtime.tensors.tensor import Tensor


def outside(method: Callable) -> Callable:
    """A method that changes Python numbers, which a Program doesn't follow: it is refused while a function is staged."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        rec = current_recorder()
        if rec is not None:
            what = f"{type(self).__name__}.{method.__name__}()"
            raise StagedValueError(f"{rec.here()}: {what} in a static function would run once, while staging; call it outside")
        return method(self, *args, **kwargs)

    return call


def decayed(gradient: Any, value: Any, decay: Any) -> Any:
    """A gradient with that of the weight decay, a coefficient or an L1Decay, of arrays and of Tensors."""
    return gradient + (decay.gradient(value) if isinstance(decay, L1Decay) else value * decay)


def record_step(rec: Recorder, optimizer: Any) -> None:
    """`optimizer.step()` while a function is staged."""
    if type(optimizer)._update is not _base(optimizer)._update:
        raise StagedValueError(f"{rec.here()}: step() of {type(optimizer).__name__}, which updates arrays; call it outside")
    steps, rate_at = Attribute(optimizer, "_steps"), _where_the_rate_is(rec, optimizer)
    rec.follow([(steps, INT), (rate_at, FLOAT)])
    step: Any = rec.live(steps, INT)
    rec.write(steps, step + 1)
    rate = rec.live(rate_at, FLOAT)
    rec.follow_gradients([p for p in optimizer._parameter_list if not p.stop_gradient])
    for group in optimizer._groups:
        for p in group["params"]:
            rec.facts.guards.read_flag(p)
        pairs = [(p, p.grad) for p in group["params"] if not p.stop_gradient]
        if group["grad_clip"] is not None:
            pairs = _clipped(rec, group["grad_clip"], pairs)
        for p, gradient in pairs:
            _record_one(rec, optimizer, p, gradient, rate, group)


def _base(optimizer: Any) -> Any:
    return next(cls for cls in type(optimizer).__mro__ if cls.__name__ == "Optimizer")


def _where_the_rate_is(rec: Recorder, optimizer: Any) -> Attribute:
    """Where each call finds the learning rate: the optimizer's own, or the last of its scheduler."""
    given = optimizer._learning_rate
    if not hasattr(given, "__dict__"):
        return Attribute(optimizer, "_learning_rate")
    rec.facts.guards.read(optimizer, None, ("_learning_rate",))
    if "last_lr" not in vars(given):
        raise StagedValueError(
            f"{rec.here()}: step() in a static function takes a learning rate that is a number, or a scheduler that keeps it as "
            f"`last_lr`, not {type(given).__name__}; call step() outside"
        )
    return Attribute(given, "last_lr")


def _clipped(rec: Recorder, clip: Any, pairs: list) -> list:
    """Clipped gradients: as if those were zeros that turn out to be None, which they stay."""
    pairs = [(p, g) for p, g in pairs if g is not None]
    filled = [(p, _on_either(rec, g, functools.partial(_or_zeros, p))) for p, g in pairs]
    clipped = [g for _, g in clip.clipped(filled)]
    return [(p, _on_either(rec, g, functools.partial(_if_any, to))) for (p, g), to in zip(pairs, clipped)]


def _or_zeros(p: Tensor, gradient: Any) -> Any:
    return zeros_like(p) if gradient is None else gradient


def _if_any(clipped: Any, gradient: Any) -> Any:
    return None if gradient is None else clipped


def _on_either(rec: Recorder, gradient: Any, function: Callable[[Any], Any]) -> Any:
    """`function` of a gradient, or of each that it may be."""
    return function(gradient) if isinstance(gradient, Tensor) else rec.on_alternatives(gradient, function)


def _record_one(rec: Recorder, optimizer: Any, p: Tensor, gradient: Any, rate: Any, group: dict) -> None:
    if gradient is not None and not isinstance(gradient, Tensor):  # which of both, the call finds
        rec.on_alternatives(gradient, lambda g: _record_one(rec, optimizer, p, g, rate, group))
    elif gradient is not None:
        decay, factor = optimizer._decay_of(p, group), optimizer._factor_of(p, group)
        if decay:
            with no_grad():
                gradient = decayed(gradient, p, decay)
        settings = optimizer._settings(p, optimizer._decoupled_decay_of(p, group))
        slots = optimizer._slots_of(p) if optimizer._slots else {}
        for name, slot in slots.items():  # by which they are known in files
            rec.parameter(slot, f"{rec.parameter(p).name}.{name}")
        with enable_grad():  # written past what the gradients of the Program see
            optimizer._rule(p, gradient, *slots.values(), rate=rate if factor == 1.0 else rate * factor, **settings)
