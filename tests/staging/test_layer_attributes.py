"""Attributes of a layer that a call stores: each lands in the table that it has eagerly, or is refused at the user's line."""

import itertools

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError
from dy2st.nn.parameter import Parameter

TABLES = ("_parameters", "_buffers", "_sub_layers")
NAMES = ("parameter", "buffer", "unsaved", "sublayer", "plain", "new")
VALUES = {
    "Parameter": lambda: Parameter(np.ones(2, "float32")),
    "Tensor": lambda: paddle.ones([3]),
    "ndarray": lambda: np.ones(3),
    "NumPy number": lambda: np.float32(2.0),
    "float": lambda: 1.5,
    "None": lambda: None,
    "Layer": nn.ReLU,
    "str": lambda: "s",
}
CALLS = {"at once": (1.0, 2.0, -1.0), "later": (-1.0, 1.0, -1.0)}


class Net(nn.Layer):
    def __init__(self, value):
        super().__init__()
        self.parameter = Parameter(np.zeros(2, "float32"))
        self.register_buffer("buffer", paddle.zeros([3]))
        self.unsaved = paddle.zeros([3])
        self.sublayer, self.plain, self.held = nn.ReLU(), 1.0, [value]


class Straight(Net):
    def forward(self, x, name):
        setattr(self, name, self.held[0])
        return x + 1


class InIf(Net):
    def forward(self, x, name):
        if x.sum() > 0:
            setattr(self, name, self.held[0])
        return x + 1


class InWhile(Net):
    def forward(self, x, name):
        left = x.sum()
        while left > 0:
            setattr(self, name, self.held[0])
            left = left - 1
        return x + 1


class BySuper(Straight):
    def __setattr__(self, name, value):
        super().__setattr__(name, value)


class Deleted(Net):
    def forward(self, x, name):
        if hasattr(self, name):
            delattr(self, name)
        return x + 1


class Alternating(Net):
    def forward(self, x, name):
        if getattr(self, name, None) is None:
            setattr(self, name, self.held[0])
        else:
            setattr(self, name, None)
        return x + 1


class Anew(Net):
    def forward(self, x, name):
        delattr(self, name)
        setattr(self, name, self.given(x))
        return x + 1

    def given(self, x):
        return self.held[0]


class AnewInIf(Anew):
    def forward(self, x, name):
        if x.sum() > 0:
            delattr(self, name)
            setattr(self, name, self.given(x))
        return x + 1


class AnewAfterIf(Anew):
    def forward(self, x, name):
        if x.sum() > 0:
            delattr(self, name)
        else:
            return x
        setattr(self, name, self.given(x))
        return x + 1


class AnewOnBothPaths(Anew):
    def forward(self, x, name):
        delattr(self, name)
        if x.sum() > 0:
            setattr(self, name, self.given(x))
        else:
            setattr(self, name, None)
        return x + 1


class AnewInWhile(Anew):
    def forward(self, x, name):
        left = x.sum()
        while left > 0:
            delattr(self, name)
            setattr(self, name, self.given(x))
            left = left - 1
        return x + 1


class AnewInFor(Anew):
    def forward(self, x, name):
        for _ in range(2):
            delattr(self, name)
            setattr(self, name, self.given(x))
        return x + 1


class AnewByNumber(Anew):
    def forward(self, x, name):
        setattr(self, name, 1.5)
        setattr(self, name, self.given(x))
        return x + 1


class PutBack(Anew):
    def forward(self, x, name):
        held = getattr(self, name)
        delattr(self, name)
        setattr(self, name, held)
        return x + 1


class Computed:
    def given(self, x):
        return x * 2


KINDS = (Straight, InIf, InWhile, BySuper, Deleted, Alternating)
ANEW = (Anew, AnewInIf, AnewAfterIf, AnewOnBothPaths, AnewInWhile, AnewInFor, AnewByNumber, PutBack)
OF_INPUTS = [type(f"{kind.__name__}Computed", (Computed, kind), {}) for kind in ANEW]
CASES = [*itertools.product(KINDS, NAMES, VALUES, CALLS), *itertools.product(ANEW, NAMES, VALUES, CALLS)]
CASES += itertools.product(OF_INPUTS, NAMES, ["None"], CALLS)


def _told(value):
    return type(value).__name__, value.tolist() if isinstance(value, paddle.Tensor | np.ndarray) else str(value)


def _tables(net):
    own = {name: value for name, value in vars(net).items() if not name.startswith("_") and name not in ("forward", "held")}
    tables = [own, *(getattr(net, table) for table in TABLES)]
    told = [[(name, _told(value)) for name, value in table.items()] for table in tables]
    return told, list(net.state_dict()), sorted(net._non_persistable_buffer_names_set)


def _calls(kind, name, value, numbers, is_static):
    """What each call gives and leaves; a refusal ends them, and leaves what there was."""
    net = kind(VALUES[value]())
    forward = paddle.jit.to_static(net) if is_static else net
    for number in numbers:
        before = _tables(net)
        try:
            result = forward(paddle.to_tensor([number]), name).tolist()
        except ConversionError as error:
            assert "test_layer_attributes.py" in str(error) and _tables(net) == before
            return
        except (TypeError, AttributeError) as error:
            result = str(error)
        yield result, _tables(net)


@pytest.mark.long
@pytest.mark.parametrize("kind, name, value, calls", sampled(CASES, 14))
def test_each_lands_where_it_does_eagerly(kind, name, value, calls):
    plain = [*_calls(kind, name, value, CALLS[calls], False)]
    static = [*_calls(kind, name, value, CALLS[calls], True)]
    assert static == plain[: len(static)]
    if kind is Straight and name != "parameter" and value in ("Tensor", "float", "str"):
        assert len(static) == len(plain)


@pytest.mark.parametrize("name, value, told", [
    ("parameter", "Parameter", "which parameters a model has"), ("parameter", "None", "which parameters a model has"),
    ("buffer", "ndarray", "write dy2st.to_tensor"), ("new", "NumPy number", "write dy2st.to_tensor"),
])  # fmt: skip
@pytest.mark.parametrize("kind", [InIf, InWhile])
def test_what_state_cannot_hold_is_refused_on_a_path(kind, name, value, told):
    with pytest.raises(ConversionError, match=told):
        paddle.jit.to_static(kind(VALUES[value]()))(paddle.ones([1]), name)


@pytest.mark.parametrize("value", ["Tensor", "float", "str", "Layer"])
def test_a_saved_buffer_stays_saved_where_a_path_has_not_replaced_it(value):
    net = InIf(VALUES[value]())
    paddle.jit.to_static(net)(-paddle.ones([1]), "buffer")
    assert list(net.state_dict()) == ["parameter", "buffer"] and net.buffer.tolist() == [0, 0, 0]


@pytest.mark.parametrize("kind", [AnewInIf, AnewAfterIf, AnewOnBothPaths, AnewInWhile])
@pytest.mark.parametrize("value", ["Tensor", "None"])
def test_a_saved_buffer_stored_anew_on_a_path_is_refused(kind, value):
    with pytest.raises(ConversionError, match="store into it without deleting it"):
        paddle.jit.to_static(kind(VALUES[value]()))(paddle.ones([1]), "buffer")
