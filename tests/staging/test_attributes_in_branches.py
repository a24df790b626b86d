"""Every attribute of tensors, parameters and layers that can be set, set on one path: staging leaves it as it was."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dy2st
from dy2st import nn
from dy2st.errors import ConversionError, Dy2stError
from dy2st.static import InputSpec

VALUES = {
    "stop_gradient": (False, True),
    "requires_grad": (True, False),
    "trainable": (True, False),
    "grad": (None, "tensor"),
    "data": ("tensor",),
    "name": ("renamed",),
    "persistable": (True, False),
    "note": (3, "tensor"),
    "training": (False, True),
    "in_features": (7,),
    "weight": ("parameter", None),
    "bias": ("parameter", None),
    "mean": ("tensor", None),
    "inner": ("layer", None),
    "steps": (1, "tensor"),
}
TENSOR = ("stop_gradient", "requires_grad", "grad", "data", "name", "persistable", "note")
NAMES = {
    "tensor": TENSOR,
    "parameter": (*TENSOR, "trainable"),
    "layer": ("training", "in_features", "weight", "bias", "mean", "inner", "steps", "note"),
}
MADE = {
    "tensor": lambda: dy2st.ones([3]),
    "parameter": lambda: nn.Linear(3, 3).bias,
    "layer": lambda: Model(),
}


class Model(nn.Linear):
    def __init__(self):
        super().__init__(3, 3)
        self.register_buffer("mean", dy2st.zeros([3]))
        self.inner, self.steps = nn.Linear(3, 1), 0


def new(kind):
    made = {"tensor": dy2st.zeros([3]), "parameter": nn.Linear(3, 3).bias, "layer": nn.Linear(3, 1)}
    return made.get(kind, kind)


def stores(owner, name, value, at_once):
    """A function that stores the attribute: at once, or where a tensor's value is positive."""

    def unconditional(x):
        setattr(owner, name, value)
        return x + 1

    def conditional(x):
        if x.sum() > 0:
            setattr(owner, name, value)
        return x + 1

    return unconditional if at_once else conditional


def held(owner, name):
    """What an attribute holds: an object of Python's by its value, another one by its identity, a tensor by both."""
    found = getattr(owner, name, "absent")
    if isinstance(found, dy2st.Tensor):
        return id(found), "staged" if found.is_staged else found.numpy().tolist()
    return found if isinstance(found, bool | int | str | None) else id(found)


def values_of(owner, name):
    """The same, with tensors by their elements alone: a call makes them anew."""
    found = getattr(owner, name, "absent")
    return found.numpy().tolist() if isinstance(found, dy2st.Tensor) else held(owner, name)


CELLS = [
    (kind, name, value, at_once)
    for kind, names in NAMES.items()
    for name in names
    for value, at_once in itertools.product(VALUES[name], (False, True))
]


@pytest.mark.parametrize("kind, name, value, at_once", CELLS)
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_l_04_staging_leaves_every_attribute_as_it_was(kind, name, value, at_once):
    owner = MADE[kind]()
    function = stores(owner, name, new(value), at_once)
    before, order = held(owner, name), list(vars(owner))
    try:
        dy2st.jit.to_static(function).get_concrete_program(InputSpec([3], "float32"))
    except Dy2stError as error:
        assert isinstance(error, ConversionError) and __file__ in str(error)
    else:
        if at_once and name in ("stop_gradient", "requires_grad", "trainable"):
            return  # outside of control flow staging does what each call would do
    assert (held(owner, name), list(vars(owner))) == (before, order)


@pytest.mark.parametrize("kind, name, value, at_once", CELLS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
def test_l_04_a_call_leaves_each_attribute_as_plain_python_does(kind, name, value, at_once, sign):
    x, left = dy2st.to_tensor(np.full(3, sign, np.float32)), []
    given = new(value)
    for is_static in (False, True):
        owner = MADE[kind]()
        function = stores(owner, name, given, at_once)
        before = held(owner, name)
        try:
            (dy2st.jit.to_static(function) if is_static else function)(x)
        except Dy2stError as error:
            assert isinstance(error, ConversionError) and __file__ in str(error) and is_static
            assert held(owner, name) == before
            return
        except (TypeError, AttributeError, ValueError, RuntimeError) as error:
            left.append(type(error))
            continue
        left.append(values_of(owner, name) if at_once or sign > 0 else before == held(owner, name))
    assert left[0] == left[1]


@pytest.mark.parametrize("kind", ["tensor", "parameter", "layer"])
def test_l_04_requires_grad_on_a_path_that_is_not_taken_is_refused(kind):
    owner = MADE[kind]()
    tensors = owner.parameters() if kind == "layer" else [owner]
    before = [tensor.stop_gradient for tensor in tensors]

    def conditional(x):
        if x.sum() > 0:
            owner.requires_grad_(before[0])
        return x + 1

    with pytest.raises(ConversionError, match=f"{__file__}.*of a tensor from outside"):
        dy2st.jit.to_static(conditional)(dy2st.to_tensor([-1.0]))
    assert [tensor.stop_gradient for tensor in tensors] == before
