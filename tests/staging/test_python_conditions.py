"""Every function of the cases, with a Python number in place of a tensor: branches and loops are plain Python again."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings

import numpy as np
import pytest
from support.answers import answer, assert_some_answer
from support.sampling import sampled

import dy2st as paddle
import staging
from staging.agreement import plain

# Generators and iterators that are left: refused, whatever decides.
REFUSED = {
    "given_with_a_function",  # a partial of a function that it has made
    "kept",
    "left_before_its_finally",
    "two_loops_inside",
    "without_an_end",
}
OF_THE_MODULE = {"counted", "by_a_function_made_inside"}  # whose count goes on from form to form
PROMOTED = {"early"}  # an int on one path, a tensor on the other: a float, with a warning
ASK_THE_TENSOR = {  # by `n.item()` or `n.numpy()`, which a Python number hasn't
    "classes_chosen",
    "function_made_in_a_recursion",
    "item_and_tolist",
    "put_in_again_before_a_break",
    "put_in_again_after_the_loop",
    "a_value_taken_out_and_put_in_again",
    "nothing_taken_out",
    "r_04_a_list",
    "r_04_an_item_that_the_program_chooses",
    "r_04_the_range_of_an_item",
}
LEFT_OUT = REFUSED | OF_THE_MODULE | PROMOTED | ASK_THE_TENSOR
RAISE = {  # whatever the number is
    "every_path_raises", "too_many_positions", "given_on", "asked_about", "iterated", "pushed_into_a_generator", "in_a_recursion",
    "no_item",
}  # fmt: skip
NUMBERS = (0, 1, 2, 4)
X = np.array([1.0, -2.0, 3.0], np.float32)


def cases():
    """The functions `f(x, n)` of the case modules."""
    for found in pkgutil.iter_modules(staging.__path__):
        if found.name == "cases" or found.name.startswith("test_"):
            module = importlib.import_module(f"staging.{found.name}")
            for name, function in vars(module).items():
                if inspect.isfunction(function) and function.__module__ == module.__name__:
                    if list(inspect.signature(function).parameters) == ["x", "n"] and name not in LEFT_OUT:
                        yield pytest.param(function, id=f"{found.name}.{name}")


def outcome(function, n):
    return answer(lambda: plain(function(paddle.to_tensor(X), n)))


@pytest.mark.long
@pytest.mark.parametrize("function", sampled(cases(), 30))
def test_same_branches_effects_and_exceptions(function, capsys):
    static = paddle.jit.to_static(function)
    expected = []
    for n in NUMBERS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected.append(outcome(function, n))
            printed = capsys.readouterr().out
            assert (repr(outcome(static, n)), capsys.readouterr().out) == (repr(expected[-1]), printed), n
    assert_some_answer(expected, raises=function.__name__ in RAISE)
