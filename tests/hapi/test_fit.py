"""`Model.fit` is the loop by hand, bit by bit; `evaluate` and `predict` give what NumPy gives."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st as paddle
from dy2st.static import InputSpec

RNG = np.random.RandomState(0)
X, Y = RNG.randn(22, 3).astype("float32"), RNG.randn(22, 1).astype("float32")
CLASSES = RNG.randint(0, 3, (22, 1))


class Noisy(paddle.nn.Layer):
    """Draws random numbers, writes a buffer, and branches on its input, in training otherwise than in evaluation."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = paddle.nn.Linear(3, 8), paddle.nn.BatchNorm1D(8), paddle.nn.Linear(8, 1)
        self.drop = paddle.nn.Dropout(0.3)

    def forward(self, x):
        h = self.norm(self.first(x))
        if h.mean() > 0:
            h = h * 2
        return self.last(self.drop(paddle.tanh(h)))


class Rows(paddle.io.Dataset):
    """Samples, each with a little noise, so that reading draws random numbers, too."""

    def __init__(self, noise=0.0):
        self.noise = noise

    def __getitem__(self, index):
        return X[index] + self.noise * float(paddle.rand([1])), Y[index]

    def __len__(self):
        return len(X)


class Heard(paddle.callbacks.Callback):
    """Writes down all that it is told."""

    def __init__(self):
        self.events = []

    def losses(self):
        return [logs["loss"][0] for event, logs in self.events if event == "on_train_batch_end"]


def _hears(name):
    def method(self, *args):
        self.events.append((name, dict(args[-1])))

    return method


for _name in [name for name in vars(paddle.callbacks.Callback) if name.startswith("on_")]:
    setattr(Heard, _name, _hears(_name))


def prepared(static=False, loss=None, metrics=None, rate=0.05):
    paddle.seed(7)
    net = Noisy()
    if static:
        net = paddle.jit.to_static(net)
    model = paddle.Model(net)
    rate = rate() if callable(rate) else rate
    model.prepare(paddle.optimizer.Adam(rate, parameters=net.parameters()), loss or paddle.nn.MSELoss(), metrics)
    return model


def weights(model):
    return {name: value.numpy() for name, value in model.network.state_dict().items()}


def assert_same(model, other):
    ours, theirs = weights(model), weights(other)
    assert ours.keys() == theirs.keys()
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)


def by_hand(model, batches, epochs=1, accumulate=1, limit=None):
    """The loop that everybody writes; the losses."""
    paddle.seed(1)
    net, optimizer, losses = model.network, model._optimizer, []
    for _ in range(epochs):
        for step, (x, y) in enumerate(batches):
            net.train()
            loss = model._loss(net(x), y)
            loss.backward()
            losses.append(float(loss))
            last = len(losses) == limit
            if (step + 1) % accumulate == 0 or step + 1 == len(batches) or last:
                optimizer.step()
                optimizer.clear_grad()
            if hasattr(optimizer._learning_rate, "step"):
                optimizer._learning_rate.step()
            if last:
                return losses
    return losses


def fit(model, *data, **options):
    paddle.seed(1)
    model.fit(*data, verbose=0, **options)


def loader(noise=0.0, batch_size=5, drop_last=False):
    return paddle.io.DataLoader(Rows(noise), batch_size=batch_size, drop_last=drop_last)


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    "options, accumulate, limit",
    [
        ({"epochs": 3}, 1, None),
        ({"epochs": 3, "accumulate_grad_batches": 2}, 2, None),
        ({"num_iters": 8, "accumulate_grad_batches": 3}, 3, 8),
    ],
)
def test_fit_is_the_loop_by_hand(static, options, accumulate, limit):
    model, other, heard = prepared(static), prepared(static), Heard()
    losses = by_hand(other, loader(0.1), 3, accumulate, limit)
    fit(model, loader(0.1), callbacks=heard, **options)
    assert heard.losses() == losses and len(losses) == (limit or 15)
    assert_same(model, other)
    assert all(p.grad is None or not p.grad.numpy().any() for p in model.parameters())


def test_static_equals_eager():
    models = [prepared(static) for static in (False, True)]
    for model in models:
        fit(model, Rows(), Rows(), batch_size=5, epochs=2)
    for name, value in weights(models[0]).items():
        np.testing.assert_allclose(value, weights(models[1])[name], rtol=1e-5, atol=1e-6)


def test_a_data_set_is_shuffled_as_paddle_does():
    model, other = prepared(), prepared()
    sampler = paddle.io.DistributedBatchSampler(Rows(), 4, shuffle=True, drop_last=True)
    by_hand(other, paddle.io.DataLoader(Rows(), batch_sampler=sampler), 2)
    fit(model, Rows(), batch_size=4, epochs=2, drop_last=True)
    assert_same(model, other)
    unshuffled = prepared()
    fit(unshuffled, Rows(), batch_size=4, epochs=2, drop_last=True, shuffle=False)
    by_hand(again := prepared(), loader(batch_size=4, drop_last=True), 2)
    assert_same(unshuffled, again)


def test_the_learning_rate_follows_its_scheduler():
    def rate():
        return paddle.optimizer.lr.StepDecay(0.1, step_size=2)

    model, other, by_epoch = prepared(rate=rate), prepared(rate=rate), prepared(rate=rate)
    by_hand(other, loader(), 2)
    fit(model, loader(), epochs=2)
    assert_same(model, other)
    assert model._optimizer.get_lr() == pytest.approx(0.1 * 0.1**5)
    by_epoch.fit(loader(), epochs=2, verbose=0, callbacks=paddle.callbacks.LRScheduler(by_step=False, by_epoch=True))
    assert by_epoch._optimizer.get_lr() == pytest.approx(0.01)
    watching = prepared(rate=lambda: paddle.optimizer.lr.ReduceOnPlateau(0.1))
    with pytest.raises(TypeError, match="ReduceOnPlateau.step takes what is watched"):
        watching.fit(loader(), verbose=0)


def softmax_model(metrics):
    paddle.seed(3)
    net = paddle.nn.Linear(3, 3)
    model = paddle.Model(net)
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), paddle.nn.CrossEntropyLoss(), metrics)
    return model


def crossentropy(logits, labels):
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return -np.take_along_axis(logs, labels, -1).mean()


def test_evaluate_and_predict_are_numpys():
    model = softmax_model([paddle.metric.Accuracy(), paddle.metric.Accuracy(topk=(1, 2), name="best")])
    data = paddle.io.TensorDataset([paddle.to_tensor(X), paddle.to_tensor(CLASSES)])
    logits = X @ model.network.weight.numpy() + model.network.bias.numpy()
    order = np.argsort(-logits, axis=-1)
    first, second = (order[:, :k] == CLASSES for k in (1, 2))
    result = model.evaluate(data, batch_size=5, verbose=0)
    assert list(result) == ["loss", "acc", "best_top1", "best_top2"]
    np.testing.assert_allclose(result["loss"], [crossentropy(logits[20:], CLASSES[20:])], rtol=1e-5)
    np.testing.assert_allclose([result["acc"], result["best_top1"]], first.mean())
    np.testing.assert_allclose(result["best_top2"], second.any(-1).mean())
    part = model.evaluate(data, batch_size=5, num_iters=2, verbose=0)
    np.testing.assert_allclose(part["acc"], first[:10].mean())
    (stacked,) = model.predict(data, batch_size=5, stack_outputs=True, verbose=0)
    np.testing.assert_allclose(stacked, logits, rtol=1e-5)
    (batches,) = model.predict(data, batch_size=5, verbose=0)
    assert [len(batch) for batch in batches] == [5, 5, 5, 5, 2] and isinstance(batches, tuple)
    assert not model.network.training


def test_one_batch_gives_losses_and_metrics():
    model = softmax_model(paddle.metric.Accuracy())
    logits = X @ model.network.weight.numpy() + model.network.bias.numpy()
    losses, metrics = model.train_batch([X], [CLASSES], update=False)
    assert isinstance(losses[0], np.ndarray) and losses[0] == pytest.approx(crossentropy(logits, CLASSES), rel=1e-5)
    assert metrics == [pytest.approx((logits.argmax(-1) == CLASSES[:, 0]).mean())]
    np.testing.assert_allclose(model.predict_batch(X)[0], logits, rtol=1e-5)  # nothing was updated
    model.prepare(loss=paddle.nn.CrossEntropyLoss())
    assert model.eval_batch(X, CLASSES) == losses
    model.prepare(metrics=paddle.metric.Accuracy())
    assert model.eval_batch(X, CLASSES) == metrics


class Two(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.one, self.other = paddle.nn.Linear(3, 1), paddle.nn.Linear(3, 1)

    def forward(self, x, z=None):
        return self.one(x), self.other(x if z is None else z)


def both(a, b, y):
    return [((a - y) ** 2).mean(), (b - y).abs().mean()]


def test_several_inputs_outputs_and_losses():
    paddle.seed(0)
    net = Two()
    model = paddle.Model(net, inputs=[InputSpec([None, 3], "float32", "x"), InputSpec([None, 3], "float32", "z")])
    model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), both)
    data = paddle.io.TensorDataset([paddle.to_tensor(part) for part in (X, X * 2, Y)])
    assert len(model.evaluate(data, batch_size=22, verbose=0)["loss"]) == 2
    first, second = model.predict(data, batch_size=22, stack_outputs=True, verbose=0)
    np.testing.assert_allclose(second, X * 2 @ net.other.weight.numpy() + net.other.bias.numpy(), rtol=1e-5)
    before = first
    model.fit(data, batch_size=22, verbose=0)
    slope = 2 * (before - Y).mean()
    np.testing.assert_allclose(net.one.bias.numpy(), [-0.1 * slope], rtol=1e-5)


def test_callbacks_hear_all_in_order():
    model, heard = prepared(), Heard()
    model.fit(loader(batch_size=11), loader(batch_size=22), epochs=2, eval_freq=2, verbose=0, callbacks=[heard])
    batch = ["on_train_batch_begin", "on_train_batch_end"]
    evaluation = ["on_eval_begin", "on_eval_batch_begin", "on_eval_batch_end", "on_eval_end"]
    epoch = ["on_epoch_begin", *batch * 2, "on_epoch_end"]
    assert [event for event, _ in heard.events] == ["on_train_begin", *epoch, *evaluation, *epoch, "on_train_end"]
    assert heard.params == {"batch_size": 1, "epochs": 2, "steps": 2, "verbose": 0, "metrics": ["loss"]}
    assert heard.events[3][1].keys() == {"loss", "step", "batch_size"} and heard.events[3][1]["batch_size"] == 11
    heard.events.clear()
    model.predict(loader(batch_size=22), verbose=0, callbacks=heard)
    assert [event for event, _ in heard.events] == [f"on_predict_{e}" for e in ("begin", "batch_begin", "batch_end", "end")]


def test_a_callback_ends_the_training():
    class Enough(Heard):
        def on_epoch_end(self, epoch, logs=None):
            self.model.stop_training = epoch == 1

    model = prepared()
    for _ in range(2):
        heard = Enough()
        model.fit(loader(), epochs=5, verbose=0, callbacks=heard)
        assert len(heard.losses()) == 10


@pytest.mark.parametrize("patience, epochs", [(0, 3), (1, 3), (2, 6)])
def test_early_stopping(tmp_path, patience, epochs):
    values = iter([0.5, 0.3, 0.4, 0.2, 0.2, 0.25, 0.1])

    class Told(paddle.metric.Metric):
        reset = update = compute = lambda self, *args: ()

        def accumulate(self):
            return self.value

        def name(self):
            return "told"

    class Tells(paddle.callbacks.Callback):
        def on_eval_begin(self, logs=None):
            metric.value = next(values)

    metric = Told()
    metric.value = 0.0
    model, heard = prepared(metrics=metric), Heard()
    stopping = paddle.callbacks.EarlyStopping("told", patience=patience, verbose=0)
    model.fit(Rows(), Rows(), batch_size=22, epochs=7, verbose=0, save_dir=tmp_path, callbacks=[Tells(), heard, stopping])
    assert len(heard.losses()) == epochs and stopping.stopped_epoch == epochs - 1
    assert stopping.best_value == (0.3 if epochs == 3 else 0.2)
    assert (tmp_path / "best_model.pdparams").exists()
