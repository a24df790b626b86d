"""A whole training step inside the static function: losses, parameters and gradients are those of plain Python."""

import weakref

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.errors import StagedValueError
from dy2st.runtime.stage import stage
from dy2st.static import InputSpec

from . import models

OPTIMIZERS = {
    "sgd": lambda p: paddle.optimizer.SGD(0.1, parameters=p, weight_decay=0.01),
    "momentum": lambda p: paddle.optimizer.Momentum(0.1, parameters=p, use_nesterov=True),
    "adam": lambda p: paddle.optimizer.Adam(0.05, parameters=p),
    "adamw": lambda p: paddle.optimizer.AdamW(0.05, parameters=p, weight_decay=0.1),
    "by value": lambda p: paddle.optimizer.SGD(0.1, parameters=p, grad_clip=nn.ClipGradByValue(0.05)),
    "by norm": lambda p: paddle.optimizer.SGD(0.1, parameters=p, grad_clip=nn.ClipGradByNorm(0.1)),
    "by global norm": lambda p: paddle.optimizer.Adam(0.1, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(0.1)),
}


class Step(nn.Layer):
    """A model that trains itself when it is called."""

    def __init__(self, model, make):
        super().__init__()
        self.model = model
        self.optimizer = make(model.parameters())

    def forward(self, x):
        loss = (self.model(x) ** 2).mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.clear_grad()
        return loss


def step(model, make):
    paddle.seed(0)
    return Step(model(), make)


def same_training(forms, model, steps):
    """Whether all forms go the same way, from the same random numbers."""
    losses = []
    for form in forms:
        paddle.seed(7)
        batches = (paddle.to_tensor(model.batch(k).astype("float32")) for k in range(steps))
        losses.append([float(form(x)) for x in batches])
    for found in losses[1:]:
        np.testing.assert_allclose(found, losses[0], rtol=2e-4, atol=1e-6)
    assert len(set(losses[0])) == steps


class Rivals(nn.Layer):
    """A generator and a critic, each with an optimizer: what the one makes outlives the step of the other."""

    def __init__(self):
        super().__init__()
        self.generator = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3))
        self.critic = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
        self.makes = paddle.optimizer.Adam(0.01, parameters=self.generator.parameters())
        self.judges = paddle.optimizer.Adam(0.02, parameters=self.critic.parameters())

    def forward(self, real, noise):
        ones, zeros = paddle.ones([real.shape[0], 1]), paddle.zeros([real.shape[0], 1])
        self.judges.clear_grad()
        of_real = nn.functional.binary_cross_entropy(self.critic(real), ones)
        of_real.backward()
        fake = self.generator(noise)
        of_fake = nn.functional.binary_cross_entropy(self.critic(fake.detach()), zeros)
        of_fake.backward()
        self.judges.step()
        self.makes.clear_grad()
        loss = nn.functional.binary_cross_entropy(self.critic(fake), ones)
        loss.backward()
        self.makes.step()
        return of_real + of_fake, loss


def test_two_networks_with_an_optimizer_each(tmp_path):
    nets = []
    for _ in range(2):
        paddle.seed(1)
        nets.append(Rivals())
    plain, static = nets
    jit.to_static(static, input_spec=[InputSpec([None, 3]), InputSpec([None, 2])])
    jit.save(static, str(tmp_path / "rivals"))
    found, rng = [], np.random.default_rng(0)
    data = [[paddle.to_tensor(rng.normal(size=[4, n]).astype("float32")) for n in (3, 2)] for _ in range(3)]
    for net in (plain, static, jit.load(str(tmp_path / "rivals"))):
        found.append([[float(loss) for loss in net(*batch)] for batch in data])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-5)


@pytest.mark.parametrize("make", OPTIMIZERS.values(), ids=OPTIMIZERS)
@pytest.mark.parametrize("model", [models.Perceptron, models.Recurrent])
def test_against_plain_python(model, make, tmp_path):
    plain, static = step(model, make), jit.to_static(step(model, make), input_spec=[model.spec])
    jit.save(static, str(tmp_path / "step"))
    loaded = jit.load(str(tmp_path / "step"))
    same_training([plain, static, loaded], model, 6)
    for one, other in zip(plain.state_dict().values(), static.state_dict().values()):
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-3, atol=1e-5)
    assert len(static.forward.program_cache) == 1
    kept = plain.optimizer.state_dict(), static.optimizer.state_dict()
    assert kept[0].keys() - {"step"} and kept[0]["step"] == kept[1]["step"] == 6 or not plain.optimizer._slots


class ByHand:
    """A network and an optimizer, and no Layer around them."""

    def __init__(self):
        paddle.seed(0)
        self.net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1D(2))
        self.opt = paddle.optimizer.Momentum(0.1, parameters=self.net.parameters())

    def step(self, x):
        loss = (self.net(x) ** 2).mean()
        loss.backward()
        self.opt.step()
        self.opt.clear_grad()
        return loss


def around(net, opt):
    def step(x):
        loss = (net(x) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    return step


@pytest.mark.parametrize("made", [lambda: ByHand().step, lambda: around(**vars(ByHand()))], ids=["method", "closure"])
def test_what_is_saved_bears_the_names_of_the_layers(made, tmp_path):
    static = jit.to_static(made(), input_spec=[InputSpec([None, 3])])
    program = static.concrete_program.program
    weights = ["net.0.weight", "net.0.bias", "net.1.weight", "net.1.bias"]
    slots = [f"{name}.velocity" for name in weights]
    assert set(program.parameters) == {*weights, *slots, "net.1._mean", "net.1._variance"}
    assert {f"{name}.grad" for name in weights} < set(program.state)
    assert program.parameters["net.1._mean"].kind == "buffer"
    static(paddle.ones([4, 3]))
    jit.save(static, str(tmp_path / "step"))
    assert set(weights) < set(jit.load(str(tmp_path / "step")).state_dict())


class Forked(nn.Layer):
    """Uses one of two layers, in turn."""

    spec = InputSpec([None, 4], "float32")

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(4, 2), nn.Linear(4, 2)

    def forward(self, x):
        if x.mean() > 0:
            return self.one(x)
        return self.other(x)

    @staticmethod
    def batch(step):
        return np.random.RandomState(step).rand(3, 4) * (1, 1, -1)[step % 3]


DRIVEN = {
    "momentum": OPTIMIZERS["momentum"],
    "decay": lambda p: paddle.optimizer.SGD(0.01, parameters=p, weight_decay=0.5),
    "adamw": lambda p: paddle.optimizer.AdamW(0.01, parameters=p, weight_decay=0.5),
    "by norm": OPTIMIZERS["by norm"],
    "by global norm": OPTIMIZERS["by global norm"],
}


@pytest.mark.parametrize("set_to_zero", [False, True])
@pytest.mark.parametrize("make", DRIVEN.values(), ids=DRIVEN)
def test_paths_that_use_other_parameters(make, set_to_zero):
    """What a path doesn't use has no gradient there: neither momentum nor weight decay moves it."""

    def made(parameters):
        optimizer = make(parameters)
        optimizer.clear_grad = lambda: paddle.optimizer.Optimizer.clear_grad(optimizer, set_to_zero)
        return optimizer

    plain, static = step(Forked, made), jit.to_static(step(Forked, made), input_spec=[Forked.spec])
    same_training([plain, static], Forked, 6)
    for one, other in zip(plain.state_dict().values(), static.state_dict().values()):
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-4, atol=1e-6)


class Box:
    def __init__(self, value):
        self.value = value


class Structured(nn.Layer):
    """What the loss is computed from lies in a dict, in objects, and in lists in a list."""

    spec = InputSpec([None, 3], "float32")

    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        named, boxes, rows = {}, [], [[], []]
        for i in range(x.shape[0]):
            named[i % 2] = self.one(x[i])
            boxes.append(Box(named[i % 2].tanh()))
            rows[i % 2].append(boxes[-1].value)
        if x.sum() > 0:
            boxes[0].value = self.other(boxes[0].value)
        found = [rows[0].pop(x.argmax() % len(rows[0])), *named.values()]
        for box in boxes:
            found.append(box.value)
        return paddle.stack(found)

    @staticmethod
    def batch(step):
        return np.random.RandomState(step).randn(2 + step % 3, 3)


def test_structures(tmp_path):
    plain, static = step(Structured, DRIVEN["momentum"]), step(Structured, DRIVEN["momentum"])
    static = jit.to_static(static, input_spec=[Structured.spec])
    jit.save(static, str(tmp_path / "step"))
    same_training([plain, static, jit.load(str(tmp_path / "step"))], Structured, 5)


def test_the_learning_rate_is_what_each_call_finds():
    class Scheduler:
        last_lr = 0.1

        def __init__(self):
            self.last_lr = 0.1

        def get_lr(self):
            return self.last_lr

    rates = [0.1, 0.05, 0.2]
    forms, schedulers = [], []
    for _ in range(2):
        schedulers.append(Scheduler())
        forms.append(step(models.Recurrent, lambda p: paddle.optimizer.SGD(schedulers[-1], parameters=p)))
    forms[1] = jit.to_static(forms[1], input_spec=[models.Recurrent.spec])
    for k, rate in enumerate(rates):
        for scheduler in schedulers:
            scheduler.last_lr = rate
        x = paddle.to_tensor(models.Recurrent.batch(k).astype("float32"))
        losses = [float(form(x)) for form in forms]
        np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert len(forms[1].forward.program_cache) == 1


# --- where gradients go ------------------------------------------------------------------------------------------------


def linear():
    paddle.seed(3)
    net = nn.Linear(3, 2)
    return net, paddle.optimizer.Momentum(0.1, parameters=net.parameters())


def accumulated(net, optimizer):
    """The gradients of several calls; a step at every second one."""
    count = [0]

    def run(x):
        (net(x) ** 2).mean().backward()
        count[0] += 1
        if count[0] % 2 == 0:
            optimizer.step()
            optimizer.clear_grad()
        return net.weight.grad.sum()

    return run


def in_a_loop(net, optimizer):
    def run(x):
        total = paddle.zeros([])
        for row in x:
            loss = (net(row) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad(False)
            total = total + loss.detach()
        return total

    return run


def several_steps(net, optimizer):
    def run(x):
        losses = []
        for _ in range(3):
            loss = (net(x).tanh() ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(loss.detach())
        return paddle.stack(losses)

    return run


def only_the_backward(net, optimizer):
    def run(x):
        loss = net(x).exp().mean()
        loss.backward()
        return loss.detach()

    return run


def weighted(net, optimizer):
    def run(x):
        y = net(x)
        y.backward(y.detach() * 2)
        optimizer.step()
        optimizer.clear_grad(False)
        return y.detach()

    return run


def some_parameters(net, optimizer):
    """The bias gets no gradient, and stays."""

    def run(x):
        loss = (x @ net.weight).mean()
        loss.backward()
        optimizer.step()
        return net.bias.sum() + loss.detach()

    return run


def scaled_by_hand(net, optimizer):
    def run(x):
        loss = (net(x) ** 2).mean()
        loss.backward()
        for p in net.parameters():
            p.grad = p.grad * 0.5
        optimizer.step()
        optimizer.clear_grad()
        return loss.detach()

    return run


def in_a_branch(net, optimizer):
    def run(x):
        if x.sum() > 0:
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss.detach()
        return x.sum()

    return run


CASES = (accumulated, in_a_loop, several_steps, only_the_backward, weighted, some_parameters, scaled_by_hand, in_a_branch)


@pytest.mark.parametrize("case", CASES, ids=lambda f: f.__name__)
def test_where_gradients_go(case):
    (one, first), (other, second) = linear(), linear()
    plain, static = case(one, first), jit.to_static(case(other, second), input_spec=[InputSpec([None, 3])])
    for k in range(5):
        x = paddle.to_tensor(np.random.RandomState(k).randn(2 + k % 2, 3).astype("float32"))
        np.testing.assert_allclose(static(x).numpy(), plain(x).numpy(), rtol=1e-5, atol=1e-6)
        for p, q in zip(one.parameters(), other.parameters()):
            np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=1e-5, atol=1e-6)
            assert (p.grad is None) == (q.grad is None)
            if p.grad is not None:
                np.testing.assert_allclose(q.grad.numpy(), p.grad.numpy(), rtol=1e-5, atol=1e-6)
    assert len(static.program_cache) == 1


def slope(net):
    def run(x):
        (found,) = paddle.grad((net(x) ** 2).sum(), [x])
        return found

    return run


def test_grad_with_respect_to_an_input():
    net, _ = linear()
    x = paddle.to_tensor(np.eye(3, dtype="float32"), stop_gradient=False)
    np.testing.assert_allclose(jit.to_static(slope(net))(x).numpy(), slope(net)(x).numpy(), rtol=1e-6)


def penalty(net):
    def run(x):
        (found,) = paddle.grad((net(x) ** 2).sum(), [x], create_graph=True)
        return (found * found).sum()

    return run


def test_a_gradient_penalty_trains():
    grads = []
    for wrap in (lambda f: f, jit.to_static):
        net, _ = linear()
        run = wrap(penalty(net))
        for _ in range(2):
            run(paddle.to_tensor(np.eye(3, dtype="float32"), stop_gradient=False)).backward()
        grads.append(net.weight.grad.numpy())
    np.testing.assert_allclose(grads[1], grads[0], rtol=1e-5)


def test_a_frozen_parameter_stages_anew():
    net, optimizer = linear()
    static = jit.to_static(several_steps(net, optimizer))
    x = paddle.ones([2, 3])
    static(x)
    net.bias.stop_gradient = True
    before = net.bias.numpy().copy()
    static(x)
    np.testing.assert_array_equal(net.bias.numpy(), before)


# --- refused -------------------------------------------------------------------------------------------------------------


def written_in_place(net, x):
    y = net(x)
    y.add_(x[:, :2])
    y.mean().backward()


def overwritten(net, x):
    y = net(net.weight.sum() * x).mean()
    with paddle.no_grad():
        net.weight.add_(net.weight)
    y.backward()


def attempted(net, x):
    y = net(x)
    try:
        if y.sum() > 0:
            raise ValueError
    except ValueError:
        y = y * 2
    y.mean().backward()


def twice(net, x):
    loss = net(x).mean()
    loss.backward()
    loss.backward()


def nothing(net, x):
    x.mean().backward()


def of_an_input(net, x):
    net(x).mean().backward()
    return x.grad


def test_gradients_that_are_cleared_first_are_learnt_of_together(monkeypatch):
    stagings, once = [], stage._stage_once
    monkeypatch.setattr(stage, "_stage_once", lambda *args: stagings.append(1) or once(*args))
    net = nn.Sequential(*[nn.Linear(2, 2) for _ in range(6)])

    def run(x):
        net.clear_gradients()
        loss = net(x).mean()
        loss.backward()
        return loss

    jit.to_static(run)(paddle.ones([1, 2]))
    assert len(stagings) == 2


REFUSED = [
    (written_in_place, StagedValueError, "add_, which writes in place: compute a new tensor"),
    (overwritten, StagedValueError, "add_ changes in place what the gradient still needs"),
    (attempted, StagedValueError, "no backward form; ask for the gradient outside"),
    (twice, RuntimeError, "already used by an earlier backward"),
    (nothing, StagedValueError, "nothing here requires a gradient: no parameter"),
    (of_an_input, StagedValueError, r"use grad\(loss, \[x\]\)"),
]


@pytest.mark.parametrize(("function", "error", "words"), REFUSED, ids=[f.__name__ for f, _, _ in REFUSED])
def test_refused(function, error, words):
    net, _ = linear()

    def run(x):
        return function(net, x)

    with pytest.raises(error, match=words) as caught:
        jit.to_static(run)(paddle.ones([2, 3]))
    assert "test_steps.py" in str(caught.value) or caught.traceback[-1].name == function.__name__


def test_gradients_of_a_layer_that_is_an_argument_add_up_call_by_call():
    def run(net, x):
        net(x).mean().backward()

    plain, static = linear()[0], linear()[0]
    converted = jit.to_static(run)
    for _ in range(3):
        run(plain, paddle.ones([2, 3]))
        converted(static, paddle.ones([2, 3]))
        for expected, found in zip(plain.parameters(), static.parameters()):
            assert found.grad.tolist() == expected.grad.tolist()


def test_a_gradient_that_nobody_would_find_is_refused():
    net, _ = linear()
    hidden = weakref.ref(net)

    def run(x):
        hidden()(x).mean().backward()

    with pytest.raises(StagedValueError, match="would be lost"):
        jit.to_static(run)(paddle.ones([2, 3]))


def test_results_lead_nowhere_and_inputs_get_no_gradient():
    net, optimizer = linear()

    def run(x):
        loss = net(x).mean()
        loss.backward()
        return loss

    static = jit.to_static(run, input_spec=[InputSpec([2, 3])])
    with pytest.raises(RuntimeError, match=r"calls backward\(\) itself, which frees"):
        static(paddle.ones([2, 3])).backward()
    with pytest.raises(RuntimeError, match="can't fill the gradient of its input"):
        static(paddle.to_tensor(np.ones((2, 3), "float32"), stop_gradient=False))


def test_an_optimizer_of_arrays_is_refused():
    class Sign(paddle.optimizer.Optimizer):
        def _update(self, p, value, g, rate, decay):
            value -= rate * np.sign(g)

    made = step(models.Recurrent, lambda p: Sign(0.1, p))
    with pytest.raises(StagedValueError, match="step.. of Sign, which updates arrays; call it outside"):
        jit.to_static(made, input_spec=[models.Recurrent.spec]).forward.concrete_program
    made.forward.rollback()(paddle.to_tensor(models.Recurrent.batch(0).astype("float32")))


def needed(x, w):
    y = (x * w).sum() if x.sum() > 0 else x.sum()
    return paddle.grad(y, [w])[0]


def optional(x, w):
    y = (x * w).sum() if x.sum() > 0 else x.sum()
    (gradient,) = paddle.grad(y, [w], allow_unused=True)
    return x if gradient is None else gradient * 2


def test_grad_of_what_one_path_uses():
    specs = [InputSpec([2], stop_gradient=False)] * 2
    pairs = [[paddle.to_tensor([sign, 2.0 * sign], stop_gradient=False), paddle.ones([2])] for sign in (1.0, -1.0)]
    for _, w in pairs:
        w.stop_gradient = False
    for x, w in pairs:
        np.testing.assert_array_equal(jit.to_static(optional, input_spec=specs)(x, w), optional(x, w))
    static = jit.to_static(needed, input_spec=specs)
    np.testing.assert_array_equal(static(*pairs[0]), needed(*pairs[0]))
    for form in (needed, static):
        with pytest.raises(RuntimeError, match="pass allow_unused=True to get None"):
            form(*pairs[1])


def stepped(scheduler, optimizer):
    scheduler.step()


def set_rate(scheduler, optimizer):
    optimizer.set_lr_scheduler(scheduler)


def set_state(scheduler, optimizer):
    optimizer.set_state_dict({})


@pytest.mark.parametrize("change", [stepped, set_rate, set_state], ids=lambda f: f.__name__)
def test_what_would_run_while_staging_only_is_refused(change):
    net, _ = linear()
    scheduler = paddle.optimizer.lr.StepDecay(0.1, 2, 0.5)
    optimizer = paddle.optimizer.Lamb(scheduler, parameters=net.parameters())

    def run(x):
        net(x).mean().backward()
        optimizer.step()
        change(scheduler, optimizer)

    with pytest.raises(StagedValueError, match=r"test_steps.py:\d+: \w+\.\w+\(\) in a static function would run once"):
        jit.to_static(run)(paddle.ones([2, 3]))


def test_a_scheduler_that_goes_on_outside():
    losses = []
    for wrap in (lambda f: f, jit.to_static):
        net, _ = linear()
        scheduler = paddle.optimizer.lr.StepDecay(0.1, 2, 0.5)
        run = wrap(several_steps(net, paddle.optimizer.Lamb(scheduler, parameters=net.parameters())))
        losses.append([])
        for _ in range(4):
            losses[-1].append(run(paddle.ones([2, 3])).numpy())
            scheduler.step()
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)


def test_a_static_step_reads_the_learning_rate_and_refuses_to_set_it():
    net = paddle.nn.Linear(2, 1)
    optimizer = paddle.optimizer.SGD(0.5, parameters=net.parameters())

    @paddle.jit.to_static
    def scaled(x):
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss * 0 + optimizer.get_lr()

    assert float(scaled(paddle.ones([3, 2]))) == 0.5
    optimizer.set_lr(0.25)
    assert float(scaled(paddle.ones([3, 2]))) == 0.25

    @paddle.jit.to_static
    def slower(x):
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.set_lr(optimizer.get_lr() * 0.9)
        return loss

    with pytest.raises(StagedValueError, match=r"SGD.set_lr\(\) in a static function would run once"):
        slower(paddle.ones([3, 2]))
