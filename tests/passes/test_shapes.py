"""shapes: what is known of the inputs reaches the results."""

from passes.rewrites import f32, keeps, rewrites

X = (f32(*range(12)).reshape(3, 4),)


def test_down_to_the_result():
    before = """
        def main(%x: float32[3,4]) -> float32[?,?]:
          %0 = transpose %x, perm=[1, 0] : float32[?,?]
          %1 = tanh %0 : float32[?,?]
          return %1"""
    after = """
        def main(%x: float32[3,4]) -> float32[4,3]:
          %0 = transpose %x, perm=[1, 0] : float32[4,3]
          %1 = tanh %0 : float32[4,3]
          return %1"""
    rewrites("shapes", before, after, X)


def test_through_branches_and_calls():
    text = """
        def main(%x: float32[3,4], %c: bool) -> float32[{0}]:
          %0 = if %c : float32[{1}]
            then:
              %1 = tanh %x : float32[{1}]
              yield %1
            else:
              yield %x
          %2 = call %x, function="f" : float32[{2}]
          %3 = if %c : float32[{0}]
            then:
              yield %2
            else:
              %4 = transpose %0, perm=[1, 0] : float32[{2}]
              %5 = concat %4, %4, axis=1 : float32[{3}]
              yield %5
          return %3

        def f(%a: float32[3,4]) -> float32[{2}]:
          %0 = transpose %a, perm=[1, 0] : float32[{2}]
          return %0"""
    before, after = text.format(*["?,?"] * 4), text.format("4,?", "3,4", "4,3", "4,6")
    rewrites("shapes", before, after, (*X, True), (*X, False))


LOOP = """
        def main(%x: float32[3,4], %n: int) -> float32[{0}]:
          %0 = const value=0 : int
          %1 = const value=1 : int
          %2, %3 = while %n, %x : int, float32[{0}]
            cond(%4: int, %5: float32[{0}]):
              %6 = py.gt %4, %0 : bool
              yield %6
            body(%7: int, %8: float32[{0}]):
              %9 = {1}
              %10 = py.sub %7, %1 : int
              yield %10, %9
          return %3"""


def test_a_loop_that_keeps_the_shape():
    before = LOOP.format("?,?", "tanh %8 : float32[?,?]")
    rewrites("shapes", before, LOOP.format("3,4", "tanh %8 : float32[3,4]"), (*X, 2), (*X, 0))


def test_a_loop_that_changes_the_shape_keeps_its_types():
    keeps("shapes", LOOP.format("?,?", "concat %8, %8, axis=0 : float32[?,?]"), (*X, 2), (*X, 0))
    keeps("shapes", LOOP.format("?,?", "transpose %8, perm=[1, 0] : float32[?,?]"), (*X, 2), (*X, 1))


def test_lengths_that_contradict_each_other_are_left_to_the_run():
    text = """
        def main(%x: float32[3,4]) -> float32[?,?]:
          %0 = transpose %x, perm=[1, 0] : float32[?,?]
          %1 = add %x, %0 : float32[?,?]
          return %1"""
    keeps("shapes", text, X, raises=True)
