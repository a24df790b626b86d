"""What a compiled layer holds: hooks, methods, closures and class attributes that change the layer itself."""

import copy
import functools

import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.jit.interface.errors import ScriptError

X = paddle.to_tensor([1.0])


class Counted(nn.Layer):
    """A layer whose hook counts its calls; `take` says how the hook holds the layer."""

    def __init__(self, take, at):
        super().__init__()
        self.inner = nn.ReLU()
        self.n = 0
        target = self if at == "itself" else self.inner
        target.register_forward_post_hook(take(self))

    def hook(self, layer, inputs, outputs):
        self.n += 1

    def forward(self, x):
        return self.inner(x) * self.n


def _closure(net):
    def hook(layer, inputs, outputs):
        net.n += 1

    return hook


def _bump(net, layer, inputs, outputs):
    net.n += 1


HELD = {
    "bound method": lambda net: net.hook,
    "closure": _closure,
    "lambda": lambda net: lambda layer, inputs, outputs: net.hook(layer, inputs, outputs),
    "partial": lambda net: functools.partial(_bump, net),
    "partial of a method": lambda net: functools.partial(net.hook),
}


class Turns(nn.Layer):
    """A bound method, kept and reassigned."""

    def __init__(self):
        super().__init__()
        self.turn = self.first

    def first(self, x):
        self.turn = self.second
        return x + 1

    def second(self, x):
        self.turn = self.first
        return x * 10

    def forward(self, x):
        return self.turn(x)


class OfClass(nn.Layer):
    K = 1

    def forward(self, x):
        self.K += 1
        return x * self.K


class OfClassInABranch(nn.Layer):
    K = 1

    def forward(self, x):
        y = x * self.K
        for i in range(3):
            if x.sum() > i:
                self.K += i + 1
        return y + self.K


class Holding(nn.Layer):
    """A function that reads the layer it is kept in."""

    def __init__(self):
        super().__init__()
        self.n = 1
        self.read = lambda x: x * self.n

    def forward(self, x):
        self.n += 1
        return self.read(x)


LAYERS = {f"{held}, {at}": functools.partial(Counted, HELD[held], at) for held in HELD for at in ("itself", "a part")}
LAYERS |= {"turns": Turns, "class": OfClass, "class, branch": OfClassInABranch, "holding": Holding}


def _loaded(net, path):
    jit.script(net).save(path / "m.pt")
    return jit.load(path / "m.pt")


WAYS = {
    "script": lambda net, path: jit.script(net),
    "loaded": _loaded,
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_deep_copy_is_as_plain(layer):
    """A closure of a deep copy holds what it held, as in plain Python; a bound method holds the copy."""
    plain, made = copy.deepcopy(LAYERS[layer]()), copy.deepcopy(jit.script(LAYERS[layer]()))
    assert [made(X).tolist() for _ in range(3)] == [plain(X).tolist() for _ in range(3)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("layer", LAYERS)
def test_the_copy_changes_itself(layer, way, tmp_path):
    """Three calls give what the layer gives, and leave the layer as it was."""
    plain, given = LAYERS[layer](), LAYERS[layer]()
    expected = [plain(X).tolist() for _ in range(3)]
    made = WAYS[way](given, tmp_path)
    assert [made(X).tolist() for _ in range(3)] == expected
    assert given(X).tolist() == expected[0]


class Keeps(nn.Layer):
    def __init__(self):
        super().__init__()
        self.mark = object()

    def forward(self, x):
        return self.mark


def test_an_object_that_is_known_by_nothing_is_refused_when_it_is_saved(tmp_path):
    with pytest.raises(ScriptError, match="no type for a value of object"):
        jit.script(Keeps())
    with pytest.raises(paddle.errors.ConversionError, match="the result holds an object.., which a file can't hold"):
        jit.save(Keeps(), tmp_path / "m", input_spec=[paddle.static.InputSpec([1])])
