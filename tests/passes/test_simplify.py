"""simplify: each rule, and where it would change a bit or show in memory."""

import numpy as np
import pytest
from passes.rewrites import f32, keeps, rewrites

T, WHOLE = "float32[3]", "int64[3]"
FLOATS = (f32(-0.0, np.inf, np.nan),)
INTEGERS = (np.array([-3, 0, 2**62]),)


def program(type_: str, *lines: str, result: str = "") -> str:
    """`main` of one tensor `x`, with tanh or neg behind, so that the result is fresh."""
    body = "\n".join(f"          {line}" for line in lines)
    return f"""
        def main(%x: {type_}) -> {result or type_}:
{body}
          return %y"""


@pytest.mark.parametrize("line", ["subtract %x, %c", "multiply %x, %d", "multiply %d, %x", "divide %x, %d"])
def test_neutral_for_floats(line):
    constants = ["%c = const value=0 : int", "%d = const value=1.0 : float"]
    before = program(T, *constants, f"%0 = {line} : {T}", f"%y = tanh %0 : {T}")
    rewrites("simplify", before, program(T, *constants, f"%y = tanh %x : {T}"), FLOATS)


@pytest.mark.parametrize("line", ["add %x, %c", "add %c, %x", "subtract %x, %c", "multiply %d, %x", "floor_divide %x, %d"])
def test_neutral_for_integers(line):
    constants = ["%c = const value=0 : int", "%d = const value=1 : int"]
    before = program(WHOLE, *constants, f"%0 = {line} : {WHOLE}", f"%y = neg %0 : {WHOLE}")
    rewrites("simplify", before, program(WHOLE, *constants, f"%y = neg %x : {WHOLE}"), INTEGERS)


@pytest.mark.parametrize(
    "line", ["add %x, %c", "add %x, %z", "subtract %m, %x", "subtract %x, %m", "divide %d, %x", "multiply %x, %z"]
)
def test_other_operands_than_the_neutral_ones(line):
    constants = [
        "%c = const value=0 : int",
        "%d = const value=1 : int",
        "%m = const value=-0.0 : float",
        "%z = const value=0.0 : float",
    ]
    keeps("simplify", program(T, *constants, f"%0 = {line} : {T}", f"%y = tanh %0 : {T}"), FLOATS)


def test_negative_zero_is_neutral_for_floats():
    constant = "%c = const value=-0.0 : float"
    before = program(T, constant, f"%0 = add %x, %c : {T}", f"%y = tanh %0 : {T}")
    rewrites("simplify", before, program(T, constant, f"%y = tanh %x : {T}"), FLOATS)


def test_python_numbers():
    before = """
        def main(%n: int, %x: float, %b: bool) -> tuple<int, float, int>:
          %0 = const value=0 : int
          %1 = py.add %n, %0 : int
          %2 = py.add %x, %0 : float
          %3 = py.add %b, %0 : int
          %4 = tuple.new %1, %2, %3 : tuple<int, float, int>
          return %4"""
    after = """
        def main(%n: int, %x: float, %b: bool) -> tuple<int, float, int>:
          %0 = const value=0 : int
          %1 = py.add %x, %0 : float
          %2 = py.add %b, %0 : int
          %3 = tuple.new %n, %1, %2 : tuple<int, float, int>
          return %3"""
    rewrites("simplify", before, after, (5, -0.0, True))


def test_a_copy_that_the_caller_gets_or_that_is_written_stays_a_copy():
    one = "%c = const value=1 : int"
    keeps("simplify", program(T, one, f"%y = multiply %x, %c : {T}"), FLOATS)
    keeps("simplify", program(T, one, f"%0 = multiply %x, %c : {T}", "neg_ %0", f"%y = tanh %0 : {T}"), FLOATS)
    keeps("simplify", program(T, one, f"%0 = multiply %x, %c : {T}", "neg_ %x", f"%y = tanh %0 : {T}"), FLOATS)


def test_twice_negated():
    before = program(T, f"%0 = neg %x : {T}", f"%1 = neg %0 : {T}", f"%y = tanh %1 : {T}")
    rewrites("simplify", before, program(T, f"%0 = neg %x : {T}", f"%y = tanh %x : {T}"), FLOATS)


def test_transposes():
    a, b = "float32[2,3]", "float32[3,2]"
    lines = [f"%0 = transpose %x, perm=[1, 0] : {b}", f"%1 = transpose %0, perm=[1, 0] : {a}", f"%y = tanh %1 : {a}"]
    rewrites("simplify", program(a, *lines), program(a, lines[0], f"%y = tanh %x : {a}"), (f32(*range(6)).reshape(2, 3),))
    cube, turned, result = "float32[2,3,4]", "float32[4,2,3]", "float32[3,4,2]"
    first = f"%0 = transpose %x, perm=[2, 0, 1] : {turned}"
    before = program(cube, first, f"%y = transpose %0, perm=[2, 0, 1] : {result}", result=result)
    after = program(cube, first, f"%y = transpose %x, perm=[1, 2, 0] : {result}", result=result)
    rewrites("simplify", before, after, (f32(*range(24)).reshape(2, 3, 4),))


def test_reshapes_of_known_lengths():
    given, result = "float32[2,3]", "float32[3,2]"
    first, last = "%0 = reshape %x, shape=[6] : float32[6]", f"%y = tanh %1 : {result}"
    before = program(given, first, f"%1 = reshape %0, shape=[3, -1] : {result}", last, result=result)
    after = program(given, first, f"%1 = reshape %x, shape=[3, -1] : {result}", last, result=result)
    rewrites("simplify", before, after, (f32(*range(6)).reshape(2, 3),))


def test_a_reshape_that_may_not_fit_stays():
    lines = [
        "%0 = reshape %x, shape=[2, 3] : float32[2,3]",
        "%1 = reshape %0, shape=[-1] : float32[6]",
        "%y = tanh %1 : float32[6]",
    ]
    keeps("simplify", program("float32[n]", *lines, result="float32[6]"), (f32(*range(6)),), (f32(1, 2),))


@pytest.mark.parametrize(
    ("start", "between", "end"),
    [
        ("float32", "float64", "float16"),
        ("int16", "float32", "int8"),
        ("bool", "int64", "float32"),
        ("int32", "float64", "float32"),
    ],
)
def test_a_cast_by_way_of_a_wider_dtype(start, between, end):
    first, last = f'%0 = cast %x, dtype="{between}" : {between}[5]', f'cast %0, dtype="{end}" : {end}[5]'
    before = program(f"{start}[5]", first, f"%y = {last}", result=f"{end}[5]")
    after = program(f"{start}[5]", first, f"%y = {last.replace('%0', '%x')}", result=f"{end}[5]")
    rewrites("simplify", before, after, (np.array([0, 1, -1, 300, 32767]).astype(start),))


@pytest.mark.parametrize(
    ("start", "between", "end"),
    [
        ("float32", "int32", "float32"),
        ("int64", "float64", "int32"),
        ("float32", "float64", "int32"),
        ("int32", "float64", "float16"),
    ],
)
def test_a_cast_that_loses_something(start, between, end):
    lines = [f'%0 = cast %x, dtype="{between}" : {between}[3]', f'%y = cast %0, dtype="{end}" : {end}[3]']
    keeps("simplify", program(f"{start}[3]", *lines, result=f"{end}[3]"), (np.array([0, 1, 2000]).astype(start),))


def test_there_and_back():
    wide = "float64[3]"
    lines = [f'%0 = cast %x, dtype="float64" : {wide}', f'%1 = cast %0, dtype="float32" : {T}', f"%y = tanh %1 : {T}"]
    rewrites("simplify", program(T, *lines), program(T, lines[0], f"%y = tanh %x : {T}"), FLOATS)
