"""Model: a network with what trains and judges it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ..api.autograd import no_grad
from ..metric import Metric
from ..nn.layer import Layer
from ..nn.parameter import Parameter
from ..optimizer import Optimizer
from ..runtime.tensors.spec import InputSpec
from ..runtime.tensors.tensor import Tensor
from . import loops, saved
from .arguments import count, listed, refuse_given
from .callback import Callback, Callbacks
from .checkpoints import EarlyStopping, ModelCheckpoint
from .data import fields, loader_of, refuse_unused
from .logger import ProgBarLogger, verbosity
from .rates import LRScheduler
from .step import array_of, input_count, losses_of, outputs_of, updated


class Model:
    """Trains, evaluates and runs `network`, a Layer, also a static or a loaded one.

    inputs: an InputSpec or a list of them, which say how many fields of a batch the network takes; where None, its forward says
    so. labels: the same of the other fields, which the loss and the metrics take. A batch is a list of both. TypeError: others.

    >>> model = dy2st.Model(dy2st.nn.Linear(2, 1))
    >>> model.prepare(dy2st.optimizer.SGD(0.1, parameters=model.parameters()), dy2st.nn.MSELoss())
    >>> data = dy2st.io.TensorDataset([dy2st.ones([8, 2]), dy2st.ones([8, 1])])
    >>> model.fit(data, batch_size=4, epochs=20, verbose=0)
    >>> model.evaluate(data, batch_size=8, verbose=0)["loss"][0] < 1e-4
    True
    """

    def __init__(self, network: Layer, inputs: Any = None, labels: Any = None):
        if not isinstance(network, Layer):
            raise TypeError(f"Model takes a paddle.nn.Layer, not {type(network).__name__}")
        self.network, self.mode, self.stop_training = network, "train", False
        self._inputs, self._labels = _specs("inputs", inputs), _specs("labels", labels)
        self._optimizer: Optimizer | None = None
        self._loss: Callable | None = None
        self._metrics: list[Metric] = []

    def prepare(self, optimizer: Any = None, loss: Any = None, metrics: Any = None, amp_configs: Any = None) -> None:
        """Say what trains and judges the network.

        optimizer: an Optimizer, for training. loss: a Layer or a function of the outputs and the labels. It gives one number or a
        list of them, whose sum is trained. metrics: a Metric or a list of them. TypeError: others. ValueError: amp_configs, since
        everything is computed in the network's own dtypes.
        """
        if amp_configs is not None and amp_configs != "O0":
            raise ValueError(f"prepare: amp_configs={amp_configs!r} would change nothing on the CPU; leave it out")
        if optimizer is not None and not isinstance(optimizer, Optimizer):
            raise TypeError(f"prepare: optimizer must be a paddle.optimizer.Optimizer, not {type(optimizer).__name__}")
        if loss is not None and (not callable(loss) or isinstance(loss, type)):
            raise TypeError(f"prepare: loss must be a Layer or a function, as nn.MSELoss(), not {loss!r}")
        for metric in listed(metrics):
            if not isinstance(metric, Metric):
                raise TypeError(f"prepare: metrics are paddle.metric.Metric, not {metric!r}")
        self._optimizer, self._loss, self._metrics = optimizer, loss, listed(metrics)

    # --- one batch -------------------------------------------------------------------------------------------------------

    def train_batch(self, inputs: Any, labels: Any = None, update: bool = True) -> Any:
        """Train with one batch. The result is a list of losses, as arrays; with metrics, a tuple of it and what they say, a list.

        inputs, labels: a tensor or array, or a list of them. update: False gathers gradients, and the next update uses them.
        RuntimeError: no optimizer or no loss was prepared. TypeError, ShapeError: a loss that isn't one number.
        """
        if self._optimizer is None or self._loss is None:
            raise RuntimeError("training takes an optimizer and a loss: call model.prepare(optimizer, loss) first")
        self._to_mode("train")
        outputs, labels = outputs_of(self.network, fields(listed(inputs))), fields(listed(labels))
        losses = losses_of(self._loss, outputs, labels)
        sum(losses[1:], losses[0]).backward()
        if update:
            self._optimizer.step()
            self._optimizer.clear_grad()
            self.network.clear_gradients()
        return self._judged(losses, outputs, labels)

    @no_grad()
    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Judge one batch. The result is as of `train_batch`, or what the metrics say alone, where there is no loss.

        inputs, labels: as there.

        RuntimeError: neither a loss nor metrics were prepared.
        """
        if self._loss is None and not self._metrics:
            raise RuntimeError("an evaluation takes a loss or metrics: call model.prepare(loss=..., metrics=...) first")
        self._to_mode("eval")
        outputs, labels = outputs_of(self.network, fields(listed(inputs))), fields(listed(labels))
        return self._judged([] if self._loss is None else losses_of(self._loss, outputs, labels), outputs, labels)

    @no_grad()
    def predict_batch(self, inputs: Any) -> list[np.ndarray]:
        """The outputs of the network for one batch, a list of arrays. inputs: a tensor or array, or a list of them.

        TypeError: an output that is no tensor.
        """
        self._to_mode("test")
        return [array_of("an output", output) for output in outputs_of(self.network, fields(listed(inputs)))]

    @no_grad()
    def _judged(self, losses: list[Tensor], outputs: list, labels: list[Tensor]) -> Any:
        """What `train_batch` and `eval_batch` give."""
        arrays, metrics = [array_of("a loss", loss) for loss in losses], updated(self._metrics, outputs, labels)
        if self._loss is None:
            return metrics
        return (arrays, metrics) if self._metrics else arrays

    def _to_mode(self, mode: str) -> None:
        self.mode, training = mode, mode == "train"
        if any(layer.training is not training for layer in self.network.sublayers(include_self=True)):
            self.network.train(training)  # not more often than that: static functions look whether a layer has changed

    def _divided(self, data: list[Tensor], with_labels: bool = True) -> tuple[list[Tensor], list[Tensor]]:
        """The inputs and the labels among the fields of a batch. ValueError: too few, or other labels than were said."""
        taken = input_count(self.network, self._inputs)
        if len(data) < taken:
            raise ValueError(f"{type(self.network).__name__} takes {taken} inputs, but a batch has {len(data)} fields")
        if with_labels and self._labels is not None and len(data) - taken != len(self._labels):
            raise ValueError(f"a batch has {len(data)} fields, not {taken} inputs and {len(self._labels)} labels")
        return data[:taken], data[taken:]

    # --- what is told ----------------------------------------------------------------------------------------------------

    def _metrics_name(self) -> list[str]:
        names = [] if self._loss is None else ["loss"]
        return names + [name for metric in self._metrics for name in listed(metric.name())]

    def _results(self, judged: Any) -> dict[str, Any]:
        """The losses of a batch, from what `train_batch` or `eval_batch` gave, and the metrics so far, by name."""
        found: dict[str, Any] = {}
        if self._loss is not None:
            found["loss"] = [float(loss) for loss in (judged[0] if self._metrics else judged)]
        for metric in self._metrics:
            found |= zip(listed(metric.name()), listed(metric.accumulate()))
        return found

    def _reset_metrics(self) -> None:
        for metric in self._metrics:
            metric.reset()

    # --- all batches -----------------------------------------------------------------------------------------------------

    def fit(
        self, train_data: Any = None, eval_data: Any = None, batch_size: int = 1, epochs: int = 1, eval_freq: int = 1,
        log_freq: int = 10, save_dir: Any = None, save_freq: int = 1, verbose: int = 2, drop_last: bool = False,
        shuffle: bool = True, num_workers: int = 0, callbacks: Any = None, accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
    ) -> None:  # fmt: skip
        """Train the network.

        train_data: a `paddle.io.Dataset`, or batches: a DataLoader or another iterable.
        eval_data: the same, evaluated every `eval_freq` epochs, after the first at first.
        batch_size, shuffle, drop_last, num_workers: how a Dataset is read. The order of a shuffle is Paddle's, and follows from
            the number of the epoch. Samples are read in this process, whatever num_workers says.
        epochs: how often all is read. num_iters: how many batches, in place of epochs, over as many epochs as it takes.
        accumulate_grad_batches: after how many batches the parameters change. The last batch always changes them.
        log_freq, verbose: what is printed, as `ProgBarLogger` takes it. save_dir, save_freq: as `ModelCheckpoint` takes it.
        callbacks: a Callback or a list of them. ProgBarLogger, ModelCheckpoint and LRScheduler are added, each where it is none
            of them.

        ValueError: a number out of range, data without batches, an argument that the data leaves no use for. TypeError: other
        data or callbacks. RuntimeError: no optimizer or no loss was prepared.
        """
        for name, value in {
            "epochs": epochs, "eval_freq": eval_freq, "save_freq": save_freq, "log_freq": log_freq, "batch_size": batch_size,
            "accumulate_grad_batches": accumulate_grad_batches, "num_iters": 1 if num_iters is None else num_iters,
        }.items():  # fmt: skip
            count("fit", name, value)
        if num_iters is not None and epochs != 1:
            raise ValueError(f"fit: num_iters says how long it takes, in place of epochs; leave epochs={epochs!r} out")
        refuse_unused("fit", [train_data, eval_data], batch_size=(batch_size, 1), num_workers=(num_workers, 0))
        refuse_unused("fit", [train_data], shuffle=(shuffle, True), drop_last=(drop_last, False))
        batches = loader_of("fit", train_data, batch_size, num_workers, shuffle, drop_last)
        evaluation = None if eval_data is None else loader_of("fit", eval_data, batch_size, num_workers)
        plan = loops.Training(batches, epochs, num_iters, accumulate_grad_batches)
        told = _saving(_with(_logged("fit", callbacks, log_freq, verbose), LRScheduler), save_freq, save_dir)
        if evaluation is None and _has(told, EarlyStopping):
            raise ValueError("fit: EarlyStopping looks at evaluations; give eval_data")
        params = self._params(verbose, batch_size, plan.all_epochs, plan.steps)
        self.stop_training = False
        with Callbacks(told, self, params).at_work() as at_work:
            loops.train(self, plan, evaluation, eval_freq, at_work)

    def evaluate(
        self, eval_data: Any, batch_size: int = 1, log_freq: int = 10, verbose: int = 2, num_workers: int = 0,
        callbacks: Any = None, num_iters: int | None = None,
    ) -> dict[str, Any]:  # fmt: skip
        """The loss of the last batch, a list of numbers, and the metrics of all batches: a dict, by name, as in Paddle.

        For the loss of all data, take a batch_size that holds it, or write a Metric. eval_data, batch_size, log_freq, verbose,
        num_workers, callbacks, errors: as of `fit`. num_iters: how many batches at most.
        """
        refuse_unused("evaluate", [eval_data], batch_size=(batch_size, 1), num_workers=(num_workers, 0))
        batches = loader_of("evaluate", eval_data, count("evaluate", "batch_size", batch_size), num_workers)
        if num_iters is not None:
            count("evaluate", "num_iters", num_iters)
        told = _logged("evaluate", callbacks, log_freq, verbose)
        with Callbacks(told, self, self._params(verbose, batch_size)).at_work() as at_work:
            logs = loops.evaluate(self, batches, num_iters, at_work)
        return {name: logs[name] for name in self._metrics_name()}

    def predict(
        self, test_data: Any, batch_size: int = 1, num_workers: int = 0, stack_outputs: bool = False, verbose: int = 1,
        callbacks: Any = None,
    ) -> list:  # fmt: skip
        """The outputs of the network: a list with, for each of them, a tuple of the arrays of all batches.

        test_data: as for `fit`; labels in it are left out. stack_outputs: one array for each output, batches below each other, in
        place of the tuple. batch_size, num_workers, verbose, callbacks, errors: as of `fit`.
        """
        refuse_unused("predict", [test_data], batch_size=(batch_size, 1), num_workers=(num_workers, 0))
        batches = loader_of("predict", test_data, count("predict", "batch_size", batch_size), num_workers)
        told = _logged("predict", callbacks, 1, verbose, usual=1)
        with Callbacks(told, self, self._params(verbose, batch_size)).at_work() as at_work:
            outputs = list(zip(*loops.predict(self, batches, at_work)))
        return [np.vstack(arrays) for arrays in outputs] if stack_outputs else outputs

    def _params(self, verbose: int, batch_size: int, epochs: int | None = None, steps: int | None = None) -> dict[str, Any]:
        """What callbacks are told of the work."""
        return {
            "batch_size": batch_size, "epochs": epochs, "steps": steps, "verbose": verbose, "metrics": self._metrics_name(),
        }  # fmt: skip

    # --- files -----------------------------------------------------------------------------------------------------------

    def parameters(self, *args: Any, **kwargs: Any) -> list[Parameter]:
        """The parameters of the network, a list. args, kwargs: as `Layer.parameters` takes them."""
        return self.network.parameters(*args, **kwargs)

    def save(self, path: Any, training: bool = True) -> None:
        """Save the parameters as `<path>.pdparams` and the optimizer's state as `<path>.pdopt`.

        training: False saves the network alone, as `jit.save` does, in the mode of evaluation; it runs without its source.
        ValueError: a path without a name, or no `inputs` for the network alone. Others: those of `dy2st.save` or `jit.save`.
        """
        path = _path("save", path)
        if training:
            saved.save_training(path, self.network, self._optimizer)
        else:
            saved.save_inference(path, self.network, self._inputs)

    def load(self, path: Any, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Take over what `save` wrote at this path: the parameters, and the optimizer's state where both have one.

        skip_mismatch: parameters that the file lacks, or has in another shape, stay as they are, with a warning; the optimizer
        too. reset_optimizer: the optimizer stays as it is. ValueError: such a parameter, or a path without a name.
        ModelFileError: the file can't be read.
        """
        saved.load_training(_path("load", path), self.network, None if reset_optimizer else self._optimizer, skip_mismatch)


def _specs(what: str, given: Any) -> list[InputSpec] | None:
    if given is None:
        return None
    found = listed(given)
    for spec in found:
        if not isinstance(spec, InputSpec):
            raise TypeError(f"Model: {what} is an InputSpec or a list of them, not {type(spec).__name__}")
    return found


def _logged(owner: str, callbacks: Any, log_freq: int, verbose: int, usual: int = 10) -> list[Callback]:
    """The callbacks, with one that prints. `usual` is the default of log_freq."""
    verbosity(owner, verbose)
    count(owner, "log_freq", log_freq)
    for callback in listed(callbacks):
        if not isinstance(callback, Callback):
            raise TypeError(f"{owner}: callbacks are paddle.callbacks.Callback, not {callback!r}")
    found = listed(callbacks)
    if _has(found, ProgBarLogger):
        refuse_given(owner, "ProgBarLogger", log_freq=(log_freq, usual))
    return _with(found, ProgBarLogger, log_freq, verbose)


def _saving(callbacks: list[Callback], save_freq: int, save_dir: Any) -> list[Callback]:
    """The callbacks, with one that saves; those that save the best know where."""
    for callback in callbacks:
        if isinstance(callback, EarlyStopping):
            callback.save_dir = save_dir
    if not _has(callbacks, ModelCheckpoint):
        return [*callbacks, ModelCheckpoint(save_freq, save_dir)]
    if not _has(callbacks, EarlyStopping):
        refuse_given("fit", "ModelCheckpoint", save_freq=(save_freq, 1), save_dir=(save_dir, None))
    return callbacks


def _has(callbacks: list[Callback], kind: type[Callback]) -> bool:
    return any(isinstance(callback, kind) for callback in callbacks)


def _with(callbacks: list[Callback], kind: type[Callback], *args: Any) -> list[Callback]:
    """The callbacks, before them one of a kind that isn't among them."""
    return callbacks if _has(callbacks, kind) else [kind(*args), *callbacks]


def _path(owner: str, path: Any) -> str:
    path = os.fspath(path)
    if not os.path.basename(path):
        raise ValueError(f"{owner}: the path is a folder and a name, as in 'out/net', not {path!r}")
    return path
