"""What a Model can't do is said in words."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

DATA = paddle.io.TensorDataset([paddle.ones([6, 2]), paddle.zeros([6, 1])])
LOADER = paddle.io.DataLoader(DATA, batch_size=2)


class Endless(paddle.io.IterableDataset):
    def __iter__(self):
        while True:
            yield np.ones(2, "float32"), np.zeros(1, "float32")


class Open(paddle.nn.Linear):
    def forward(self, x, scale=1.0):
        return super().forward(x) * scale


def model_of(net=None, loss=None, **specs):
    net = net or paddle.nn.Linear(2, 1)
    model = paddle.Model(net, **specs)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), loss or paddle.nn.MSELoss())
    return model


NUMBERS = ("batch_size", "epochs", "eval_freq", "log_freq", "save_freq", "accumulate_grad_batches", "num_iters")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [0, -1, 1.5, True, "2"])
def test_numbers(name, value):
    with pytest.raises(ValueError, match=f"fit: {name} must be a positive int"):
        model_of().fit(DATA, **{name: value})


@pytest.mark.parametrize(
    "data, options, words",
    [
        (LOADER, {"batch_size": 4}, "batch_size is up to the DataLoader"),
        (LOADER, {"shuffle": False}, "shuffle is up to the DataLoader"),
        (LOADER, {"drop_last": True}, "drop_last is up to the DataLoader"),
        (LOADER, {"num_workers": 2}, "num_workers is up to the DataLoader"),
        (LOADER, {"eval_data": DATA, "shuffle": False}, "shuffle is up to the DataLoader"),
        (None, {}, "takes a paddle.io.Dataset, a DataLoader"),
        (paddle.ones([2, 2]), {}, "takes a paddle.io.Dataset.*not Tensor"),
        (DATA, {"verbose": 3}, "verbose is 0"),
        (DATA, {"callbacks": [print]}, "callbacks are paddle.callbacks.Callback"),
        (DATA, {"callbacks": paddle.callbacks.EarlyStopping()}, "give eval_data"),
        (DATA, {"eval_data": DATA, "callbacks": paddle.callbacks.EarlyStopping("acc")}, "gives loss, but no 'acc'"),
        (DATA, {"num_iters": 3, "epochs": 2}, "num_iters says how long it takes"),
        (DATA, {"log_freq": 3, "callbacks": paddle.callbacks.ProgBarLogger()}, "log_freq is up to the ProgBarLogger"),
        (DATA, {"save_dir": "out", "callbacks": paddle.callbacks.ModelCheckpoint()}, "save_dir is up to the ModelCheckpoint"),
        (Endless(), {}, "an IterableDataset has its own order"),
        (Endless(), {"shuffle": False, "accumulate_grad_batches": 2}, "whose length is known"),
        ([], {}, "the data gave no batch"),
        (iter(LOADER), {"epochs": 2}, "a generator can be read once only"),
        ([{"x": paddle.ones([1, 2])}], {}, "a list of inputs and labels, not a dict"),
        ([[]], {}, "Linear takes 1 inputs, but a batch has 0 fields"),
    ],
)
def test_what_fit_takes(data, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        model_of().fit(data, **{"verbose": 0, **options})


def test_batch_size_serves_the_one_that_is_a_data_set():
    model_of().fit(LOADER, DATA, batch_size=3, verbose=0)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"optimizer": "sgd"}, "optimizer must be a paddle.optimizer.Optimizer"),
        ({"loss": 1}, "loss must be a Layer or a function"),
        ({"loss": paddle.nn.MSELoss}, "loss must be a Layer or a function"),
        ({"metrics": ["acc"]}, "metrics are paddle.metric.Metric"),
        ({"amp_configs": "O1"}, "amp_configs='O1' would change nothing"),
    ],
)
def test_what_prepare_takes(arguments, words):
    with pytest.raises((TypeError, ValueError), match=words):
        paddle.Model(paddle.nn.Linear(2, 1)).prepare(**arguments)


def test_what_a_model_is_made_of():
    with pytest.raises(TypeError, match="takes a paddle.nn.Layer, not function"):
        paddle.Model(lambda x: x)
    with pytest.raises(TypeError, match="inputs is an InputSpec or a list of them, not list"):
        paddle.Model(paddle.nn.Linear(2, 1), inputs=[[None, 2]])


def test_what_was_not_prepared():
    model = paddle.Model(paddle.nn.Linear(2, 1))
    with pytest.raises(RuntimeError, match="training takes an optimizer and a loss"):
        model.fit(DATA, verbose=0)
    with pytest.raises(RuntimeError, match="an evaluation takes a loss or metrics"):
        model.evaluate(DATA, verbose=0)


@pytest.mark.parametrize(
    "loss, words", [(lambda out, y: out - y, r"one number, not of shape \[2, 1\]"), (lambda out, y: 1.0, "must give a Tensor"),
                    (lambda out, y: [], "not nothing")]
)  # fmt: skip
def test_losses(loss, words):
    with pytest.raises((TypeError, ValueError), match=words):
        model_of(loss=loss).fit(LOADER, verbose=0)


def test_inputs_that_nobody_knows():
    with pytest.raises(ValueError, match="Open.forward leaves open how many inputs it takes"):
        model_of(Open(2, 1)).fit(LOADER, verbose=0)
    x, y = InputSpec([None, 2], "float32", "x"), InputSpec([None, 1], "float32", "y")
    model_of(Open(2, 1), inputs=[x], labels=[y]).fit(LOADER, verbose=0)
    with pytest.raises(ValueError, match="a batch has 2 fields, not 1 inputs and 2 labels"):
        model_of(inputs=x, labels=[y, y]).fit(LOADER, verbose=0)


@pytest.mark.parametrize(
    "made, words",
    [
        (lambda c: c.LRScheduler(True, True), "exclude each other"),
        (lambda c: c.EarlyStopping(mode="least"), "mode is 'auto', 'min' or 'max'"),
        (lambda c: c.ModelCheckpoint(0), "save_freq must be a positive int"),
        (lambda c: c.ProgBarLogger(0), "log_freq must be a positive int"),
        (lambda c: c.ProgBarLogger(verbose=-1), "verbose is 0"),
    ],
)
def test_callbacks(made, words):
    with pytest.raises(ValueError, match=words):
        made(paddle.callbacks)


def test_outputs():
    class Named(paddle.nn.Linear):
        def forward(self, x):
            return {"out": super().forward(x)}

    with pytest.raises(TypeError, match="an output must be a Tensor or a list of them, not dict"):
        paddle.Model(Named(2, 1)).predict(DATA, verbose=0)
