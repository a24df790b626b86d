"""Training steps as pure functions, and by the engine: fifty steps give the losses of plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from on_jax import steps
from on_jax.steps import SPEC, Trainer, X, sgd
from optimizer.cases import OPTIMIZERS as optimizers
from support.sampling import sampled

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

jax = pytest.importorskip("jax", reason="steps run in JAX: pip install '.[jax]'")

import dy2st.jax  # noqa: E402

STEPS = 50


class Scheduled:
    """Makes an optimizer whose rate halves every tenth step, with clipped gradients or without."""

    def __init__(self, kind, clip=None, **options):
        self.kind, self.clip, self.options, self.rate = kind, clip, options, None

    def __call__(self, parameters):
        self.rate = paddle.optimizer.lr.StepDecay(0.05, 10, 0.5)
        kind = getattr(paddle.optimizer, self.kind)
        return kind(self.rate, parameters=parameters, grad_clip=self.clip, **self.options)


OPTIMIZERS = {
    "sgd": ("SGD", None, {"weight_decay": 0.01}),
    "sgd, clipped by value": ("SGD", nn.ClipGradByValue(0.05), {}),
    "momentum": ("Momentum", None, {"use_nesterov": True}),
    "momentum, clipped by norm": ("Momentum", nn.ClipGradByNorm(0.2), {}),
    "adam": ("Adam", None, {}),
    "adamw, clipped by global norm": ("AdamW", nn.ClipGradByGlobalNorm(0.5), {"weight_decay": 0.1}),
}


def batch(k):
    return X + np.float32(0.1 * (k % 5))


def of_python(trainer, rate=None, count=STEPS):
    """The losses of plain Python."""
    call = trainer if isinstance(trainer, nn.Layer) else trainer.step
    found = []
    for k in range(count):
        found.append(float(call(paddle.to_tensor(batch(k)))))
        if rate is not None:
            rate.step()
    return found


def of_jax(f, params, opt_state, rate=None, count=STEPS):
    """The losses of a pure step, and the parameters after it."""
    step, found = jax.jit(f, donate_argnums=(0, 1)), []
    name = next((name for name in opt_state if name.endswith(("last_lr", "learning_rate"))), None)
    for k in range(count):
        if rate is not None:
            opt_state[name] = rate.last_lr
            rate.step()
        params, opt_state, loss, status = step(params, opt_state, batch(k))
        found.append(float(loss))
    status.throw()
    return found, params


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    assert np.isfinite(wanted).all() and (np.ndim(wanted) == 0 or len(set(wanted)) > 3)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_with_a_schedule_and_clipping(name):
    kind, clip, options = OPTIMIZERS[name]
    eager, pure = (Scheduled(kind, clip, **options) for _ in range(2))
    wanted, trainer = of_python(Trainer(eager), eager.rate), Trainer(pure)
    found, params = of_jax(*dy2st.jax.training_step(trainer.step, SPEC), pure.rate)
    close(found, wanted)
    assert sorted(params) == ["head.bias", "head.weight", "net.0.bias", "net.0.weight"]


@pytest.mark.parametrize(
    "kind",
    [steps.Rolled, steps.Forked, steps.Asked, steps.Checked, steps.Gathering, steps.ClearsFirst, steps.LeavesNone, steps.Looks,
     steps.NeverClears],
)  # fmt: skip
def test_what_a_step_may_do(kind):
    count = 9 if kind is steps.NeverClears else STEPS
    found, _ = of_jax(*dy2st.jax.training_step(kind().step, SPEC), count=count)
    close(found, of_python(kind(), count=count))


def test_gradients_that_a_step_clears_are_not_handed_on():
    held = {}
    for kind in (Trainer, steps.Checked, steps.ClearsFirst, steps.LeavesNone, steps.NeverClears, steps.Looks, steps.Gathering):
        _, _, opt_state = dy2st.jax.training_step(kind().step, SPEC)
        held[kind] = sum(name.endswith(".grad") for name in opt_state)
    assert [*held.values()] == [0, 0, 0, 0, 4, 1, 4]


def test_a_closure_and_names():
    def made():
        trainer = Trainer(lambda p: paddle.optimizer.Adam(0.01, parameters=p))
        net, head, opt = trainer.net, trainer.head, trainer.opt

        def step(x):
            loss = (head(net(x)) ** 2).mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss

        return step

    f, params, opt_state = dy2st.jax.training_step(made(), SPEC)
    assert sorted(params) == ["head.bias", "head.weight", "net.0.bias", "net.0.weight"]
    slots = {f"{name}.{slot}" for name in params for slot in ("moment1", "moment2", "count")}
    assert set(opt_state) == slots | {"opt._steps", "opt.learning_rate"}
    plain = made()
    close(of_jax(f, params, opt_state)[0], [float(plain(paddle.to_tensor(batch(k)))) for k in range(STEPS)])


OTHERS = {
    name: lambda p, path=path, options=options: getattr(paddle.optimizer, path)(parameters=p, **options)
    for name, (path, options) in optimizers.items()
}


@pytest.mark.long
@pytest.mark.parametrize("name", sampled([*OTHERS], 2))
def test_other_optimizers(name):
    wanted = of_python(Trainer(OTHERS[name]), count=8)
    close(of_jax(*dy2st.jax.training_step(Trainer(OTHERS[name]).step, SPEC), count=8)[0], wanted)


class Recurrent(Trainer):
    """Its loss goes through lists that a loop over an open length fills."""

    def __init__(self):
        super().__init__()
        self.gates = nn.Linear(4, 8)
        self.opt = sgd([*self.gates.parameters(), *self.head.parameters()])

    def step(self, x):
        h, rows = paddle.zeros([x.shape[0], 1]), []
        for t in range(x.shape[1]):
            forget, new = paddle.split(self.gates(paddle.concat([x[:, t], h], axis=1)), 2, axis=1)
            h = (nn.functional.sigmoid(forget) * h + paddle.tanh(new)).mean(axis=1, keepdim=True)
            rows.append(paddle.concat([h, h * 2, -h], axis=1))
        loss = (self.head(paddle.stack(rows, axis=1)) ** 2).mean()
        self.update(loss)
        return loss


def test_a_loop_over_an_open_length():
    f, params, opt_state = dy2st.jax.training_step(Recurrent().step, [InputSpec([None, None, 3], "float32", "x")])
    plain, step = Recurrent(), jax.jit(f)
    for length in (5, 2, 5, 5):
        x = np.random.RandomState(length).randn(4, length, 3).astype("float32")
        params, opt_state, loss, status = step(params, opt_state, x)
        status.throw()
        close(loss, float(plain.step(paddle.to_tensor(x))))
    np.testing.assert_allclose(params["gates.weight"], plain.gates.weight.numpy(), rtol=1e-5)


class Wide(steps.NeverClears):
    """Parameters of more numbers than are computed beside the trace."""

    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 1500), nn.Linear(1500, 3))
        self.opt = sgd([*self.net.parameters(), *self.head.parameters()])


def test_wide_parameters():
    close(of_jax(*dy2st.jax.training_step(Wide().step, SPEC), count=4)[0], of_python(Wide(), count=4))


def adam(parameters):
    return paddle.optimizer.Adam(0.02, parameters=parameters)


def test_a_layer_and_its_file(tmp_path):
    plain = steps.Layered(adam)
    wanted = of_python(plain)
    found, params = of_jax(*dy2st.jax.training_step(steps.Layered(adam), SPEC))
    close(found, wanted)
    assert set(params) == set(plain.state_dict())
    np.testing.assert_allclose(params["norm._variance"], plain.norm._variance.numpy(), rtol=1e-4)
    jit.save(jit.to_static(steps.Layered(adam), input_spec=SPEC), str(tmp_path / "step"))
    close(of_jax(*dy2st.jax.training_step(str(tmp_path / "step")))[0], wanted)


def test_function_of_a_step():
    f, held = dy2st.jax.function(Trainer(adam).step, SPEC)
    call, found = jax.jit(f), []
    for k in range(STEPS):
        loss, state, status = call(held, batch(k))
        held = held | state
        found.append(float(loss))
    status.throw()
    close(found, of_python(Trainer(adam)))


def test_steps_in_a_scan():
    f, params, opt_state = dy2st.jax.training_step(Trainer(adam).step, SPEC)

    def body(held, x):
        params, opt_state, loss, status = f(*held, x)
        return (params, opt_state), (loss, status)

    batches = np.stack([batch(k) for k in range(STEPS)])
    _, (losses, status) = jax.jit(jax.lax.scan, static_argnums=0)(body, (params, opt_state), batches)
    status.throw()
    close(losses, of_python(Trainer(adam)))


@pytest.mark.parametrize("kind", [Trainer, steps.Rolled, steps.Forked, steps.Gathering])
def test_the_engine_trains(kind):
    rates = [Scheduled("AdamW", nn.ClipGradByGlobalNorm(0.5), weight_decay=0.1) for _ in range(2)]
    eager, trained = (kind(rate) for rate in rates)
    wanted = of_python(eager, rates[0].rate)
    trained.step = jit.to_static(trained.step, input_spec=SPEC, backend="jax")
    close(of_python(trained, rates[1].rate), wanted)
    np.testing.assert_allclose(trained.net[0].weight.numpy(), eager.net[0].weight.numpy(), rtol=1e-4, atol=1e-6)


def test_a_loaded_step_by_the_engine(tmp_path):
    jit.save(jit.to_static(steps.Layered(adam), input_spec=SPEC), str(tmp_path / "step"))
    loaded = jit.load(str(tmp_path / "step"), backend="jax")
    close([float(loaded(paddle.to_tensor(batch(k)))) for k in range(STEPS)], of_python(steps.Layered(adam)))


def test_an_exception_is_told():
    f, params, opt_state = dy2st.jax.training_step(steps.Checked().step, SPEC)
    *_, status = jax.jit(f)(params, opt_state, X * 100)
    with pytest.raises(AssertionError, match="diverged at"):
        status.throw()


def test_what_begins_is_a_copy():
    trainer = Trainer()
    f, params, opt_state = dy2st.jax.training_step(trainer.step, SPEC)
    before = {name: np.array(x) for name, x in params.items()}
    trainer.step(paddle.to_tensor(X))
    assert all((params[name] == x).all() for name, x in before.items())


class Masked(Trainer):
    def step(self, x):
        h = self.net(x)
        loss = (self.head(h[h[:, 0] > 0]) ** 2).mean()
        self.update(loss)
        return loss


class Noisy(Trainer):
    def step(self, x):
        loss = ((self.head(nn.functional.dropout(self.net(x), 0.5)) - x.sum(axis=1, keepdim=True)) ** 2).mean()
        self.update(loss)
        return loss


def test_a_step_with_dropout_follows_its_key():
    runs = []
    for seed in (1, 1, 2):
        f, params, opt_state = dy2st.jax.training_step(Noisy().step, SPEC)
        opt_state["random key"] = jax.random.PRNGKey(seed)
        runs.append(of_jax(f, params, opt_state, count=8)[0])
    assert runs[0] == runs[1] != runs[2]
    assert len(set(runs[0])) == 8 and np.isfinite(runs).all()


def test_what_has_no_form_is_refused_at_the_users_line():
    line = Masked.step.__code__.co_firstlineno + 2
    with pytest.raises(ConversionError, match=rf"test_training.py:{line}: .*known lengths"):
        of_jax(*dy2st.jax.training_step(Masked().step, SPEC))


def test_what_is_no_step_is_refused():
    with pytest.raises(ValueError, match="changes no parameter"):
        dy2st.jax.training_step(nn.Linear(3, 2), [InputSpec([None, 3])])
    f, params, opt_state = dy2st.jax.training_step(Trainer().step, SPEC)
    with pytest.raises(TypeError, match="takes params and 1 inputs"):
        f(params, opt_state)
    with pytest.raises(ValueError, match="opt_state has an unknown 'rate'; it has self.opt._steps, self.opt.learning_rate"):
        f(params, opt_state | {"rate": 0.1}, X)
    with pytest.raises(ValueError, match="params lacks 'head.bias'; it has"):
        f({name: x for name, x in params.items() if name != "head.bias"}, opt_state, X)
    with pytest.raises(TypeError, match="net.0.weight is a float32"):
        f(params | {"net.0.weight": params["net.0.weight"].astype("float16")}, opt_state, X)


def test_names_that_would_be_alike_are_those_of_the_program():
    from dy2st.ir.types import FLOAT, INT
    from dy2st.jax.names import names_of

    places = {("state", "closure.n"): INT, ("state", "globals.n"): INT, ("state", "globals.opt._learning_rate"): FLOAT}
    assert [*names_of(places).values()] == ["closure.n", "globals.n", "opt.learning_rate"]


def test_64_bits_stay_so():
    class Counting(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", paddle.to_tensor(2**40))

        def forward(self, x):
            self.seen += 1
            return x * 2

    f, held = dy2st.jax.function(Counting(), [InputSpec([2])])
    for k in range(1, 3):
        _, state, _ = jax.jit(f)(held, np.ones(2, "float32"))
        held = held | state
        assert int(held["seen"]) == 2**40 + k
