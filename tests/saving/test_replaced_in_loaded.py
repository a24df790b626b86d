"""What replaces a parameter or buffer of a loaded model is what the Program runs on, as in plain Python; the rest is refused."""

import tempfile

import numpy as np
import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.static import InputSpec


class Part(nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([2])
        self.scale = self.create_parameter([2])
        self.alias = self.scale
        self.register_buffer("offset", paddle.to_tensor([0.5, 0.25]))
        self.register_buffer("seen", paddle.zeros([2]))

    def forward(self, x):
        self.seen = self.seen + x
        return (x * self.weight + self.offset) * self.scale + self.seen * 0


class Whole(nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([2])
        self.part = Part()

    def forward(self, x):
        return self.part(x) + self.weight


X = np.array([2.0, 3.0], "float32")
NEW = np.array([5.0, 7.0], "float32")


def a_parameter(value=NEW):
    made = paddle.create_parameter(list(value.shape), "float32")
    made.set_value(value)
    return made


def saved_and_loaded(how, path):
    plain = Whole()
    if how == "to_static":
        paddle.jit.save(plain, str(path / "m"), input_spec=[InputSpec([2], "float32", "x")])
    else:
        paddle.jit.save(paddle.jit.script(plain), str(path / "m"))
    return plain, paddle.jit.load(str(path / "m"))


def called(model, how):
    return model(paddle.to_tensor(X)).numpy()


def called_without_gradients(model, how):
    with paddle.no_grad():
        return model(paddle.to_tensor(X)).numpy()


def gradient(model, how):
    x = paddle.to_tensor(X)
    parameters = dict(model.named_parameters())
    model(x).sum().backward()
    found = np.stack([parameters[name].grad.numpy() for name in ("weight", "part.weight")])
    for parameter in parameters.values():
        parameter.clear_gradient()
    return found


def saved_again(model, how):
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(model, Whole):
            return called(model, how)
        paddle.jit.save(model, folder + "/again")
        return called(paddle.jit.load(folder + "/again"), how)


def bound(model, how):
    if isinstance(model, Whole) or how == "script":
        return called(model, how)
    out = np.zeros(2, "float32")
    model.bind(x=X, out=out)()
    return out


CALLERS: dict = {}


def called_by_a_static_function(model, how):
    if id(model) not in CALLERS:
        CALLERS[id(model)] = model, paddle.jit.to_static(lambda x: model(x) * 2)
    return CALLERS[id(model)][1](paddle.to_tensor(X)).numpy()


USES = [called_by_a_static_function, called, called_without_gradients, gradient, saved_again, bound]
STORES = {"weight": a_parameter, "part.weight": a_parameter, "part.offset": lambda: paddle.to_tensor(NEW)}


def store(model, path, value):
    *steps, name = path.split(".")
    for step in steps:
        model = getattr(model, step)
    setattr(model, name, value)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("path", STORES)
@pytest.mark.parametrize("how", ["to_static", "script"])
def test_the_program_runs_on_what_replaces_a_tensor(how, path, use, tmp_path):
    plain, loaded = saved_and_loaded(how, tmp_path)
    for model in (plain, loaded):
        use(model, how), use(model, how)  # the second call is another path
    value = STORES[path]()
    store(plain, path, value)
    store(loaded, path, value)
    for _ in range(2):
        np.testing.assert_array_equal(use(loaded, how), use(plain, how))
    held = dict([*loaded.named_parameters(), *loaded.named_buffers()])[path]
    assert held is value


def test_a_bound_call_follows(tmp_path):
    _, loaded = saved_and_loaded("to_static", tmp_path)
    out = np.zeros(2, "float32")
    run = loaded.bind(x=X, out=out)
    before = run().copy()
    loaded.weight = a_parameter()
    assert not np.array_equal(run(), before)
    np.testing.assert_array_equal(out, called(loaded, "to_static"))


def test_an_optimizer_trains_what_replaces_a_parameter(tmp_path):
    _, loaded = saved_and_loaded("to_static", tmp_path)
    loaded.weight = a_parameter()
    optimizer = paddle.optimizer.SGD(1.0, parameters=loaded.parameters())
    loaded(paddle.to_tensor(X)).sum().backward()
    optimizer.step()
    np.testing.assert_array_equal(loaded.weight.numpy(), NEW - 1)


REFUSED = {
    "part.seen": ("state", lambda: paddle.zeros([2]), AttributeError, r"part\.seen is state, which the methods of the loaded"),
    "part.scale": ("both", a_parameter, AttributeError, r"part\.scale and part\.alias of the loaded Whole are one tensor"),
    "part.alias": ("both", a_parameter, AttributeError, r"part\.alias and part\.scale of the loaded Whole are one tensor"),
    "part": ("both", Part, AttributeError, "part is a layer of the loaded Whole, whose code is in the file"),
    "weight": ("both", lambda: a_parameter(X[:1]), TypeError, r"a Parameter of type float32\[1\] can't take its place"),
    "part.weight": ("both", lambda: paddle.zeros([2]), TypeError, r"a Tensor of type float32\[2\] can't take its place"),
    "part.offset": ("both", lambda: None, TypeError, "a NoneType can't take its place"),
}


@pytest.mark.parametrize("path", REFUSED)
@pytest.mark.parametrize("how", ["to_static", "script"])
def test_what_the_program_cant_follow_is_refused(how, path, tmp_path):
    which, value, error, words = REFUSED[path]
    plain, loaded = saved_and_loaded(how, tmp_path)
    if which == "state" and how == "script":  # whose attributes are the state
        store(loaded, path, paddle.to_tensor(NEW))
        called(loaded, how)
        np.testing.assert_array_equal(loaded.part.seen.numpy(), NEW + X)
        return
    with pytest.raises(error, match=words):
        store(loaded, path, value())
    np.testing.assert_array_equal(called(loaded, how), called(plain, how))


@pytest.mark.parametrize("path", ["weight", "part.weight", "part.offset", "part", "part.scale"])
@pytest.mark.parametrize("how", ["to_static", "script"])
def test_what_the_program_reads_cant_be_deleted(how, path, tmp_path):
    plain, loaded = saved_and_loaded(how, tmp_path)
    *steps, name = path.split(".")
    owner = getattr(loaded, steps[0]) if steps else loaded
    with pytest.raises(AttributeError, match="needs"):
        delattr(owner, name)
    np.testing.assert_array_equal(called(loaded, how), called(plain, how))


def test_what_is_added_under_a_name_that_the_program_reads_is_refused(tmp_path):
    _, loaded = saved_and_loaded("to_static", tmp_path)
    with pytest.raises(KeyError, match="assign the attribute to replace it"):
        loaded.part.add_parameter("weight", a_parameter())
    with pytest.raises(KeyError, match="assign the attribute to replace it"):
        loaded.part.register_buffer("offset", paddle.zeros([2]))


def test_a_parameter_replaced_in_a_recording_is_refused(tmp_path):
    _, loaded = saved_and_loaded("to_static", tmp_path)
    weight = a_parameter()

    @paddle.jit.to_static
    def replaces(x):
        loaded.weight = weight
        return loaded(x)

    with pytest.raises(paddle.errors.ConversionError, match="weight"):
        replaces(paddle.to_tensor(X))
