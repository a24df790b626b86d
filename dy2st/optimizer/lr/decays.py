"""Learning rates that follow the number of epochs (or steps), under Paddle's names: an optimizer takes one as `learning_rate`.

`scheduler.step()` goes on by one epoch, `scheduler()` is the rate now; `get_lr()` computes it from `last_epoch` and `base_lr`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..recorded import outside


class LRScheduler:
    """Base of the schedulers, also of the user's, who define `get_lr()`. Called, a scheduler gives the learning rate now.

    learning_rate: the number that `get_lr` starts from, its `base_lr`; ValueError where negative, TypeError for another kind.
    last_epoch: the epoch before the first, -1 where training begins. verbose: print each rate.

    >>> rate = dy2st.optimizer.lr.StepDecay(1.0, step_size=1, gamma=0.5)
    >>> rate.step(); rate()
    0.5
    """

    _kept: tuple[str, ...] = ("last_epoch", "last_lr")

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False):
        name = type(self).__name__
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)):
            raise TypeError(f"{name}: learning_rate must be a number, not {type(learning_rate).__name__}")
        if learning_rate < 0:
            raise ValueError(f"{name}: learning_rate must not be negative, unlike {learning_rate}")
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch, self.verbose = last_epoch, verbose
        self._start()

    def _start(self) -> None:
        """Set the rate of the first epoch: also in a static function, where a schedule that is made anew is a constant."""
        step = type(self).step
        getattr(step, "__wrapped__", step)(self)

    def __call__(self) -> float:
        """The learning rate now."""
        return self.last_lr

    @outside
    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, or to `epoch`. StagedValueError in a static function."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set(self.get_lr())

    def _set(self, rate: float) -> None:
        self.last_lr = rate
        if self.verbose:
            print(f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to {rate}.")

    def get_lr(self) -> float:
        """The learning rate of `last_epoch`, a float. NotImplementedError: a class that doesn't define it."""
        raise NotImplementedError(f"{type(self).__name__} must define get_lr()")

    def state_dict(self) -> dict[str, Any]:
        """Where the scheduler is: a dict of numbers by name."""
        return {name: getattr(self, name) for name in self._kept}

    @outside
    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from what `state_dict` of a scheduler of this kind gave. RuntimeError: it lacks a name."""
        for name in self._kept:
            if name not in state_dict:
                raise RuntimeError(f"{type(self).__name__}: the state has no {name!r}")
            setattr(self, name, state_dict[name])

    set_dict = set_state_dict


def _positive(owner: Any, what: str, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError(f"{type(owner).__name__}: {what} must be a positive int, not {value!r}")
    return value


class NoamDecay(LRScheduler):
    """rate * d_model^-0.5 * min(t^-0.5, t * warmup_steps^-1.5), for epoch t (Vaswani et al., 2017).

    d_model, warmup_steps: ints. learning_rate, last_epoch, verbose and errors as in `LRScheduler`.
    """

    def __init__(
        self, d_model: int, warmup_steps: int, learning_rate: float = 1.0, last_epoch: int = -1, verbose: bool = False
    ):
        self.d_model, self.warmup_steps = d_model, warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        t = self.last_epoch
        return self.base_lr * self.d_model**-0.5 * min(1 if t == 0 else t**-0.5, t * self.warmup_steps**-1.5)


class PiecewiseDecay(LRScheduler):
    """values[i] before boundaries[i], the last value after all boundaries: lists of numbers and of epochs.

    last_epoch and verbose as in `LRScheduler`. ValueError: not just one value more than boundaries.
    """

    def __init__(self, boundaries: Any, values: Any, last_epoch: int = -1, verbose: bool = False):
        if len(values) != len(boundaries) + 1:
            raise ValueError(f"PiecewiseDecay: {len(boundaries)} boundaries go with one value more, not {len(values)}")
        self.boundaries, self.values = list(boundaries), list(values)
        super().__init__(0.1, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.values[sum(self.last_epoch >= b for b in self.boundaries)]


class _Decay(LRScheduler):
    """A rate that one factor `gamma` makes smaller."""

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False):
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)


class NaturalExpDecay(_Decay):
    """rate * exp(-gamma * t), for epoch t. learning_rate, last_epoch, verbose and errors as in `LRScheduler`."""

    def get_lr(self) -> float:
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(_Decay):
    """rate / (1 + gamma * t), for epoch t. learning_rate, last_epoch, verbose and errors as in `LRScheduler`."""

    def get_lr(self) -> float:
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class ExponentialDecay(_Decay):
    """rate * gamma^t, for epoch t. learning_rate, last_epoch, verbose and errors as in `LRScheduler`."""

    def get_lr(self) -> float:
        return self.base_lr * self.gamma**self.last_epoch


class StepDecay(LRScheduler):
    """rate * gamma^(t // step_size), for epoch t. learning_rate, last_epoch, verbose and errors as in `LRScheduler`.

    ValueError: a step_size that isn't a positive int.
    """

    def __init__(
        self, learning_rate: float, step_size: int, gamma: float = 0.1, last_epoch: int = -1, verbose: bool = False
    ):
        self.step_size, self.gamma = _positive(self, "step_size", step_size), gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma ** (self.last_epoch // self.step_size)


class MultiStepDecay(LRScheduler):
    """rate * gamma^n, where n of the milestones, epochs in increasing order, are reached.

    learning_rate, last_epoch, verbose and errors as in `LRScheduler`. ValueError: milestones that don't increase.
    """

    def __init__(
        self, learning_rate: float, milestones: Any, gamma: float = 0.1, last_epoch: int = -1, verbose: bool = False
    ):
        if list(milestones) != sorted(set(milestones)):
            raise ValueError(f"MultiStepDecay: milestones must increase, unlike {milestones}")
        self.milestones, self.gamma = list(milestones), gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma ** sum(self.last_epoch >= m for m in self.milestones)


class LambdaDecay(LRScheduler):
    """rate * lr_lambda(t), for epoch t. learning_rate, last_epoch, verbose and errors as in `LRScheduler`.

    TypeError: an lr_lambda that isn't callable.
    """

    def __init__(self, learning_rate: float, lr_lambda: Callable, last_epoch: int = -1, verbose: bool = False):
        if not callable(lr_lambda):
            raise TypeError(f"{type(self).__name__}: lr_lambda must be a function, not {type(lr_lambda).__name__}")
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(LambdaDecay):
    """rate * lr_lambda(1) * ... * lr_lambda(t), for epoch t. Arguments and errors as in `LambdaDecay`."""

    def get_lr(self) -> float:
        return self.base_lr * math.prod(self.lr_lambda(t) for t in range(1, self.last_epoch + 1))


class PolynomialDecay(LRScheduler):
    """From rate to end_lr in decay_steps, as (1 - t / decay_steps)^power; with `cycle` over longer and longer stretches.

    learning_rate, last_epoch, verbose and errors as in `LRScheduler`. ValueError: a power that isn't positive, or decay_steps
    that is no positive int.
    """

    def __init__(
        self, learning_rate: float, decay_steps: int, end_lr: float = 0.0001, power: float = 1.0, cycle: bool = False,
        last_epoch: int = -1, verbose: bool = False,
    ):  # fmt: skip
        if power <= 0:
            raise ValueError(f"PolynomialDecay: power must be positive, not {power}")
        self.decay_steps, self.end_lr = _positive(self, "decay_steps", decay_steps), end_lr
        self.power, self.cycle = power, cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        t, steps = self.last_epoch, self.decay_steps
        if self.cycle:
            steps *= max(math.ceil(t / steps), 1)
        return (self.base_lr - self.end_lr) * (1 - min(t, steps) / steps) ** self.power + self.end_lr


class LinearLR(LRScheduler):
    """rate times a factor that goes from start_factor to end_factor in total_steps.

    learning_rate, last_epoch, verbose and errors as in `LRScheduler`. ValueError: a factor outside [0, 1], a start_factor of 0,
    or total_steps that is no positive int.
    """

    def __init__(
        self, learning_rate: float, total_steps: int, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
        last_epoch: int = -1, verbose: bool = False,
    ):  # fmt: skip
        if not 0 < start_factor <= 1:
            raise ValueError(f"LinearLR: start_factor must be above 0 and at most 1, not {start_factor}")
        if not 0 <= end_factor <= 1:
            raise ValueError(f"LinearLR: end_factor must be from 0 to 1, not {end_factor}")
        self.total_steps = _positive(self, "total_steps", total_steps)
        self.start_factor, self.end_factor = start_factor, end_factor
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        part = min(self.last_epoch, self.total_steps) / self.total_steps
        return self.base_lr * (self.start_factor + (self.end_factor - self.start_factor) * part)


class LinearWarmup(LRScheduler):
    """From start_lr to end_lr in warmup_steps; then `learning_rate`, a number or a scheduler, which starts there.

    last_epoch, verbose and errors as in `LRScheduler`. ValueError: an end_lr that isn't above start_lr, or warmup_steps that is
    no positive int. TypeError: another learning_rate.
    """

    def __init__(
        self, learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float, last_epoch: int = -1, verbose: bool = False
    ):
        if not isinstance(learning_rate, (int, float, LRScheduler)):
            raise TypeError(f"LinearWarmup: learning_rate is a number or a scheduler, not {type(learning_rate).__name__}")
        if end_lr <= start_lr:
            raise ValueError(f"LinearWarmup: end_lr {end_lr} must be above start_lr {start_lr}")
        self.learning_rate, self.warmup_steps = learning_rate, _positive(self, "warmup_steps", warmup_steps)
        self.start_lr, self.end_lr = start_lr, end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch < self.warmup_steps:
            return (self.end_lr - self.start_lr) * self.last_epoch / self.warmup_steps + self.start_lr
        if not isinstance(self.learning_rate, LRScheduler):
            return self.learning_rate
        self.learning_rate.step(self.last_epoch - self.warmup_steps)
        return self.learning_rate()

    def state_dict(self) -> dict[str, Any]:
        found = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            found["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return found

    @outside
    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().set_state_dict(state_dict)
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.set_state_dict(state_dict["LinearWarmup_LR"])


class CosineAnnealingDecay(LRScheduler):
    """From rate to eta_min in T_max as half a cosine, and back (Loshchilov and Hutter, 2016).

    learning_rate, last_epoch, verbose and errors as in `LRScheduler`. ValueError: a T_max that is no positive int.
    """

    def __init__(
        self, learning_rate: float, T_max: int, eta_min: float = 0, last_epoch: int = -1, verbose: bool = False
    ):
        self.T_max, self.eta_min = _positive(self, "T_max", T_max), float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """From rate to eta_min in T_0 as half a cosine, again and again, each time T_mult times as long.

    See Loshchilov and Hutter, 2016. learning_rate, last_epoch, verbose and errors as in `LRScheduler`. ValueError: a T_0 or
    T_mult that is no positive int.
    """

    def __init__(
        self, learning_rate: float, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1, verbose: bool = False
    ):
        self.T_0, self.T_mult, self.eta_min = _positive(self, "T_0", T_0), _positive(self, "T_mult", T_mult), eta_min
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        t, length = self.last_epoch, self.T_0
        while t >= length:
            t, length = t - length, length * self.T_mult
        return self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * t / length)) / 2
