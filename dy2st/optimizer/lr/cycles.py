"""Learning rates that go up and down, or follow how well training goes: OneCycleLR, CyclicLR, ReduceOnPlateau."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..recorded import outside
from .decays import LRScheduler


class OneCycleLR(LRScheduler):
    """Up to max_learning_rate in the part `phase_pct` of total_steps, and down to end_learning_rate in the rest.

    It starts at max_learning_rate / divide_factor; with `three_phase` it goes down the way it came first. See Smith and Topin,
    2017. anneal_strategy: "cos" or "linear". last_epoch, verbose and errors as in `LRScheduler`. ValueError: another strategy, a
    phase_pct outside [0, 1] (with three_phase, from 0.5 on), total_steps that isn't positive, or, in `get_lr`, a step beyond
    them.
    """

    def __init__(
        self, max_learning_rate: float, total_steps: int, divide_factor: float = 25.0, end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3, anneal_strategy: str = "cos", three_phase: bool = False, last_epoch: int = -1,
        verbose: bool = False,
    ):  # fmt: skip
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"OneCycleLR: anneal_strategy is 'cos' or 'linear', not {anneal_strategy!r}")
        if not 0 <= phase_pct <= 1 or (three_phase and phase_pct >= 0.5):
            raise ValueError(f"OneCycleLR: phase_pct must be from 0 to 1, with three_phase below 0.5, not {phase_pct}")
        if total_steps <= 0:
            raise ValueError(f"OneCycleLR: total_steps must be positive, not {total_steps}")
        start, top = max_learning_rate / divide_factor, phase_pct * total_steps - 1
        self.total_steps, self.anneal_strategy = total_steps, anneal_strategy
        self._rates = [start, max_learning_rate, *([start] if three_phase else []), float(end_learning_rate)]
        self._ends = [top, *([2 * top] if three_phase else []), total_steps - 1]
        super().__init__(start, last_epoch, verbose)

    def get_lr(self) -> float:
        t = self.last_epoch
        if t > self.total_steps:
            raise ValueError(f"OneCycleLR: step {t} is beyond the {self.total_steps} steps in all")
        phase = min(sum(t > end for end in self._ends), len(self._ends) - 1)
        begin = self._ends[phase - 1] if phase else 0
        part = (t - begin) / (self._ends[phase] - begin)
        low, high = self._rates[phase], self._rates[phase + 1]
        return low + (high - low) * (part if self.anneal_strategy == "linear" else (1 - math.cos(math.pi * part)) / 2)


class CyclicLR(LRScheduler):
    """Up from base_learning_rate to max_learning_rate in step_size_up and down in step_size_down, again and again (Smith, 2015).

    step_size_down: step_size_up where None. mode: triangular; triangular2 (half as high each time); exp_range (exp_gamma^t as
    high); or `scale_fn` of the number of the cycle, or of the step (scale_mode "iterations"), says how high. last_epoch, verbose
    and errors as in `LRScheduler`. ValueError: another mode or scale_mode, or a step size that isn't positive.
    """

    def __init__(
        self, base_learning_rate: float, max_learning_rate: float, step_size_up: int, step_size_down: int | None = None,
        mode: str = "triangular", exp_gamma: float = 1.0, scale_fn: Callable | None = None, scale_mode: str = "cycle",
        last_epoch: int = -1, verbose: bool = False,
    ):  # fmt: skip
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError(f"CyclicLR: mode is 'triangular', 'triangular2' or 'exp_range', not {mode!r}")
        if scale_mode not in ("cycle", "iterations"):
            raise ValueError(f"CyclicLR: scale_mode is 'cycle' or 'iterations', not {scale_mode!r}")
        self.max_lr, self.mode, self.exp_gamma, self.scale_fn = float(max_learning_rate), mode, exp_gamma, scale_fn
        self.scale_mode = scale_mode
        down = step_size_up if step_size_down is None else step_size_down
        if min(step_size_up, down) <= 0:
            raise ValueError("CyclicLR: step_size_up and step_size_down must be positive")
        self.cycle_size, self.step_up_pct = step_size_up + down, step_size_up / (step_size_up + down)
        super().__init__(base_learning_rate, last_epoch, verbose)

    def _height(self, cycle: int) -> float:
        if self.scale_fn is not None:
            return self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        heights = {"triangular": 1.0, "triangular2": 2.0 ** (1 - cycle), "exp_range": self.exp_gamma**self.last_epoch}
        return heights[self.mode]

    def get_lr(self) -> float:
        cycle = 1 + self.last_epoch // self.cycle_size
        part = 1 + self.last_epoch / self.cycle_size - cycle
        up = part / self.step_up_pct if part <= self.step_up_pct else (1 - part) / (1 - self.step_up_pct)
        return self.base_lr + (self.max_lr - self.base_lr) * up * self._height(cycle)


class ReduceOnPlateau(LRScheduler):
    """The rate times `factor`, where `step(metrics)` hasn't got better for more than `patience` times.

    mode: whether smaller ("min") or larger ("max") is better; `threshold` says by how much: a part or a number (threshold_mode
    "rel" or "abs"). cooldown: so many steps after a change don't count. min_lr: the least rate; epsilon: the least change.
    learning_rate, verbose and errors as in `LRScheduler`. ValueError: another mode or threshold_mode, or a factor from 1 on.
    """

    _kept = ("cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr")

    def __init__(
        self, learning_rate: float, mode: str = "min", factor: float = 0.1, patience: int = 10, threshold: float = 1e-4,
        threshold_mode: str = "rel", cooldown: int = 0, min_lr: float = 0, epsilon: float = 1e-8, verbose: bool = False,
    ):  # fmt: skip
        if mode.lower() not in ("min", "max"):
            raise ValueError(f"ReduceOnPlateau: mode is 'min' or 'max', not {mode!r}")
        if threshold_mode.lower() not in ("rel", "abs"):
            raise ValueError(f"ReduceOnPlateau: threshold_mode is 'rel' or 'abs', not {threshold_mode!r}")
        if factor >= 1.0:
            raise ValueError(f"ReduceOnPlateau: factor must be below 1, not {factor}")
        self.mode, self.factor, self.patience, self.threshold = mode.lower(), factor, patience, threshold
        self.threshold_mode, self.cooldown, self.min_lr, self.epsilon = threshold_mode.lower(), cooldown, min_lr, epsilon
        self.cooldown_counter, self.num_bad_epochs = 0, 0
        self.best: float | None = None
        super().__init__(learning_rate, 0, verbose)

    def _start(self) -> None:
        """The first rate is the given one."""

    @outside
    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Take note of how well the epoch went: a number, or a tensor or array of one element."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        found = np.asarray(metrics)
        if found.size != 1 or found.dtype.kind not in "fiu":
            raise TypeError(f"ReduceOnPlateau.step takes one number, not {type(metrics).__name__} of shape {list(found.shape)}")
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        value = float(found.reshape(()))
        if self.best is None or self._is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            rate = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - rate > self.epsilon:
                self._set(rate)

    def _is_better(self, value: float, best: float) -> bool:
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        return value < best - margin if self.mode == "min" else value > best + margin
