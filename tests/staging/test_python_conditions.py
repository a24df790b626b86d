"""Every function of the cases, with a Python number in place of a tensor: branches and loops are plain Python again."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings

import numpy as np
import pytest
from support.sampling import sampled

import dy2st as paddle
import staging
from staging.agreement import plain

# Generators and iterators that are left: refused, whatever decides.
REFUSED = {
    "kept",
    "left_before_its_finally",
    "two_loops_inside",
    "without_an_end",
    "until_a_sentinel",
}
OF_THE_MODULE = {"counted"}  # its count goes on from form to form
X = np.array([1.0, -2.0, 3.0], np.float32)


def cases():
    """The functions `f(x, n)` of the case modules."""
    for found in pkgutil.iter_modules(staging.__path__):
        if found.name == "cases" or found.name.startswith("test_"):
            module = importlib.import_module(f"staging.{found.name}")
            for name, function in vars(module).items():
                if inspect.isfunction(function) and function.__module__ == module.__name__:
                    if list(inspect.signature(function).parameters) == ["x", "n"] and name not in REFUSED | OF_THE_MODULE:
                        yield pytest.param(function, id=f"{found.name}.{name}")


def observed(function, n, capsys):
    try:
        result = repr(plain(function(paddle.to_tensor(X), n)))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    return result, capsys.readouterr().out


@pytest.mark.parametrize("function", sampled(cases(), 250))
def test_same_branches_effects_and_exceptions(function, capsys):
    static = paddle.jit.to_static(function)
    for n in (0, 1, 3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = observed(function, n, capsys)
            assert observed(static, n, capsys) == expected, n
