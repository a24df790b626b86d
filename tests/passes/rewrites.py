"""The five lines of a pass's test: text before, text after, and inputs on which both give the same, bit by bit."""

from __future__ import annotations

import copy
from textwrap import dedent
from typing import Any

import numpy as np
from engine.reference import identical
from engine.test_random_programs import sharing
from support.answers import answer, assert_some_answer

from dy2st import passes
from dy2st.ir.core import Program
from dy2st.ir.parser import parse_program
from dy2st.runtime.engine import compile_program


def outcome(program: Program, inputs: tuple) -> Any:
    """What a Program gives on copies of `inputs`, and what it leaves in them and in its parameters; or its exception."""
    given = copy.deepcopy(inputs)
    executable = compile_program(program)
    executable.parameters.update({name: data.copy() for name, data in executable.parameters.items()})
    return answer(executable, *given), given, {n: executable.parameters[n] for n in executable.parameters}


def parsed(text: str, **parameters: np.ndarray) -> Program:
    """The Program of a test, with data for its parameters."""
    program = parse_program(dedent(text).strip() + "\n")
    for name, data in parameters.items():
        program.parameters[name].data = data
    return program


def rewrites(pass_: str, before: str, after: str, *inputs: tuple, raises: bool = False, **parameters: np.ndarray) -> Program:
    """Check that a pass turns one text into the other, and that both agree on each tuple of inputs.

    raises: whether both raise on all of them.
    """
    original, program = parsed(before, **parameters), parsed(before, **parameters)
    passes.run(program, pass_)
    assert str(program) == str(parsed(after))
    results = []
    for given in inputs:
        (result, left, stored), (now, left_now, stored_now) = outcome(original, given), outcome(program, given)
        results.append(result)
        assert identical(result, now) and identical(left, left_now)
        assert sharing(left_now, now) <= sharing(left, result), "what the result shares memory with"
        assert all(identical(stored[name], data) for name, data in stored_now.items())
    if inputs:
        assert_some_answer(results, raises)
    return program


def keeps(pass_: str, text: str, *inputs: tuple, raises: bool = False, **parameters: np.ndarray) -> None:
    """Check that a pass leaves a Program as it is."""
    rewrites(pass_, text, text, *inputs, raises=raises, **parameters)


def f32(*values: float) -> np.ndarray:
    """A vector of float32."""
    return np.array(values, np.float32)
