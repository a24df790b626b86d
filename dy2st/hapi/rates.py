"""LRScheduler: the learning rate changes while a Model trains."""

from __future__ import annotations

from ..optimizer import lr
from .callback import Callback


class LRScheduler(Callback):
    """Calls `step()` of the optimizer's scheduler, where it has one. `Model.fit` does so after each batch without being told.

    by_step: after each batch. by_epoch: after each epoch. ValueError: both.
    """

    def __init__(self, by_step: bool = True, by_epoch: bool = False):
        if by_step and by_epoch:
            raise ValueError(
                "LRScheduler: by_step and by_epoch exclude each other; write LRScheduler(by_step=False, by_epoch=True)"
            )
        self.by_step, self.by_epoch = by_step, by_epoch

    def on_train_batch_end(self, step: int, logs: dict | None = None) -> None:
        if self.by_step:
            self._step()

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        if self.by_epoch:
            self._step()

    def _step(self) -> None:
        scheduler = getattr(self.model._optimizer, "_learning_rate", None)
        if isinstance(scheduler, lr.ReduceOnPlateau):
            raise TypeError(
                "LRScheduler: ReduceOnPlateau.step takes what is watched: call it in a Callback of your own, and give "
                "LRScheduler(by_step=False) as well"
            )
        if isinstance(scheduler, lr.LRScheduler):
            scheduler.step()
