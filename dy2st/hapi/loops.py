"""Over all batches: training, evaluation and prediction with a Model, and what callbacks are told meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from ..runtime.tensors.tensor import Tensor
from .callback import Callbacks
from .data import fields, length, samples

if TYPE_CHECKING:
    from .model import Model

Compute = Callable[[int, list[Tensor]], dict[str, Any]]


@dataclass
class Training:
    """How long a training takes: so many epochs, or batches (`num_iters`), however many epochs these are."""

    batches: Any
    epochs: int
    num_iters: int | None
    accumulate: int

    def __post_init__(self) -> None:
        self.length = length(self.batches)
        if self.accumulate > 1 and self.length is None:
            raise ValueError(
                "fit: accumulate_grad_batches takes data whose length is known, as the last batch changes the parameters, too"
            )

    @property
    def steps(self) -> int | None:
        """The batches of an epoch; None where nobody knows."""
        return self.length if None in (self.length, self.num_iters) else min(self.length, self.num_iters)  # type: ignore[type-var]

    @property
    def all_epochs(self) -> int | None:
        """The epochs; None where nobody knows."""
        if self.num_iters is None:
            return self.epochs
        return -(-self.num_iters // self.length) if self.length else None


def train(model: Model, plan: Training, evaluation: Any, eval_freq: int, callbacks: Callbacks) -> None:
    """Train, and evaluate every `eval_freq` epochs where there is an `evaluation`."""
    left = plan.num_iters
    logs: dict[str, Any] = {}
    callbacks.tell("train_begin", {})
    for epoch in range(plan.epochs) if left is None else count():
        callbacks.tell("epoch_begin", epoch, {})
        logs = _train_epoch(model, plan, left, callbacks)
        callbacks.tell("epoch_end", epoch, logs)
        if evaluation is not None and epoch % eval_freq == 0:
            evaluate(model, evaluation, None, callbacks)
        if left is not None:
            left -= logs["step"] + 1
        if left == 0 or model.stop_training:
            break
    callbacks.tell("train_end", logs)


def _train_epoch(model: Model, plan: Training, left: int | None, callbacks: Callbacks) -> dict[str, Any]:
    last = plan.length if left is None or plan.length is None else min(plan.length, left)

    def compute(step: int, data: list[Tensor]) -> dict[str, Any]:
        update = (step + 1) % plan.accumulate == 0 or step + 1 == last
        return model._results(model.train_batch(*model._divided(data), update))

    model._reset_metrics()
    return _run(plan.batches, left, "train", compute, callbacks)


def evaluate(model: Model, batches: Any, num_iters: int | None, callbacks: Callbacks) -> dict[str, Any]:
    """The loss of the last batch, and the metrics of all."""

    def compute(step: int, data: list[Tensor]) -> dict[str, Any]:
        return model._results(model.eval_batch(*model._divided(data)))

    steps = length(batches)
    steps = steps if None in (steps, num_iters) else min(steps, num_iters)  # type: ignore[type-var]
    callbacks.tell("eval_begin", {"steps": steps, "metrics": model._metrics_name()})
    model._reset_metrics()
    logs = _run(batches, num_iters, "eval", compute, callbacks)
    callbacks.tell("eval_end", logs)
    return logs


def predict(model: Model, batches: Any, callbacks: Callbacks) -> list[list]:
    """The outputs of each batch."""
    outputs: list[list] = []

    def compute(step: int, data: list[Tensor]) -> dict[str, Any]:
        outputs.append(model.predict_batch(model._divided(data, with_labels=False)[0]))
        return {}

    callbacks.tell("predict_begin", {"steps": length(batches)})
    callbacks.tell("predict_end", _run(batches, None, "predict", compute, callbacks))
    return outputs


def _run(batches: Iterable, limit: int | None, mode: str, compute: Compute, callbacks: Callbacks) -> dict[str, Any]:
    """What is told of the last batch. ValueError: there is none."""
    logs: dict[str, Any] = {}
    for step, batch in enumerate(islice(batches, limit)):
        data = fields(batch)
        callbacks.tell(f"{mode}_batch_begin", step, logs)
        logs = {**compute(step, data), "step": step, "batch_size": samples(data)}
        callbacks.tell(f"{mode}_batch_end", step, logs)
    if not logs:
        raise ValueError(f"{mode}: the data gave no batch; a generator can be read once only, a DataLoader again and again")
    return logs
