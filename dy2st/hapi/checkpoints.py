"""ModelCheckpoint and EarlyStopping: a Model is saved while it trains, and ends when it doesn't get better."""

from __future__ import annotations

import os
import sys
from typing import Any

from ..progress import set_aside
from .arguments import count
from .callback import Callback


class ModelCheckpoint(Callback):
    """Saves the model as `<save_dir>/<epoch>`, from epoch 0 on, and as `<save_dir>/final` at the end.

    save_freq: every how many epochs. save_dir: a folder; None saves nothing. `Model.fit(save_dir=...)` makes one itself.
    ValueError: a save_freq that isn't a positive int.
    """

    def __init__(self, save_freq: int = 1, save_dir: Any = None):
        self.save_freq, self.save_dir = count("ModelCheckpoint", "save_freq", save_freq), save_dir

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        if epoch % self.save_freq == 0:
            self._save(str(epoch))

    def on_train_end(self, logs: dict | None = None) -> None:
        self._save("final")

    def _save(self, name: str) -> None:
        if self.save_dir is not None:
            self.model.save(os.path.join(self.save_dir, name))


class EarlyStopping(Callback):
    """Ends the training when a result of the evaluations doesn't get better.

    monitor: "loss" or the name of a metric. mode: "min" or "max" says what is better; "auto" is "max" for names with "acc" in
    them. patience: how many evaluations in a row may bring nothing; 0 and 1 end at the first. verbose: 0 prints nothing.
    min_delta: by how much it must get better. baseline: what the first evaluation is compared with.
    save_best_model: save the best as `best_model` in the `save_dir` of `fit`.

    ValueError: another mode; a fit without eval_data, or results without `monitor`.
    """

    def __init__(
        self, monitor: str = "loss", mode: str = "auto", patience: int = 0, verbose: int = 1, min_delta: float = 0,
        baseline: float | None = None, save_best_model: bool = True,
    ):  # fmt: skip
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"EarlyStopping: mode is 'auto', 'min' or 'max', not {mode!r}")
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.min_delta, self.save_best_model = baseline, abs(min_delta), save_best_model
        self.save_dir: Any = None
        self._sign = 1 if mode == "max" or (mode == "auto" and "acc" in monitor) else -1

    def on_train_begin(self, logs: dict | None = None) -> None:
        self.best_value, self.wait_epoch, self.stopped_epoch = self.baseline, 0, 0

    def on_epoch_begin(self, epoch: int, logs: dict | None = None) -> None:
        self._epoch = epoch

    def on_eval_end(self, logs: dict | None = None) -> None:
        if self.monitor not in (found := logs or {}):
            raise ValueError(f"EarlyStopping: the evaluation gives {', '.join(self.params['metrics'])}, but no {self.monitor!r}")
        value = found[self.monitor]
        value = value[0] if isinstance(value, (list, tuple)) else value
        if self.best_value is None or self._sign * (value - self.best_value) > self.min_delta:
            self.best_value, self.wait_epoch = value, 0
            if self.save_best_model and self.save_dir is not None:
                self.model.save(os.path.join(self.save_dir, "best_model"))
            return
        self.wait_epoch += 1
        if self.wait_epoch >= self.patience:
            self.model.stop_training, self.stopped_epoch = True, self._epoch
            if self.verbose:
                with set_aside(sys.stdout):
                    print(f"epoch {self._epoch + 1}: stopped, as {self.monitor} doesn't get better", flush=True)
