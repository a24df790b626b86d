"""What is changed in a layer, or in a part of it, after it was compiled: followed, or refused in words."""

import copy
import io

import numpy as np
import pytest

import dy2st as paddle
from dy2st import jit, nn

# mypy: ignore-errors


class Part(nn.Layer):
    final: jit.Final[int]

    def __init__(self, k=2):
        super().__init__()
        self.k, self.final, self.count, self.scale, self.turns, self.pair = k, 3, 0, 0.5, 2, (1, 2)
        self.weight = self.create_parameter([1])
        self.register_buffer("buffer", paddle.zeros([1]))
        self.plain = paddle.ones([1])

    def forward(self, x):
        self.count += 1
        for step in (1, 2, 3)[: self.turns]:
            x = x * step
        x = x.reshape([self.pair[0], -1])
        return x * self.k * self.final * self.scale + self.weight + self.buffer + self.plain + self.count


class Whole(nn.Layer):
    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x):
        return self.part(x) * 2


X = paddle.arange(4, dtype="float32")
CHANGES = {
    "k": 7, "final": 11, "count": 100, "scale": 2.5, "turns": 3, "pair": (2, 2), "buffer": paddle.full([1], 9.0),
    "plain": paddle.full([1], 4.0), "weight": nn.Linear(2, 1).bias,
}  # fmt: skip


@pytest.fixture(scope="module")
def compiled():
    """Plain and scripted: from a plain part, and from one that was scripted by itself."""
    parts = Part(), Part()
    return [(Whole(part), jit.script(Whole(wrap(part)))) for part, wrap in zip(parts, (lambda part: part, jit.script))]


@pytest.mark.parametrize("name", CHANGES)
def test_a_part_of_a_scripted_layer(compiled, name):
    for plain, made in compiled:
        np.testing.assert_allclose(made(X).numpy(), plain(X).numpy(), rtol=1e-6)
        setattr(plain.part, name, CHANGES[name])
        setattr(made.part, name, CHANGES[name])
        np.testing.assert_allclose(made(X).numpy(), plain(X).numpy(), rtol=1e-6)


def test_another_part(compiled):
    for plain, made in compiled:
        plain.part = made.part = other = Part(13)
        expected = plain(X).numpy()
        other.count = 0
        np.testing.assert_allclose(made(X).numpy(), expected, rtol=1e-6)


def test_a_value_of_another_type():
    made = jit.script(Whole(Part()))
    made.part.k = "two"
    with pytest.raises(TypeError, match=r"part\.k is 'two' \(str\) now; .* as int"):
        made(X)
    made.part.k, made.part.scale = 2, 3  # an int where a float is asked for is one
    assert made(X).dtype == paddle.float32 and type(made.part.scale) is float


def test_a_loaded_layer():
    plain = Whole(Part())
    file = io.BytesIO()
    jit.script(plain).save(file)
    file.seek(0)
    made = jit.load(file)
    for name in ("k", "count", "scale", "buffer", "weight"):
        setattr(plain.part, name, CHANGES[name])
        setattr(made.part, name, CHANGES[name])
        np.testing.assert_allclose(made(X).numpy(), plain(X).numpy(), rtol=1e-6)
    for name, value in (("k", 1.5), ("weight", paddle.ones([1])), ("buffer", paddle.ones([3]))):
        with pytest.raises(TypeError, match=rf"part\.{name}"):
            setattr(made.part, name, value)
    with pytest.raises(AttributeError, match="constant"):
        made.part.final = 4
    with pytest.raises(TypeError, match="@export"):
        made.part(X)


def test_a_trace_is_frozen_but_for_its_tensors():
    plain = Whole(Part())
    plain.eval()
    made = jit.trace(plain, X, check_trace=False)
    made.train()
    assert not plain.training
    before = made(X).numpy()
    made.part.k = 50
    np.testing.assert_array_equal(made(X).numpy(), before)
    for name in ("buffer", "weight"):
        moved = (CHANGES[name].numpy() - getattr(made.part, name).numpy()).item() * 2
        setattr(made.part, name, CHANGES[name])
        np.testing.assert_allclose(made(X).numpy(), before + moved, rtol=1e-5)
        before = made(X).numpy()
    assert plain.part.buffer.tolist() == [0.0]
    made.part.buffer = paddle.ones([3])
    with pytest.raises(TypeError, match=r"part\.buffer was traced as float32\[1\]"):
        made(X)


def test_casts_hooks_and_further_parts():
    plain = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    made, x = jit.script(plain), X.reshape([1, 4])
    before = made(x).numpy()
    made.double()
    assert made(x.astype("float64")).dtype == paddle.float64
    made.float()
    np.testing.assert_allclose(reloaded(made)(x).numpy(), before, rtol=1e-6)  # for the dtype that still makes sense
    traced = jit.trace(nn.Linear(4, 4), x)
    traced.double()
    for _ in range(2):
        with pytest.raises(TypeError, match="weight was traced as float32"):
            traced(x)
    traced.float()
    assert traced(x).dtype == paddle.float32
    hook = made._shadow[0].register_forward_post_hook(lambda layer, inputs, output: output * 10)
    np.testing.assert_allclose(made(x).numpy(), before * 10, rtol=1e-6)
    hook.remove()
    np.testing.assert_allclose(made(x).numpy(), before, rtol=1e-6)
    made._shadow.append(nn.Linear(4, 1))
    assert made(x).shape == [1, 1]


def reloaded(made):
    file = io.BytesIO()
    made.save(file)
    file.seek(0)
    return jit.load(file)


def test_a_deep_copy_has_its_own_parameters_and_attributes():
    for make in (lambda: jit.script(Whole(Part())), lambda: jit.script(Whole(jit.script(Part())))):
        made = make()
        made(X)
        other = copy.deepcopy(made)
        np.testing.assert_array_equal(other(X).numpy(), made(X).numpy())
        other.part.k, other.part.weight = 5, CHANGES["weight"]
        other(X)
        assert (made.part.k, made.part.count, other.part.count) == (2, 2, 3)
        assert made(X).tolist() != other(X).tolist() and "def forward(" in other.code
    traced = jit.trace(nn.Linear(4, 2), X)
    other = copy.deepcopy(traced)
    other.bias.set_value(other.bias + 1)
    np.testing.assert_allclose(other(X).numpy(), traced(X).numpy() + 1, rtol=1e-6)


class Settings:
    factor = 3

    def __init__(self):
        self.offset, self.steps = 2, [1, 2]


SETTINGS, LAYER = Settings(), Part()


@jit.script
def uses_objects(x):
    return x * SETTINGS.offset * SETTINGS.factor + SETTINGS.steps[0] + LAYER(x)


def test_objects_that_a_function_names(monkeypatch):
    monkeypatch.setattr(LAYER, "count", 0)
    for owner, name, value in ((SETTINGS, "offset", 5), (Settings, "factor", 7), (SETTINGS, "steps", [9]), (LAYER, "k", 11)):
        monkeypatch.setattr(owner, name, value)
        LAYER.count = 0
        got = uses_objects(X).numpy()
        LAYER.count = 0
        np.testing.assert_allclose(got, uses_objects._plain(X).numpy(), rtol=1e-6)
