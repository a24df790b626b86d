"""What people review is what runs: parsed, the text is the very tree that the running code was compiled from."""

import ast
import inspect
import sys
from pathlib import Path
from types import FunctionType

import pytest
import test_constructs
import test_functions
from random_functions import compile_function

from dy2st.transformers import transpile

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.staging import cases  # noqa: E402

FUNCTIONS = [function for module in (test_constructs, test_functions, cases) for function in vars(module).values()
             if isinstance(function, FunctionType) and function.__module__ == module.__name__
             and not function.__name__.startswith("test_") and not inspect.iscoroutinefunction(function)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_the_text_is_that_of_the_tree_that_runs(function):
    transpiled = transpile(function)
    (parsed,) = ast.parse(transpiled.source).body
    assert ast.dump(parsed) == ast.dump(transpiled.tree)


def test_the_text_of_a_long_expression_is_found():
    text = "def f(x):\n    return " + " + ".join(["x"] * 900) + "\n"
    assert transpile(compile_function(text)).source.count("x + x") > 400
