"""ProgBarLogger: the lines that a Model prints, and its progress."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from numbers import Real
from typing import Any

from ..progress import Progress, set_aside, working
from .arguments import count, listed
from .callback import Callback


def verbosity(owner: str, value: Any) -> int:
    """0, 1 or 2. ValueError: anything else."""
    if value not in (0, 1, 2):
        raise ValueError(f"{owner}: verbose is 0 (nothing), 1 (the progress) or 2 (lines), not {value!r}")
    return value


class ProgBarLogger(Callback):
    """Prints a line with the loss and the metrics after each epoch and each evaluation.

    log_freq: every how many batches there is a line, where verbose is 2. verbose: 0 prints nothing. 1 shows the progress
    meanwhile, on a terminal and in a notebook. 2 prints lines meanwhile. The loss is that of the last batch, metrics are of all
    batches of the epoch, as in Paddle. ValueError: another verbose, or a log_freq that isn't a positive int.
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2):
        self.log_freq = count("ProgBarLogger", "log_freq", log_freq)
        self.verbose = verbosity("ProgBarLogger", verbose)
        self._stack = ExitStack()

    def on_epoch_begin(self, epoch: int, logs: dict | None = None) -> None:
        epochs = self.params["epochs"]
        self._begin(f"epoch {epoch + 1}" if epochs is None else f"epoch {epoch + 1}/{epochs}", self.params["steps"])

    def on_train_batch_end(self, step: int, logs: dict | None = None) -> None:
        self._advance(step, logs or {})

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        self._end(self._values(logs or {}))

    def on_eval_begin(self, logs: dict | None = None) -> None:
        self._begin("eval", (logs or {})["steps"])

    def on_eval_batch_end(self, step: int, logs: dict | None = None) -> None:
        self._advance(step, logs or {})

    def on_eval_end(self, logs: dict | None = None) -> None:
        self._end(self._values(logs or {}))

    def on_predict_begin(self, logs: dict | None = None) -> None:
        self._begin("predict", (logs or {})["steps"])

    def on_predict_batch_end(self, step: int, logs: dict | None = None) -> None:
        self._advance(step, logs or {})

    def on_predict_end(self, logs: dict | None = None) -> None:
        self._end(f" - samples: {self._samples}")

    def _begin(self, head: str, steps: int | None) -> None:
        self._head, self._steps, self._samples = head, steps, 0
        self._progress: Progress | None = None
        if self.verbose == 1:
            self._progress = self._stack.enter_context(working(head, steps, "steps"))

    def _advance(self, step: int, logs: dict) -> None:
        self._samples += logs["batch_size"]
        if self._progress is not None:
            self._progress.what = self._head + self._values(logs)
            self._progress.done += 1
        elif self.verbose == 2 and (step + 1) % self.log_freq == 0:
            of = "" if self._steps is None else f"/{self._steps}"
            _say(f"{self._head} - step {step + 1}{of}{self._values(logs)}")

    def _end(self, values: str) -> None:
        self._close()
        if self.verbose:
            _say(self._head + values)

    def _close(self) -> None:
        self._stack.close()

    def _values(self, logs: dict) -> str:
        return "".join(
            f" - {name}: {' '.join(map(_text, listed(logs[name])))}" for name in self.params["metrics"] if name in logs
        )


def _text(value: Any) -> str:
    """A number as short as it can be read."""
    if not isinstance(value, Real):
        return str(value)
    number = float(value)
    return f"{number:.4f}" if number == 0 or abs(number) >= 1e-3 else f"{number:.4e}"


def _say(text: str) -> None:
    with set_aside(sys.stdout):
        print(text, flush=True)
