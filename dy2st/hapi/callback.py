"""Callback: what is told how far a Model is; and all of them together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import Model


class Callback:
    """Base of the callbacks, also of the user's: methods that are called at the points that their names say.

    `model` is the Model, `params` a dict: "epochs", "steps", "verbose", "metrics" (names), "batch_size". `logs` is a dict: the
    loss, a list of numbers, and the metrics by their names; "step" and "batch_size" of the batch. `self.model.stop_training =
    True` ends the training after the epoch.
    """

    model: Model
    params: dict[str, Any]

    def set_params(self, params: dict[str, Any]) -> None:
        """Take `params`, a dict that says what is going to be done."""
        self.params = params

    def set_model(self, model: Model) -> None:
        """Take the `model` that is at work."""
        self.model = model

    def on_train_begin(self, logs: dict | None = None) -> None:
        """Before the first epoch. logs: an empty dict."""

    def on_train_end(self, logs: dict | None = None) -> None:
        """After the last epoch. logs: a dict of its last batch."""

    def on_eval_begin(self, logs: dict | None = None) -> None:
        """Before an evaluation. logs: a dict of "steps" (an int or None) and "metrics" (names)."""

    def on_eval_end(self, logs: dict | None = None) -> None:
        """After an evaluation. logs: a dict of its result."""

    def on_predict_begin(self, logs: dict | None = None) -> None:
        """Before predictions. logs: a dict of "steps" (an int or None)."""

    def on_predict_end(self, logs: dict | None = None) -> None:
        """After predictions. logs: a dict of the last batch."""

    def on_epoch_begin(self, epoch: int, logs: dict | None = None) -> None:
        """Before an epoch of training. epoch: its number, from 0. logs: an empty dict."""

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        """After an epoch of training. epoch: its number, from 0. logs: a dict of its last batch."""

    def on_train_batch_begin(self, step: int, logs: dict | None = None) -> None:
        """Before a batch of training. step: its number in the epoch, from 0. logs: a dict of the batch before."""

    def on_train_batch_end(self, step: int, logs: dict | None = None) -> None:
        """After a batch of training. step: its number in the epoch, from 0. logs: a dict of the batch."""

    def on_eval_batch_begin(self, step: int, logs: dict | None = None) -> None:
        """Before a batch of an evaluation. step: its number, from 0. logs: a dict of the batch before."""

    def on_eval_batch_end(self, step: int, logs: dict | None = None) -> None:
        """After a batch of an evaluation. step: its number, from 0. logs: a dict of the batch."""

    def on_predict_batch_begin(self, step: int, logs: dict | None = None) -> None:
        """Before a batch of predictions. step: its number, from 0. logs: a dict of the batch before."""

    def on_predict_batch_end(self, step: int, logs: dict | None = None) -> None:
        """After a batch of predictions. step: its number, from 0. logs: a dict of the batch."""

    def _close(self) -> None:
        """Leave nothing open, also where an error has ended the work."""


class Callbacks:
    """All callbacks of one piece of work, told in their order."""

    def __init__(self, callbacks: Sequence[Callback], model: Model, params: dict[str, Any]):
        self._callbacks = callbacks
        for callback in callbacks:
            callback.set_params(params)
            callback.set_model(model)

    def tell(self, event: str, *args: Any) -> None:
        """Call the method `on_<event>` of each."""
        for callback in self._callbacks:
            getattr(callback, f"on_{event}")(*args)

    @contextmanager
    def at_work(self) -> Iterator[Callbacks]:
        """The block of the work: it may end by an error."""
        with ExitStack() as stack:
            for callback in self._callbacks:
                stack.callback(callback._close)
            yield self
