"""constants: numbers, 0-d tensors and branches that are known while compiling."""

import numpy as np
import pytest
from passes.rewrites import f32, keeps, parsed, rewrites

from dy2st import passes


def test_numbers_and_the_branch_they_take():
    before = """
        def main(%x: float32[3]) -> float32[3]:
          %0 = const value=2 : int
          %1 = const value=3 : int
          %2 = py.lt %0, %1 : bool
          %y = if %2 : float32[3]
            then:
              %3 = tanh %x : float32[3]
              yield %3
            else:
              yield %x
          return %y"""
    after = """
        def main(%x: float32[3]) -> float32[3]:
          %0 = const value=2 : int
          %1 = const value=3 : int
          %2 = const value=True : bool
          %3 = tanh %x : float32[3]
          return %3"""
    rewrites("constants", before, after, (f32(1, 2, 3),))


def test_a_branch_within_a_branch_that_follows_from_it():
    before = """
        def main() -> int:
          %0 = const value=True : bool
          %1 = const value=1 : int
          %2 = if %0 : int
            then:
              %3 = py.add %1, %1 : int
              %4 = py.not %0 : bool
              %5 = if %4 : int
                then:
                  yield %1
                else:
                  %6 = py.mul %3, %3 : int
                  yield %6
              yield %5
            else:
              yield %1
          return %2"""
    after = """
        def main() -> int:
          %0 = const value=True : bool
          %1 = const value=1 : int
          %2 = const value=2 : int
          %3 = const value=False : bool
          %4 = const value=4 : int
          return %4"""
    rewrites("constants", before, after, ())


def test_0d_tensors_stay_fresh_memory():
    before = """
        def main() -> int64[]:
          %0 = const value=4 : int
          %1 = py.to_tensor %0, dtype="int64" : int64[]
          %2 = multiply %1, %0 : int64[]
          %3 = remainder %2, %1 : int64[]
          %4 = add %2, %3 : int64[]
          return %4"""
    after = """
        def main() -> int64[]:
          %0 = const value=4 : int
          %1 = py.to_tensor %0, dtype="int64" : int64[]
          %2 = const value=16 : int
          %3 = py.to_tensor %2, dtype="int64" : int64[]
          %4 = const value=0 : int
          %5 = py.to_tensor %4, dtype="int64" : int64[]
          %6 = const value=16 : int
          %7 = py.to_tensor %6, dtype="int64" : int64[]
          return %7"""
    rewrites("constants", before, after, ())


def test_a_tensor_that_is_written_is_not_known():
    text = """
        def main(%x: int64[]) -> int64[]:
          %0 = const value=4 : int
          %1 = py.to_tensor %0, dtype="int64" : int64[]
          add_ %1, %x
          %2 = multiply %1, %0 : int64[]
          return %2"""
    keeps("constants", text, (np.array(3),))


@pytest.mark.parametrize(
    "line",
    [
        "py.floordiv %1, %0 : int",  # raises
        "py.lshift %1, %2 : int",  # huge
        "py.pow %2, %2 : number",
        "py.truediv %1, %0 : float",
    ],
)
def test_what_raises_or_grows_stays(line):
    result = line.rsplit(" ", 1)[1]
    text = f"""
        def main() -> {result}:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %2 = const value=100000 : int
          %3 = {line}
          return %3"""
    keeps("constants", text)


def test_a_nan_stays():
    text = """
        def main() -> float:
          %0 = const value=inf : float
          %1 = py.sub %0, %0 : float
          return %1"""
    keeps("constants", text)


def test_a_branch_that_raises_stays():
    text = """
        def main() -> int:
          %0 = const value=True : bool
          %1 = if %0 : int
            then:
              raise exception="ValueError", bases=[]
            else:
              %2 = const value=1 : int
              yield %2
          return %1"""
    keeps("constants", text, (), raises=True)


def test_pipelines_put_an_end_to_what_is_left():
    program = parsed("""
        def main() -> int:
          %0 = const value=20 : int
          %1 = py.add %0, %0 : int
          return %1""")
    passes.run(program)
    assert str(program) == "def main() -> int:\n  %0 = const value=40 : int\n  return %0\n"
