"""merged_products: gates that are written as several products."""

import copy

import numpy as np
import pytest
from passes.rewrites import identical, keeps, outcome, parsed, rewrites

import dy2st as paddle
from dy2st import jit, nn, passes

RNG = np.random.default_rng(0)

LOOP = """
        def main(%x: float32[{rows},4], %v: float32[4,4], %w: float32[4,4], %b: float32[4], %c: float32[4]) -> float32[{rows},4]:
          %i = const value=0 : int{before}
          %k, %y = while %i, %x : int, float32[{rows},4]
            cond(%k_1: int, %y_1: float32[{rows},4]):
              %0 = const value=3 : int
              %1 = py.lt %k_1, %0 : bool
              yield %1
            body(%k_2: int, %y_2: float32[{rows},4]):
              %2 = const value=1 : int
              %3 = py.add %k_2, %2 : int
{body}
              %z = multiply %p, %q : float32[{rows},4]
              yield %3, %z
          return %y"""

PRODUCTS = """
              %p = matmul %y_2, %v : float32[{rows},4]
              %q = matmul %y_2, %w : float32[{rows},4]"""
SUMS = """
              %m = matmul %y_2, %v : float32[{rows},4]
              %p = add %m, %b : float32[{rows},4]
              %n = matmul %y_2, %w : float32[{rows},4]
              %q = add %n, %c : float32[{rows},4]"""


def written(body: str, rows: int | str = "n") -> str:
    return LOOP.format(body=body.format(rows=rows).lstrip("\n"), rows=rows, before="")


def inputs(rows: int) -> tuple[np.ndarray, ...]:
    shapes = ((rows, 4), (4, 4), (4, 4), (4,), (4,))
    return tuple(RNG.normal(size=shape).astype("float32") / 2 for shape in shapes)


def test_two_products_are_one():
    after = """
              %4 = stack %v, %w, axis=0 : float32[2,4,4]
              %5 = matmul %y_2, %4 : float32[2,n,4]
              %p = getitem %5, index=[{{"int": 0}}] : float32[n,4]
              %q = getitem %5, index=[{{"int": 1}}] : float32[n,4]"""
    rewrites("merged_products", written(PRODUCTS), written(after), inputs(1), inputs(5))


def test_their_biases_are_added_at_once():
    program = parsed(written(SUMS))
    original = parsed(written(SUMS))
    passes.run(program, "merged_products", "loop_invariants")
    loop = next(op for op in program.walk() if op.name == "while")
    names = [op.name for op in loop.blocks[1].ops]
    assert names.count("matmul") == names.count("add") == 1 and "stack" not in names
    for rows in (1, 2, 5, 64):
        given = inputs(rows)
        assert identical(outcome(original, given)[0], outcome(program, given)[0])


@pytest.mark.parametrize(
    "body",
    [
        PRODUCTS.replace("%w :", "%w, transpose_y=True :").replace("%v :", "%v, transpose_y=True :"),
        PRODUCTS.replace("%p = matmul %y_2", "%d = tanh %y_2 : float32[n,4]\n              %p = matmul %d"),
        PRODUCTS.replace("%q =", "neg_ %y_2\n              %q ="),
        PRODUCTS + "\n              neg_ %q",
        PRODUCTS + "\n              neg_ %w",
        PRODUCTS.replace("%p = matmul %y_2, %v", "%d = tanh %v : float32[4,4]\n              %p = matmul %y_2, %d"),
    ],
    ids=["transposed", "two", "written in between", "a result is written", "a weight is written", "a weight of the turn"],
)
def test_stay(body):
    keeps("merged_products", written(body), inputs(2))


def test_outside_of_loops_they_stay():
    text = """
        def main(%x: float32[2,4], %v: float32[4,4], %w: float32[4,4]) -> float32[2,4]:
          %p = matmul %x, %v : float32[2,4]
          %q = matmul %x, %w : float32[2,4]
          %z = multiply %p, %q : float32[2,4]
          return %z"""
    keeps("merged_products", text, inputs(2)[:3])


class Gates(nn.Layer):
    def __init__(self):
        super().__init__()
        self.i, self.g = nn.Linear(5, 3), nn.Linear(5, 3)

    def forward(self, x, h):
        for t in range(x.shape[0]):
            both = paddle.concat([x[t], h], -1)
            h = paddle.tanh(self.g(both)) * nn.functional.sigmoid(self.i(both))
        return h


def products(function) -> int:
    return [op.name for op in function.forward.concrete_program.main_program.walk()].count("matmul")


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_build_strategy_asks_for_it(rows, tmp_path):
    net = Gates()
    x, h = paddle.randn([60, rows, 2]), paddle.randn([rows, 3])
    want = net(x, h).numpy()
    strategies = [paddle.static.BuildStrategy(merge_products=asked) for asked in (False, True)]
    plain, merged = (jit.to_static(copy.deepcopy(net), build_strategy=strategy) for strategy in strategies)
    copied = copy.deepcopy(merged)
    jit.save(merged, str(tmp_path / "net"), input_spec=[x, h])
    for model in (plain, merged, copied, jit.load(str(tmp_path / "net"))):
        assert np.array_equal(model(x, h).numpy(), want)
    assert products(merged) == products(copied) == products(plain) - 1


def test_training_gives_the_gradients_of_eager_code():
    net = Gates()
    merged = jit.to_static(copy.deepcopy(net), build_strategy=paddle.static.BuildStrategy(merge_products=True))
    x, h = paddle.randn([60, 2, 2]), paddle.randn([2, 3])
    for model in (net, merged):
        model(x, h).sum().backward()
    for mine, theirs in zip(merged.parameters(), net.parameters()):
        np.testing.assert_allclose(mine.grad.numpy(), theirs.grad.numpy(), rtol=1e-5, atol=1e-6)
