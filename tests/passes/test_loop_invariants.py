"""loop_invariants: what moves out of a loop, and what has to stay."""

import numpy as np
import pytest
from passes.rewrites import f32, keeps, rewrites

T = "float32[3]"


def loop(inside: str, outside: str = "", head: str = "", types: str = f"%x: {T}, %n: int") -> str:
    """A loop of n turns that adds `%k` to `%a`."""
    return f"""
        def main({types}) -> {T}:
          %one = const value=1 : int
          %zero = const value=0 : int
{outside}
          %i, %r = while %n, %x : int, {T}
            cond(%i0: int, %a0: {T}):
{head}
              %c = py.gt %i0, %zero : bool
              yield %c
            body(%i1: int, %a: {T}):
{inside}
              %s = add %a, %k : {T}
              %j = py.sub %i1, %one : int
              yield %j, %s
          return %r"""


INPUTS = ((f32(1, 2, 3), 3), (f32(1, 2, 3), 0))


def test_what_does_not_follow_the_turn_moves():
    two = "%two = const value=2.0 : float\n"
    inside = f"              {two}              %0 = multiply %x, %two : {T}\n              %k = tanh %0 : {T}"
    outside = f"          {two}          %0 = multiply %x, %two : {T}\n          %k = tanh %0 : {T}"
    rewrites("loop_invariants", loop(inside), loop("", outside), *INPUTS)


def test_out_of_two_loops_at_once():
    text = f"""
        def main(%x: {T}, %n: int) -> {T}:
          %one = const value=1 : int
          %zero = const value=0 : int
          {{0}}
          %i, %r = while %n, %x : int, {T}
            cond(%i0: int, %a0: {T}):
              %c = py.gt %i0, %zero : bool
              yield %c
            body(%i1: int, %a: {T}):
              %i2, %q = while %i1, %a : int, {T}
                cond(%i3: int, %a1: {T}):
                  %d = py.gt %i3, %zero : bool
                  yield %d
                body(%i4: int, %a2: {T}):
                  {{1}}
                  %s = add %a2, %k : {T}
                  %j = py.sub %i4, %one : int
                  yield %j, %s
              %j1 = py.sub %i1, %one : int
              yield %j1, %q
          return %r"""
    line = f"%k = tanh %x : {T}"
    rewrites("loop_invariants", text.format("", line), text.format(line, ""), *INPUTS)


@pytest.mark.parametrize(
    "line",
    [
        f"%k = tanh %a : {T}",  # follows the turn
        f'%k = uniform max=1.0, min=1.0, shape=[3], dtype="float32" : {T}',  # draws
    ],
)
def test_what_follows_the_turn_or_draws_stays(line):
    keeps("loop_invariants", loop(f"              {line}"))


def test_what_may_raise_stays_since_there_may_be_no_turn():
    text = loop("              %q = py.floordiv %one, %zero : int\n              %k = multiply %x, %q : float32[3]")
    keeps("loop_invariants", text, *INPUTS)
    sizes = "%x: float32[3], %n: int, %w: float32[?]"
    keeps("loop_invariants", loop(f"              %k = add %x, %w : {T}", types=sizes), (f32(1, 2, 3), 0, f32(1, 2)))


def test_one_tensor_of_open_length_moves():
    types, line = "%x: float32[n], %n: int", "%k = tanh %x : float32[n]"
    before = loop(f"              {line}", types=types).replace(T, "float32[n]")
    after = loop("", f"          {line}", types=types).replace(T, "float32[n]")
    rewrites("loop_invariants", before, after, *INPUTS)


def test_memory_that_is_written_stays():
    keeps("loop_invariants", loop(f"              %k = tanh %x : {T}\n              neg_ %x"), *INPUTS)
    keeps("loop_invariants", loop(f"              %k = tanh %x : {T}\n              add_ %k, %i1"), *INPUTS)


def test_a_fresh_tensor_for_each_turn_stays():
    text = f"""
        def main(%x: {T}, %n: int) -> list<{T}>:
          %one = const value=1 : int
          %zero = const value=0 : int
          %l = list.new : list<{T}>
          %i = while %n : int
            cond(%i0: int):
              %c = py.gt %i0, %zero : bool
              yield %c
            body(%i1: int):
              %k = tanh %x : {T}
              list.append %l, %k
              %j = py.sub %i1, %one : int
              yield %j
          return %l"""
    keeps("loop_invariants", text, *INPUTS)


def test_constants_and_parameters_alone_stay():
    keeps(
        "loop_invariants",
        loop("              %c2 = const value=2.0 : float\n              %k = multiply %a, %c2 : float32[3]"),
        *INPUTS,
    )


def test_a_parameter_moves_with_what_is_made_of_it():
    before = loop('              %w = param name="w" : float32[3]\n              %k = tanh %w : float32[3]')
    after = loop("", '          %w = param name="w" : float32[3]\n          %k = tanh %w : float32[3]')
    declared = "\n        parameter w: float32[3] trainable\n"
    rewrites("loop_invariants", declared + before, declared + after, *INPUTS, w=np.ones(3, np.float32))
