"""functionalize against torch's: the same operators in the same order, spare views aside, and the same values."""

from __future__ import annotations

import re

import numpy as np
import pytest
from func.test_functionalize import operators

import dy2st
from dy2st.func import functionalize, make_program

torch = pytest.importorskip("torch", reason="compares with torch")
VALUES = np.arange(6, dtype="float32").reshape(2, 3) - 2
NAMES = {"view": "reshape", "view_copy": "reshape_copy"}


def intermediate(a):
    b = a + 1
    b.view([-1]).add_(1)
    return b


def an_input(a):
    a.view([-1]).add_(1)
    return a


def several(a):
    b = a * 2
    b.view([3, 2]).abs_()
    b[0].add_(b[1])
    b.t()[1].fill_(3)
    return b


def operators_of_torch(f, remove: str) -> list[str]:
    from torch.fx.experimental.proxy_tensor import make_fx

    code = make_fx(torch.func.functionalize(f, remove=remove))(torch.tensor(VALUES)).code
    return [NAMES.get(name, name) for name in re.findall(r"torch\.ops\.aten\.(\w+?)(?:\.\w+)?\(", code)]


def is_with_spare_views(longer: list[str], shorter: list[str]) -> bool:
    """Whether one list of operators is the other with further views in it."""
    left = list(shorter)
    for name in longer:
        if left and name == left[0]:
            left.pop(0)
        elif not name.startswith("reshape"):
            return False
    return not left


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("f", [intermediate, an_input])
def test_the_same_operators(f, remove):
    mine = operators(make_program(functionalize(f, remove=remove))(dy2st.to_tensor(VALUES)).code)
    assert is_with_spare_views(operators_of_torch(f, remove), mine)


@pytest.mark.parametrize("remove", ["mutations", "mutations_and_views"])
@pytest.mark.parametrize("f", [intermediate, an_input, several])
def test_the_same_values(f, remove):
    mine, theirs = dy2st.to_tensor(VALUES.copy()), torch.tensor(VALUES)
    got, expected = functionalize(f, remove=remove)(mine), f(theirs)
    np.testing.assert_array_equal(got.numpy(), expected.numpy())
    np.testing.assert_array_equal(mine.numpy(), theirs.numpy())
