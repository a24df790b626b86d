"""a.4: `to_static`, the function it makes, InputSpec, and the Programs that are kept."""

from __future__ import annotations

import copy
import gc
import weakref
from dataclasses import dataclass

import numpy as np
import pytest
from limits.agree import ROW, UP, VECTOR, as_programs, on_xn, plain

import dy2st as paddle
import dy2st.nn as nn
from dy2st.errors import Dy2stWarning
from dy2st.static import InputSpec

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")
to_static = paddle.jit.to_static
X = paddle.to_tensor(UP)


def branching(x):
    return x + 1 if x.sum() > 0 else x - 1


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x) if x.sum() > 0 else x

    def other(self, x):
        return self.linear(x) * 2


@to_static
def decorated(x):
    return branching(x)


@to_static(input_spec=[VECTOR])
def decorated_with_arguments(x):
    return branching(x)


class Decorated(nn.Layer):
    @to_static
    def forward(self, x):
        return branching(x)


def test_a4_01_forms_of_to_static():
    net = Net()
    assert to_static(net) is net
    other = to_static(net.other)
    for x in (X, -X):
        for function in (decorated, decorated_with_arguments, to_static(branching), Decorated(), Decorated().forward):
            assert plain(function(x)) == plain(branching(x))
        assert plain(net(x)) == plain(Net.forward(net, x)) and plain(other(x)) == plain(Net.other(net, x))


def test_a4_01_decorating_again_replaces():
    """The new spec counts, or the old one where none is given; there is nothing to warn of."""
    once = to_static(branching, input_spec=[VECTOR])
    other = to_static(once, input_spec=[InputSpec([3])])
    assert to_static(once)._input_spec == [VECTOR] and other._input_spec == [InputSpec([3])]
    assert plain(to_static(once)(X)) == plain(branching(X))


def test_a4_02_each_instance_has_programs_of_its_own():
    a, b = Decorated(), Decorated()
    assert a.forward is a.forward and a.forward is not b.forward
    a(X)
    assert (len(a.forward.program_cache), len(b.forward.program_cache)) == (1, 0)
    alive = [weakref.ref(a), weakref.ref(b)]
    del a, b
    gc.collect()
    assert [ref() for ref in alive] == [None, None]


class NoLayer:
    k = 3

    @to_static
    def forward(self, x):
        return x * self.k if x.sum() > 0 else x


def test_a4_03_methods_of_classes_that_are_no_layers():
    """They are static as well, where Paddle refuses them."""
    for x in (X, -X):
        assert plain(NoLayer().forward(x)) == plain(NoLayer().forward.dygraph_function(x))


def test_a4_04_there_is_no_static_mode_to_build_in():
    with pytest.raises(NotImplementedError, match="jit.to_static"):
        paddle.enable_static()


def with_defaults(x, y=2.0, *, z=None, flag=True):
    return x * y if flag else (x if z is None else x + z)


def test_a4_05_arguments_are_put_in_the_order_of_the_signature():
    """What doesn't fit it is Python's TypeError, where Paddle has ValueError for too many and missing ones."""
    static = to_static(with_defaults)
    calls = [((X,), {}), ((X, 3.0), {}), ((), {"y": X, "x": X}), ((X,), {"flag": False, "z": X}), ((UP,), {"flag": False})]
    for args, kwargs in calls:
        given = [paddle.to_tensor(a) if isinstance(a, np.ndarray) else a for a in args]
        assert plain(static(*args, **kwargs)) == plain(with_defaults(*given, **kwargs))
    for args, kwargs in [((X, 1.0, 2), {}), ((), {}), ((X,), {"unknown": 1}), ((X,), {"x": X})]:
        with pytest.raises(TypeError, match="with_defaults"):
            static(*args, **kwargs)


def nested_arguments(pair, table, k=1):
    return pair[0] * table["a"] + pair[1][0] * k


def test_a4_06_input_specs():
    """Tensors by `**kwargs` may go with a spec for the others, which Paddle refuses."""
    with pytest.raises(TypeError, match="list or tuple"):
        to_static(branching, input_spec=VECTOR)
    with pytest.raises(ValueError, match="2 entries"):
        to_static(branching, input_spec=[VECTOR, VECTOR])(X)
    shorter = to_static(with_defaults, input_spec=[VECTOR])
    assert plain(shorter(X, 3.0)) == plain(X * 3) and plain(shorter(X, X)) == plain(X * X)
    nested = to_static(nested_arguments, input_spec=[[VECTOR, (VECTOR,)], {"a": VECTOR}, 5])
    assert plain(nested([X, (X + 1,)], {"a": X}, 5)) == plain(X * X + (X + 1) * 5)
    with pytest.raises((TypeError, ValueError), match="pair"):
        nested([X], {"a": X}, 5)
    by_name = to_static(lambda x, **more: x + more["y"], input_spec=[VECTOR])
    assert plain(by_name(X, y=X)) == plain(X * 2)


def test_a4_07_a_spec_and_a_real_tensor():
    """A tensor that the spec doesn't cover is refused, dtype and all, where Paddle takes the tensor's."""
    static = to_static(branching, input_spec=[InputSpec([None], "float32")])
    static(X), static(paddle.ones([7]))
    assert len(static.program_cache) == 1
    with pytest.raises(ValueError, match="float64"):
        static(X.astype("float64"))
    with pytest.raises(ValueError, match=r"\[2, 2\]"):
        static(paddle.ones([2, 2]))
    x = paddle.to_tensor(UP, stop_gradient=False)
    static(x).sum().backward()
    assert plain(x.grad) == ("float32", [1.0, 1.0, 1.0])


def test_a4_08_input_spec_itself():
    spec = InputSpec([None, -1, 3], "float32", "x")
    assert tuple(spec.shape) == (-1, -1, 3) and spec.name == "x"
    for bad in ([1.5], ["a"], [None, 2.0], [[1]]):
        with pytest.raises((ValueError, TypeError)):
            InputSpec(bad)
    assert InputSpec([1], np.float64) == InputSpec([1], "float64") == InputSpec([1], paddle.float64)
    assert InputSpec.from_tensor(X, name="t") == InputSpec([3], "float32", "t", stop_gradient=True)
    assert InputSpec.from_numpy(ROW, name="n") == InputSpec([1, 3], "float32", "n")
    assert tuple(InputSpec([3]).batch(4).shape) == (4, 3) and tuple(InputSpec([4, 3]).unbatch().shape) == (3,)
    with pytest.raises(ValueError):
        InputSpec([]).unbatch()
    a, b = InputSpec([3], name="a"), InputSpec([3], name="b")
    assert hash(a) == hash(b) and a != b
    assert InputSpec([3]) != InputSpec([3], stop_gradient=True)
    assert "shape=(-1, -1, 3)" in repr(spec) and "float32" in repr(spec) and "x" in repr(spec)


def test_a4_09_default_names():
    static = to_static(lambda x, l, d, dl: x + l[0] + l[1] + d["a"] + dl[1]["u"] + dl[0])  # noqa: E741
    program = static.get_concrete_program(X, [X, X], {"a": X}, [X, {"u": X}])
    assert [spec.name for spec in program.inputs] == ["x", "l_0", "l_1", "a", "dl_0", "u"]


def test_a4_10_specs_of_one_name_are_inputs_of_their_own():
    """A name is for people: two inputs that are called the same are two."""
    static = to_static(lambda a, b: a - b, input_spec=[InputSpec([3], name="same"), InputSpec([3], name="same")])
    assert plain(static(X, X * 2)) == plain(X - X * 2)


@dataclass
class Options:
    k: int = 2


def by_value(x, option=None):
    return x * 2 if option is None else x + len(option) if hasattr(option, "__len__") else x


def test_a4_11_what_makes_another_program():
    static = to_static(by_value)
    values = [None, [1, 2], {"a": 1}, "text", {1, 2}, Options(3), 7, 7.0, True]
    for _ in range(2):
        for value in values:
            assert plain(static(X, copy.copy(value))) == plain(by_value(X, value))
    assert len(static.program_cache) == len(values)
    static(X), static(UP), static(X, option=None)
    assert len(static.program_cache) == len(values), "an array is a tensor, a default given is a default"
    static(X.astype("float64"))
    assert len(static.program_cache) == len(values) + 1
    with pytest.raises(TypeError, match="is not a dtype"):
        static(np.array(["text"]))


def test_a4_12_the_programs_that_are_kept():
    """A list: how many, the last one, all of them. Many Programs are no mistake here: each call of another shape has one."""
    static = to_static(branching)
    for length in range(1, 13):
        static(paddle.ones([length]))
    cache = static.program_cache
    assert len(cache) == 12 and cache[-1] is static.get_concrete_program(paddle.ones([12]))
    assert [p.inputs[0].shape[0] for p in cache] == list(range(1, 13))


def test_a4_13_the_program_of_a_function():
    static = to_static(branching)
    with pytest.raises(ValueError, match="no Program yet"):
        static.concrete_program  # noqa: B018
    with_spec = to_static(branching, input_spec=[VECTOR])
    assert [s.shape for s in with_spec.concrete_program.inputs] == [(-1,)]
    assert str(with_spec.main_program) == str(with_spec.concrete_program.main_program)
    assert len(with_spec.concrete_program.outputs) == 1 and "float32" in str(with_spec.concrete_program.outputs[0])
    static(X), static(paddle.ones([2]))
    with pytest.warns(Dy2stWarning, match="several kinds of arguments"):
        assert static.concrete_program.inputs[0].shape == (2,)
    static.get_concrete_program(InputSpec([5]))
    assert len(static.program_cache) == 3


def test_a4_14_code():
    code = to_static(branching).code
    assert "_jst.ifexp" in code and "def branching" in code


def test_a4_15_a_forward_keeps_its_layer_and_a_layer_that_was_rolled_back_dies_at_once():
    forward = to_static(nn.Linear(2, 1)).forward
    assert forward(paddle.ones([3, 2])).shape == [3, 1]
    net = to_static(nn.Linear(2, 1))
    kept = weakref.ref(net)
    net.forward.rollback()
    del net
    assert kept() is None


def test_a4_15_rollback():
    net = to_static(Net())
    plain_forward = net.forward.rollback()
    assert net.forward == plain_forward and not hasattr(net.forward, "program_cache")
    assert to_static(branching).rollback() is branching
    assert to_static(net.other).rollback() == net.other


def test_a4_16_deep_copies():
    net = to_static(Net())
    net(X)
    made = copy.deepcopy(net)
    made.linear.weight.set_value(made.linear.weight * 2)
    for x in (X, -X):
        assert plain(made(x)) == plain(Net.forward(made, x)) and plain(net(x)) == plain(Net.forward(net, x))
    assert made.forward is not net.forward
    assert plain(copy.deepcopy(to_static(branching))(X)) == plain(branching(X)), "a function's copy is static, too"


def test_a4_17_enable_to_static(tmp_path):
    static, ran = to_static(lambda x: ran.append(1) or x), []
    paddle.jit.enable_to_static(False)
    try:
        static(X), static(X)
        assert ran == [1, 1]
        with pytest.raises(RuntimeError, match="enable_to_static"):
            paddle.jit.save(to_static(branching, input_spec=[VECTOR]), str(tmp_path / "net"))
    finally:
        paddle.jit.enable_to_static(True)
    with pytest.raises(TypeError, match="bool"):
        paddle.jit.enable_to_static("yes")


class Moded(nn.Layer):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x) if self.training else x * 100


def test_a4_18_train_and_eval():
    net = to_static(Moded(), input_spec=[VECTOR])
    for mode, expected in (("eval", 100), ("train", None), ("eval", 100)):
        getattr(net, mode)()
        found = net(paddle.ones([400])).numpy()
        assert set(found.tolist()) == ({100.0} if expected else {0.0, 2.0})
    assert len(net.forward.program_cache) == 2


def test_a4_18_the_mode_of_functions(tmp_path):
    drop = nn.Dropout(0.5)
    static = to_static(lambda x: drop(x), input_spec=[VECTOR])
    ones = paddle.ones([400])
    for switch, expected in ((static.eval, {1.0}), (static.train, {0.0, 2.0})):
        switch()
        assert set(static(ones).numpy().tolist()) == expected
    paddle.jit.save(static, str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert set(loaded(ones).numpy().tolist()) == {0.0, 2.0} and plain(loaded.eval()(ones)) == plain(ones)
    net = to_static(Moded())
    net.forward.train()
    with pytest.raises(RuntimeError, match=r"call eval\(\) of the Moded"):
        net.forward.eval()


class WithProperties(nn.Layer):
    def __init__(self):
        super().__init__()
        self.factor = 3

    @property
    def k(self):
        return self.factor

    @to_static(property=True)
    def rate(self):
        return self.factor * 100

    def forward(self, x):
        return x * self.k if x.sum() > 0 else x


def test_a4_19_properties():
    net = to_static(WithProperties(), input_spec=[VECTOR])
    assert plain(net(X)) == plain(X * 3) and net.rate() == 300 and net.rate.is_property
    net.factor = 4
    assert plain(net(X)) == plain(X * 4) and net.rate() == 400
    for use in (lambda: net.rate.concrete_program, lambda: net.rate.main_program, net.rate.get_concrete_program):
        with pytest.raises(RuntimeError, match="rate is a property"):
            use()


def structured(x, n):
    y = x * 2
    return [y], (y, y), {"b": y, "a": [n, None]}, 7, "s", None, x, True


def test_a4_20_results_of_every_structure():
    on_xn(structured)
    static = to_static(structured)(X, paddle.to_tensor(1))
    assert static[0][0] is static[1][0] is static[1][1], "one tensor stays one"

    class Gives(nn.Layer):
        def __init__(self):
            super().__init__()
            self.w = self.create_parameter([3])

        def forward(self, x):
            return self.w, x

    net = to_static(Gives())
    assert plain(net(X)) == plain((net.w, X))


def gradients_of(function, *arrays, weights=None):
    xs = [paddle.to_tensor(a, stop_gradient=False) for a in arrays]
    result = function(*xs)
    results = [r for r in (result if isinstance(result, (list, tuple)) else [result]) if not r.stop_gradient]
    sum(r.sum() for r in results).backward()
    return [None if x.grad is None else plain(x.grad) for x in xs], [r.stop_gradient for r in results]


def through_branches(x, y):
    if x.sum() > 0:
        return x * x * y
    return x + y.detach()


def with_no_grad(x, y):
    with paddle.no_grad():
        z = x * y
    return z * x, z


def unused(x, y):
    return x * 3, x.detach()


def in_a_loop(x, y):
    while x.abs().sum() < 50:
        x = x * y + 1
    return x


@pytest.mark.parametrize("function", [through_branches, with_no_grad, unused, in_a_loop])
def test_a4_21_gradients_of_inputs(function):
    for sign in (1, -1):
        arrays = UP * sign, np.abs(UP) + 1
        assert gradients_of(to_static(function), *arrays) == gradients_of(function, *arrays)


def test_a4_21_gradients_of_parameters_over_several_calls():
    found = []
    for wrap in (lambda f: f, to_static):
        linear, spare = nn.Linear(3, 2), nn.Linear(3, 2)
        linear.weight.set_value(np.ones([3, 2], np.float32))
        f = wrap(lambda x: linear(x) ** 2 if x.sum() > 0 else linear(x))
        first, second = f(X), f(-X)
        (second * 3).sum().backward()
        first.sum().backward()
        f(X * 2).sum().backward()
        found.append((plain(linear.weight.grad), spare.weight.grad))
    assert found[0] == found[1]


def test_a4_21_gradients_of_higher_order_nested_inputs_and_nothing():
    def cube(x):
        return x * x * x if x.sum() > 0 else x

    found = []
    for f in (cube, to_static(cube)):
        x = paddle.to_tensor(UP, stop_gradient=False)
        (once,) = paddle.grad(f(x).sum(), x, create_graph=True)
        (twice,) = paddle.grad(once.sum(), x)
        found.append((plain(once), plain(twice)))
    assert found[0] == found[1] == (("float32", [3.0, 12.0, 27.0]), ("float32", [6.0, 12.0, 18.0]))
    pair = [paddle.to_tensor(UP, stop_gradient=False), {"k": paddle.to_tensor(UP, stop_gradient=False)}]
    to_static(lambda p: p[0] * p[1]["k"])(pair).sum().backward()
    assert plain(pair[0].grad) == plain(pair[1]["k"]) and plain(pair[1]["k"].grad) == plain(pair[0])
    empty = paddle.to_tensor(np.zeros([0], np.float32), stop_gradient=False)
    to_static(lambda x: x * 2)(empty).sum().backward()
    assert empty.grad.shape == [0]


class Buffers(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", paddle.zeros([3]))
        self.weights = nn.ParameterList([self.create_parameter([3]) for _ in range(3)])
        for i, w in enumerate(self.weights):
            w.set_value(np.full([3], i + 1, np.float32))

    def forward(self, x):
        self.mean = self.mean * 0.5 + x if x.sum() > 0 else self.mean
        for w in self.weights:
            x = x * w
        return x + self.mean


def test_a4_22_buffers_and_lists_of_parameters():
    eager, static = Buffers(), to_static(Buffers(), input_spec=[VECTOR])
    for x in (X, -X, X * 2):
        assert plain(eager(x)) == plain(static(x)) and plain(eager.mean) == plain(static.mean)


def random_parts(x):
    return paddle.rand([2]), nn.functional.dropout(x, 0.5), paddle.randn([2]) if x.sum() > 0 else paddle.uniform([2])


def test_a4_23_random_numbers_follow_the_seed():
    static, loaded = as_programs(random_parts, (VECTOR,))
    for sign in (1, -1):
        found = []
        for f in (random_parts, static, loaded):
            paddle.seed(11)
            found.append(plain(f(paddle.to_tensor(UP * sign))))
        assert found[0] == found[1] == found[2]


@pytest.mark.filterwarnings("ignore:auto_cast has no effect")
def test_a4_24_automatic_mixed_precision():
    linear = nn.Linear(3, 2)

    def inside(x):
        with paddle.amp.auto_cast(dtype="bfloat16"):
            y = linear(x)
        return y.astype("float32") if x.sum() > 0 else y.astype("float32") * 2

    for x in (X, -X):
        assert plain(to_static(inside)(x)) == plain(inside(x))
    static = to_static(lambda x: linear(x))
    with paddle.amp.auto_cast(dtype="bfloat16"):
        assert static(X).dtype == linear(X).dtype
    assert static(X).dtype == paddle.float32


def test_a4_25_build_strategy_and_backend():
    """Paddle's compiler changes no results: the NumPy engine runs in its place."""
    strategy = paddle.static.BuildStrategy()
    for backend in (None, "CINN"):
        assert plain(to_static(branching, build_strategy=strategy, backend=backend)(X)) == plain(branching(X))
    for wrong in ({"backend": "unknown"}, {"build_strategy": 1}):
        with pytest.raises((TypeError, ValueError), match=next(iter(wrong))):
            to_static(branching, **wrong)


def losses_of(wrap):
    paddle.seed(5)
    embed, cell, head = nn.Embedding(7, 4), nn.LSTM(4, 5), nn.Linear(5, 7)
    layers = nn.LayerList([embed, cell, head])
    optimizer = paddle.optimizer.Adam(0.1, parameters=layers.parameters())
    words = paddle.to_tensor(np.array([[1, 2, 3, 4, 5], [2, 4, 6, 1, 3]]))

    def language_model(words):
        states, _ = cell(embed(words[:, :-1]))
        if words.sum() > 1000:
            states = states * 0
        return nn.functional.cross_entropy(head(states), words[:, 1:])

    model = wrap(language_model)
    losses = []
    for _ in range(10):
        loss = model(words)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def test_a4_26_a_small_model_trains_as_it_does_eagerly():
    eager, static = losses_of(lambda f: f), losses_of(to_static)
    np.testing.assert_allclose(static, eager, rtol=1e-5)
    assert eager[-1] < eager[0] * 0.8


OPTIMIZERS = {
    "SGD": {}, "Momentum": {}, "Adam": {}, "AdamW": {}, "Adagrad": {}, "Adadelta": {}, "Adamax": {}, "RMSProp": {}, "Lamb": {},
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a4_27_a_whole_step_as_one_program(name):
    found = []
    for wrap in (lambda f: f, to_static):
        w = nn.Layer().create_parameter([3])
        w.set_value(UP)
        schedule = paddle.optimizer.lr.StepDecay(0.1, step_size=2)
        optimizer = getattr(paddle.optimizer, name)(learning_rate=schedule, parameters=[w])

        def step(x):
            loss = ((w * x) ** 2).sum()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        step = wrap(step)
        losses = []
        for _ in range(4):
            losses.append(float(step(X)))
            schedule.step()
        found.append([*losses, *w.numpy().tolist()])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-5)


class Partly(nn.Layer):
    @paddle.jit.not_to_static
    def skipped(self, x):
        return x * 2 if self is not None else x

    def forward(self, x):
        return self.skipped(x) if x.sum() > 0 else x


def test_a4_28_parts_that_are_not_static():
    net = to_static(Partly(), input_spec=[VECTOR])
    assert plain(net(X)) == plain(X * 2) and plain(net(-X)) == plain(-X)
