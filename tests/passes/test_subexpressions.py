"""subexpressions: what is merged, and what may not be."""

import numpy as np
from passes.rewrites import f32, keeps, rewrites

X = (f32(1.0, -2.0, 0.5),)
T = "float32[3]"


def test_the_same_computation_is_done_once():
    before = f"""
        def main(%x: {T}) -> {T}:
          %0 = tanh %x : {T}
          %1 = tanh %x : {T}
          %2 = add %0, %1 : {T}
          return %2"""
    after = f"""
        def main(%x: {T}) -> {T}:
          %0 = tanh %x : {T}
          %1 = add %0, %0 : {T}
          return %1"""
    rewrites("subexpressions", before, after, X)


def test_an_earlier_one_serves_in_a_block_but_not_behind_it():
    before = f"""
        def main(%x: {T}, %c: bool) -> {T}:
          %0 = tanh %x : {T}
          %1 = if %c : {T}
            then:
              %2 = tanh %x : {T}
              %3 = exp %2 : {T}
              %4 = exp %2 : {T}
              %5 = add %3, %4 : {T}
              yield %5
            else:
              %6 = exp %0 : {T}
              yield %6
          %7 = add %1, %0 : {T}
          return %7"""
    after = f"""
        def main(%x: {T}, %c: bool) -> {T}:
          %0 = tanh %x : {T}
          %1 = if %c : {T}
            then:
              %2 = exp %0 : {T}
              %3 = add %2, %2 : {T}
              yield %3
            else:
              %4 = exp %0 : {T}
              yield %4
          %5 = add %1, %0 : {T}
          return %5"""
    rewrites("subexpressions", before, after, (*X, True), (*X, False))


def test_a_write_in_between():
    text = f"""
        def main(%x: {T}) -> float:
          %0 = const value=0 : int
          %1 = sum %x, axis=None, keepdim=False : float32[]
          %2 = py.item %1 : float
          neg_ %x
          %3 = sum %x, axis=None, keepdim=False : float32[]
          %4 = py.item %3 : float
          %5 = py.sub %2, %4 : float
          return %5"""
    keeps("subexpressions", text, X)


def test_a_loop_that_writes_starts_anew():
    text = f"""
        def main(%x: {T}, %n: int) -> float:
          %0 = const value=1 : int
          %1 = sum %x, axis=None, keepdim=False : float32[]
          %2 = py.item %1 : float
          %3, %4 = while %n, %2 : int, float
            cond(%5: int, %6: float):
              %7 = py.gt %5, %0 : bool
              yield %7
            body(%8: int, %9: float):
              %10 = sum %x, axis=None, keepdim=False : float32[]
              %11 = py.item %10 : float
              %12 = py.add %9, %11 : float
              add_ %x, %0
              %13 = py.sub %8, %0 : int
              yield %13, %12
          return %4"""
    keeps("subexpressions", text, (*X, 3), (*X, 0))


def test_results_that_the_caller_could_tell_apart():
    text = f"""
        def main(%x: {T}) -> tuple<{T}, {T}>:
          %0 = tanh %x : {T}
          %1 = tanh %x : {T}
          %2 = tuple.new %0, %1 : tuple<{T}, {T}>
          return %2"""
    keeps("subexpressions", text, X)


def test_a_copy_that_is_written():
    text = f"""
        def main(%x: {T}) -> {T}:
          %0 = tanh %x : {T}
          %1 = tanh %x : {T}
          neg_ %0
          %2 = add %0, %1 : {T}
          return %2"""
    keeps("subexpressions", text, X)


def test_constants_are_told_apart_to_the_sign_and_the_class():
    text = """
        def main() -> tuple<float, float, int, bool>:
          %0 = const value=0.0 : float
          %1 = const value=-0.0 : float
          %2 = const value=1 : int
          %3 = const value=True : bool
          %4 = tuple.new %0, %1, %2, %3 : tuple<float, float, int, bool>
          return %4"""
    keeps("subexpressions", text, ())


def test_what_raises_is_merged_and_keeps_the_first_line():
    before = """
        def main(%a: int, %b: int) -> int:
          %0 = py.floordiv %a, %b : int
          %1 = py.floordiv %a, %b : int
          %2 = py.add %0, %1 : int
          return %2"""
    after = """
        def main(%a: int, %b: int) -> int:
          %0 = py.floordiv %a, %b : int
          %1 = py.add %0, %0 : int
          return %1"""
    rewrites("subexpressions", before, after, (7, 2), (7, 0))


def test_random_numbers_are_drawn_each_time():
    text = """
        def main() -> float32[2]:
          %0 = uniform max=1.0, min=0.0, shape=[2], dtype="float32" : float32[2]
          %1 = uniform max=1.0, min=0.0, shape=[2], dtype="float32" : float32[2]
          %2 = subtract %0, %1 : float32[2]
          return %2"""
    keeps("subexpressions", text)


def test_a_parameter_is_one_storage_even_where_it_is_written():
    before = f"""
        parameter w: {T} trainable
        def main(%x: {T}) -> {T}:
          %0 = param name="w" : {T}
          add_ %0, %x
          %1 = param name="w" : {T}
          %2 = add %0, %1 : {T}
          return %2"""
    after = f"""
        parameter w: {T} trainable
        def main(%x: {T}) -> {T}:
          %0 = param name="w" : {T}
          add_ %0, %x
          %1 = add %0, %0 : {T}
          return %1"""
    rewrites("subexpressions", before, after, X, w=np.ones(3, np.float32))
