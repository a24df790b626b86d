"""Members of the user's enums that a tensor chooses, combines and compares: constants, whose operators change nothing."""

from __future__ import annotations

from enum import Enum, Flag, IntEnum, auto

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import functions_of
from .paths import assert_agrees_on_all_paths, in_two_dtypes


class Mode(Enum):
    LOW = "low"
    HIGH = "high"

    def flipped(self):
        return Mode.HIGH if self is Mode.LOW else Mode.LOW


class Level(IntEnum):
    NONE = 0
    SOME = 1


class Perm(Flag):
    READ = auto()
    WRITE = auto()
    BOTH = READ | WRITE


def members_chosen(x, n):
    mode = Mode.LOW if n > 1 else Mode.HIGH
    for _ in range(n):
        mode = mode.flipped()
    return mode.name, mode.value, mode is Mode.LOW, mode in (Mode.LOW,), {Mode.LOW: 1}.get(mode, 2)


def flags_combined(x, n):
    perm = Perm.READ if n > 1 else Perm.WRITE
    if n > 2:
        perm |= Perm.WRITE
        perm = perm & ~Perm.READ
    return perm.value, bool(perm & Perm.WRITE), Perm.READ in perm, bool(perm ^ Perm.BOTH)


def levels_in_a_branch(x, n):
    level, k = Level.SOME, 0
    if n > 1:
        level = Level.NONE
        k = Level.SOME + 1
    if level:
        k = k + 1
    return k, level.name


@in_two_dtypes
@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_agrees(function, dtype):
    assert_agrees_on_all_paths(function, dtype)


def chosen(x):
    return Mode.LOW if x.sum() > 1 else Mode.HIGH


def one_and_a_tensor(x):
    return Perm.READ | Perm.WRITE, x


@pytest.mark.parametrize("value", [0.5, 2.0])
def test_e_14_a_member_chosen_by_a_tensor_is_the_result(value):
    x = paddle.to_tensor(np.array([value], np.float32))
    static = paddle.jit.to_static(chosen)
    assert static(x) is chosen(x)
    assert paddle.jit.to_static(one_and_a_tensor)(x)[0] is Perm.BOTH


@pytest.mark.parametrize("function", [chosen, one_and_a_tensor])
def test_a_member_as_the_result_of_a_saved_function_is_refused(function, tmp_path):
    spec = [paddle.static.InputSpec([None], "float32")]
    with pytest.raises(ConversionError, match=r"the result may be the Python object (Mode|Perm)\.\S+, which a file can't hold"):
        paddle.jit.save(paddle.jit.to_static(function), tmp_path / "f", input_spec=spec)
