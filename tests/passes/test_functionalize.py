"""The pass `functionalize` on Programs as text, and on random ones."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest
from engine.random_programs import Generator, random_inputs
from engine.reference import Interpreter, identical
from passes.rewrites import f32, keeps, parsed, rewrites
from support.answers import answer

from dy2st import passes
from dy2st.ir.parser import parse_program
from dy2st.ir.printer import print_program
from dy2st.passes.functionalize import REMOVE, FunctionalizeError, functionalize_program
from dy2st.passes.functionalize.writes import written_tensors
from dy2st.runtime.engine import compile_program


def test_a_view_is_written_and_taken_again():
    rewrites(
        "functionalize",
        """
        def main(%x: float32[3]) -> float32[1]:
          %0 = const value=1 : int
          %b = add %x, %0 : float32[3]
          %c = getitem %b, index=[{"slice": [0, 1, None]}] : float32[1]
          add_ %c, %0
          multiply_ %b, %0
          return %c
        """,
        """
        def main(%x: float32[3]) -> float32[1]:
          %0 = const value=1 : int
          %b = add %x, %0 : float32[3]
          %c = getitem %b, index=[{"slice": [0, 1, None]}] : float32[1]
          %1 = add %c, %0 : float32[1]
          %2 = setitem_copy %b, %1, index=[{"slice": [0, 1, None]}] : float32[3]
          %3 = multiply %2, %0 : float32[3]
          %4 = getitem %3, index=[{"slice": [0, 1, None]}] : float32[1]
          return %4
        """,
        (f32(1, 2, 3),),
    )


def test_an_if_yields_what_it_writes():
    rewrites(
        "functionalize",
        """
        def main(%x: float32[3], %p: bool) -> float32[3]:
          if %p
            then:
              tanh_ %x
              yield
            else:
              yield
          return %x
        """,
        """
        def main(%x: float32[3], %p: bool) -> float32[3]:
          %x_1 = if %p : float32[3]
            then:
              %0 = tanh %x : float32[3]
              yield %0
            else:
              yield %x
          copy_ %x, %x_1
          return %x
        """,
        (f32(1, 2, 3), True),
        (f32(1, 2, 3), False),
    )


def test_a_loop_carries_what_it_writes_and_nothing_else():
    rewrites(
        "functionalize",
        """
        def main(%x: float32[3], %y: float32[3], %n: int) -> float32[3]:
          %0 = const value=0 : int
          %1 = const value=1 : int
          tanh_ %y
          %i = while %0 : int
            cond(%a: int):
              %2 = py.lt %a, %n : bool
              yield %2
            body(%b: int):
              add_ %x, %y
              %3 = py.add %b, %1 : int
              yield %3
          return %x
        """,
        """
        def main(%x: float32[3], %y: float32[3], %n: int) -> float32[3]:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %2 = tanh %y : float32[3]
          %i, %x_1 = while %0, %x : int, float32[3]
            cond(%a: int, %x_2: float32[3]):
              %3 = py.lt %a, %n : bool
              yield %3
            body(%b: int, %x_3: float32[3]):
              %4 = add %x_3, %2 : float32[3]
              %5 = py.add %b, %1 : int
              yield %5, %4
          copy_ %x, %x_1
          copy_ %y, %2
          return %x
        """,
        (f32(1, 2, 3), f32(4, 5, 6), 3),
        (f32(1, 2, 3), f32(4, 5, 6), 0),
    )


def test_parameters_are_written_once_at_the_end():
    rewrites(
        "functionalize",
        """
        parameter w: float32[3] trainable

        def main(%x: float32[3]) -> float32[3]:
          %w = param name="w" : float32[3]
          add_ %w, %x
          add_ %w, %x
          %0 = tanh %w : float32[3]
          return %0
        """,
        """
        parameter w: float32[3] trainable

        def main(%x: float32[3]) -> float32[3]:
          %w = param name="w" : float32[3]
          %0 = add %w, %x : float32[3]
          %1 = add %0, %x : float32[3]
          %2 = tanh %1 : float32[3]
          copy_ %w, %1
          return %2
        """,
        (f32(1, 2, 3),),
        w=f32(1, 1, 1),
    )


def test_a_program_that_writes_nothing_stays():
    keeps(
        "functionalize",
        """
        def main(%x: float32[3]) -> float32[3]:
          %0 = reshape %x, shape=[3] : float32[3]
          return %0
        """,
        (f32(1, 2, 3),),
    )


def test_the_refusal_names_the_line():
    program = parsed(
        """
        def main(%x: float32[3]) -> float32[2,3]:
          %0 = tanh %x : float32[3]
          %1 = broadcast_to %0, shape=[2, 3] : float32[2,3]  # net.py:7 forward
          tanh_ %1  # net.py:8 forward
          return %1
        """
    )
    with pytest.raises(FunctionalizeError, match="net.py:8: functionalize: what broadcast_to gives can't be written"):
        passes.run(program, "functionalize")


@pytest.mark.parametrize("remove", REMOVE)
def test_random_programs(remove):
    """Results, inputs and parameters are what the reference interpreter gives; where it raises, the same is raised."""
    refused = 0
    for seed in range(40):
        choices = random.Random(seed)
        program = Generator(choices).program()
        changed = parse_program(print_program(program))  # as loaded from a file
        for name, parameter in program.parameters.items():
            parameter.data, changed.parameters[name].data = parameter.data.copy(), parameter.data.copy()
        try:
            functionalize_program(changed, remove)
        except FunctionalizeError:
            refused += 1
            continue
        assert {op.name for op in changed.walk() if written_tensors(op)} <= {"copy_"}
        plain, functional = Interpreter(program), compile_program(changed)
        for _ in range(2):
            inputs = random_inputs(choices)
            if np.shares_memory(*inputs[-2:]):
                continue  # the pass takes inputs that share nothing
            mine, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
            got, expected = answer(functional, *mine), answer(plain, *theirs)
            assert identical(got, expected), functional.source
            assert identical(mine, theirs), functional.source
            assert all(identical(data, plain.parameters[name]) for name, data in functional.parameters.items())
    assert refused < 10


STEP = "momentum_ {}, %g, {}, momentum=0.5, nesterov=False, rate=0.1, rescale=1.0"


def test_an_operator_writes_two_operands_one_of_them_through_a_view():
    rewrites(
        "functionalize",
        f"""
        def main(%p: float32[3], %g: float32[3], %v: float32[3]) -> float32[3]:
          %0 = const value=1 : int
          %w = add %v, %0 : float32[3]
          %c = reshape %w, shape=[3] : float32[3]
          {STEP.format("%p", "%c")}
          %1 = add %p, %w : float32[3]
          return %1
        """,
        f"""
        def main(%p: float32[3], %g: float32[3], %v: float32[3]) -> float32[3]:
          %0 = const value=1 : int
          %w = add %v, %0 : float32[3]
          %c = reshape %w, shape=[3] : float32[3]
          %1, %2 = {STEP.replace("momentum_ ", "momentum ").format("%p", "%c")} : float32[3], float32[3]
          %3 = reshape %2, shape=[3] : float32[3]
          %4 = add %1, %3 : float32[3]
          copy_ %p, %1
          return %4
        """,
        (f32(1, 2, 3), f32(3, 2, 1), f32(0, 1, 0)),
    )


def test_what_is_not_lifted_gets_its_share():
    text = f"""
        parameter v: float32[3] trainable
        def main(%p: float32[3], %g: float32[3]) -> float32[3]:
          %v = param name="v" : float32[3]
          {STEP.format("%p", "%v")}
          return %p
        """
    kept = []
    for lift in (None, False, True):
        program = parsed(text)
        program.parameters["v"].data = f32(1, 1, 1)
        if lift is not None:
            functionalize_program(program, lift=lift)
            assert [op.name for op in program.walk() if written_tensors(op)] == ["copy_", "copy_"]
        p = f32(1, 2, 3)
        kept.append([compile_program(program)(p, f32(3, 2, 1)).tolist(), p.tolist(), program.parameters["v"].data.tolist()])
    assert kept[0] == kept[1] == kept[2]


@pytest.mark.parametrize("pair", [("%p", "%c"), ("%p", "%g")])
def test_operands_that_share_memory_with_one_that_is_written_are_refused(pair):
    text = f"""
        def main(%p: float32[3], %g: float32[3]) -> float32[3]:
          %c = reshape %p, shape=[3] : float32[3]
          {STEP.format(*pair)}
          return %p
        """
    with pytest.raises(FunctionalizeError, match=r"momentum is given two tensors that share memory; pass a clone\(\) of one"):
        functionalize_program(parsed(text))


def test_a_reshape_that_may_copy_is_written_where_nobody_sees_what_it_was_taken_of():
    text = """
        def main(%x: float32[2,?]) -> float32[?]:
          %0 = const value=1 : int
          %b = add %x, %0 : float32[2,?]
          %t = transpose %b, perm=[1, 0] : float32[?,2]
          %c = reshape %t, shape=[-1] : float32[?]
          add_ %c, %0
          READ
          return %d
        """
    last = "%d = multiply %c, %0 : float32[?]"
    program = parsed(text.replace("READ", last))
    functionalize_program(program)
    assert not any(written_tensors(op) for op in program.walk())
    x = np.arange(6, dtype="float32").reshape(2, 3)
    assert compile_program(program)(x).tolist() == (x.T.reshape(-1) + 2).tolist()
    for reader in ("%b", "%t"):
        again = f"%e = sum {reader} : float32[]\n          %d = multiply %c, %e : float32[?]"
        with pytest.raises(FunctionalizeError, match="reshape gives a view or a copy"):
            functionalize_program(parsed(text.replace("READ", again)))
