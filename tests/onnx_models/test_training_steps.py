"""Training steps in ONNX: forward, backward and an optimizer in one model; losses and weights are those of plain Python."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")

from optimizer.cases import OPTIMIZERS as OTHERS
from training import models
from training.test_steps import OPTIMIZERS, Forked, Rivals, Structured, step

import dy2st as paddle
import dy2st.onnx
from dy2st import jit, nn
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

ALL = {
    **OPTIMIZERS,
    **{
        name: lambda p, path=path, options=options: getattr(paddle.optimizer, path)(parameters=p, **options)
        for name, (path, options) in OTHERS.items()
    },
}


class Perceptron(nn.Layer):
    """Batch normalisation: buffers that forward writes."""

    spec, batch = models.Perceptron.spec, models.Perceptron.batch

    def __init__(self):
        super().__init__()
        self.norm, self.first, self.last = nn.BatchNorm1D(6), nn.Linear(6, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.last(paddle.tanh(self.first(self.norm(x))))


class Listed(nn.Layer):
    """What the loss is computed from lies in lists: of tensors, of tuples, of open shapes, changed again."""

    spec = InputSpec([None, 3], "float32")

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        rows, parts, pairs = [self.one(x).sum(axis=0)], [], []
        for i in range(x.shape[0]):
            rows.append(self.other(rows[-1]).tanh() * x[i])
            parts.append(self.one(x[: i + 1]))
            pairs.append((rows[i] * 2, parts[i].mean()))
        rows[0] = rows[1] * 3
        rows.pop(1)
        total = paddle.concat(parts).sum() + paddle.stack(rows).sum()
        for a, b in pairs:
            total = total + (a * b).sum()
        return total / 10

    @staticmethod
    def batch(k):
        return np.random.RandomState(k).randn(2 + k % 3, 3)


def same_training(plain, other, state, batches):
    """Whether both go the same way. state: the parameters and buffers of the other by their names in the state_dict."""
    losses = [[float(form(paddle.to_tensor(x.astype("float32")))) for x in batches] for form in (plain, other)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4, atol=1e-6)
    assert np.isfinite(losses[0]).all() and len(set(losses[0])) == len(batches)
    found = state()
    for name, value in plain.state_dict().items():
        np.testing.assert_allclose(found[name].numpy(), value.numpy(), rtol=1e-3, atol=1e-5, err_msg=name)


CASES = [
    *((Perceptron, name) for name in ALL),
    (models.Recurrent, "adam"), (models.EarlyExit, "adam"), (Forked, "momentum"), (Listed, "sgd"), (Listed, "NAdam"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "name"), CASES, ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_steps_are_those_of_plain_python(model, name, tmp_path):
    plain, exported = step(model, ALL[name]), step(model, ALL[name])
    batches = [model.batch(k) for k in range(5)]
    example = paddle.to_tensor(batches[0].astype("float32"))
    path = dy2st.onnx.export(exported, tmp_path / "step", [model.spec], verify=(example,))
    session = dy2st.onnx.Session(path)
    same_training(plain, session, lambda: session.state, batches)
    session.reset()
    assert float(session(example)) == pytest.approx(float(step(model, ALL[name])(example)), rel=1e-5)


def test_a_saved_step_is_exported(tmp_path):
    plain, static = step(Perceptron, ALL["adamw"]), jit.to_static(step(Perceptron, ALL["adamw"]), input_spec=[Perceptron.spec])
    jit.save(static, str(tmp_path / "step"))
    session = dy2st.onnx.Session(dy2st.onnx.export(str(tmp_path / "step"), tmp_path / "exported"))
    same_training(plain, session, lambda: session.state, [Perceptron.batch(k) for k in range(3)])


def test_onnxruntime_as_an_engine_trains_the_model(tmp_path):
    plain, made = step(Perceptron, ALL["adam"]), step(Perceptron, ALL["adam"])
    static = jit.to_static(made, input_spec=[Perceptron.spec], backend="onnxruntime")
    same_training(plain, static, made.state_dict, [Perceptron.batch(k) for k in range(4)])


def test_two_networks_with_an_optimizer_each(tmp_path):
    nets = []
    for _ in range(2):
        paddle.seed(1)
        nets.append(Rivals())
    specs = [InputSpec([None, 3], "float32", "real"), InputSpec([None, 2], "float32", "noise")]
    session = dy2st.onnx.Session(dy2st.onnx.export(nets[1], tmp_path / "rivals", specs))
    rng = np.random.default_rng(0)
    for _ in range(3):
        batch = [paddle.to_tensor(rng.normal(size=[4, n]).astype("float32")) for n in (3, 2)]
        expected, given = ([float(loss) for loss in form(*batch)] for form in (nets[0], session))
        np.testing.assert_allclose(given, expected, rtol=1e-5)


class Rate:
    """A scheduler that says what it is told."""

    last_lr = 0.1

    def get_lr(self):
        return self.last_lr


class Scheduled(nn.Layer):
    """The learning rate is an argument."""

    def __init__(self):
        super().__init__()
        paddle.seed(0)
        self.net, self.rate = nn.Linear(3, 2), Rate()
        self.optimizer = paddle.optimizer.Adam(self.rate, parameters=self.net.parameters())

    def forward(self, x, rate):
        self.rate.last_lr = float(rate)
        loss = (self.net(x) ** 2).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss


def test_the_learning_rate_and_the_slots_are_state(tmp_path):
    plain, exported = Scheduled(), Scheduled()
    specs = [InputSpec([None, 3], "float32", "x"), InputSpec([], "float64", "rate")]
    session = dy2st.onnx.Session(dy2st.onnx.export(exported, tmp_path / "step", specs))
    x = paddle.ones([2, 3])
    for rate in (0.1, 0.05, 0.2):
        found = [float(form(x, paddle.to_tensor(rate, dtype="float64"))) for form in (plain, session)]
        np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
    state = session.state
    assert int(state["net.weight.count"]) == 3 and state["self.rate.last_lr"] == 0.2
    for slot in ("moment1", "moment2"):
        kept = plain.optimizer._slots_of(plain.net.weight)[slot]
        np.testing.assert_allclose(state[f"net.weight.{slot}"].numpy(), kept.numpy(), rtol=1e-5)


def test_what_gradients_cannot_go_through_is_refused_at_its_line(tmp_path):
    with pytest.raises(ConversionError, match="backward.. goes through a dict.*keep what the loss is computed from in tensors"):
        dy2st.onnx.export(step(Structured, ALL["sgd"]), tmp_path / "step", [Structured.spec])


def slope(x):
    """The gradient of an input, on each path another one."""
    x.stop_gradient = False
    if x.sum() > 0:
        y = x**3
    else:
        y = x.exp()
    (found,) = paddle.grad(y.sum(), [x])
    return found * 2


class Epoch(nn.Layer):
    """Several steps in one call, as many as there are rows, with a clipped norm; the last gradient is kept."""

    def __init__(self):
        super().__init__()
        paddle.seed(0)
        self.net = nn.Linear(3, 2)
        clip = nn.ClipGradByGlobalNorm(0.5)
        self.optimizer = paddle.optimizer.Adam(0.1, parameters=self.net.parameters(), grad_clip=clip)

    def forward(self, rows):
        losses = []
        for row in rows:
            self.optimizer.clear_grad()
            loss = (self.net(row) ** 2).sum()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.detach())
        return paddle.stack(losses)


def test_gradients_of_inputs(tmp_path):
    session = dy2st.onnx.Session(dy2st.onnx.export(slope, tmp_path / "slope", [InputSpec([None], "float32", "x")]))
    for x in (np.array([1.0, -2.0, 1.5], "float32"), np.array([-1.0, 0.5], "float32")):
        expected = 2 * (3 * x**2 if x.sum() > 0 else np.exp(x))
        np.testing.assert_allclose(session(paddle.to_tensor(x)).numpy(), expected, rtol=1e-6)


def test_several_steps_in_one_call(tmp_path):
    plain, exported = Epoch(), Epoch()
    session = dy2st.onnx.Session(dy2st.onnx.export(exported, tmp_path / "epoch", [InputSpec([None, 3], "float32", "rows")]))
    for k in range(3):
        rows = paddle.to_tensor(np.random.RandomState(k).randn(2 + k, 3).astype("float32"))
        np.testing.assert_allclose(session(rows).numpy(), plain(rows).numpy(), rtol=1e-4)
    np.testing.assert_allclose(session.state["net.weight"].numpy(), plain.net.weight.numpy(), rtol=1e-4)
