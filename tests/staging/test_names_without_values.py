"""A name that no path has given a value, where one of the paths raises: it is as in plain Python on those that arrive."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import jit
from dy2st.static import InputSpec

SPECS = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n"), InputSpec([], "bool", "b")]


def bound_after_a_loop(x, n, b):
    if n:
        if 0:
            pass
        else:
            while True:
                if b:
                    break
                return x
            if x.sum() > 0:
                i = missing  # noqa: F821, F841
        i = 0
    else:
        i = 1
    return x * i


def bound_on_one_path(x, n, b):
    while b:
        if n > 3:
            return x
        if x.sum() > 0:
            i = missing  # noqa: F821, F841
        b = n > 5
    if n > 0:
        i = 2.0
    else:
        i = other  # noqa: F821
    return x * i


def answer(function, x, n, b):
    try:
        result = function(dy2st.to_tensor(np.float32(x)), dy2st.to_tensor(n), dy2st.to_tensor(b))
        return result.numpy().tolist()
    except NameError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore:this path raises")
@pytest.mark.parametrize("function", [bound_after_a_loop, bound_on_one_path])
def test_a_name_without_a_value_on_paths_that_raise(function):
    static = jit.to_static(function, input_spec=SPECS)
    for x in ([1.0, 2.0], [-1.0]):
        for n in (0, 1, 4):
            for b in (True, False):
                assert answer(static, x, n, b) == answer(function, x, n, b), (x, n, b)
