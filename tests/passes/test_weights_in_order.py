"""weights_in_order: loops that multiply by transposed weights."""

import copy

import numpy as np
import pytest
from passes.rewrites import keeps, rewrites

import dy2st as paddle
from dy2st import jit, nn

LOOP = """
        def main(%x: float32[2,4], %w: float32[4,4]) -> float32[2,4]:
          %i = const value=0 : int
          %k, %y = while %i, %x : int, float32[2,4]
            cond(%k_1: int, %y_1: float32[2,4]):
              %0 = const value=3 : int
              %1 = py.lt %k_1, %0 : bool
              yield %1
            body(%k_2: int, %y_2: float32[2,4]):
              %2 = const value=1 : int
              %3 = py.add %k_2, %2 : int
BODY
              yield %3, %z
          return %y"""
PRODUCT = "              %z = matmul %y_2, %w, transpose_x=False, transpose_y=True : float32[2,4]"
# small integers: every order of summation gives the same sum
INPUTS = (np.arange(8, dtype="float32").reshape(2, 4) % 3, np.arange(16, dtype="float32").reshape(4, 4) % 3)


def test_a_loop_reads_a_copy_in_its_order():
    after = """
              %4 = transpose %w, perm=[1, 0] : float32[4,4]
              %5 = assign %4 : float32[4,4]
              %z = matmul %y_2, %5, transpose_x=False, transpose_y=False : float32[2,4]"""
    rewrites("weights_in_order", LOOP.replace("BODY", PRODUCT), LOOP.replace("BODY", after.lstrip("\n")), INPUTS)


@pytest.mark.parametrize(
    "body",
    [
        PRODUCT.replace("transpose_y=True", "transpose_y=False"),
        PRODUCT + "\n              neg_ %w",
        "              %d = tanh %w : float32[4,4]\n" + PRODUCT.replace("%w", "%d"),
    ],
    ids=["not transposed", "the weight is written", "a weight of the turn"],
)
def test_stay(body):
    keeps("weights_in_order", LOOP.replace("BODY", body), INPUTS)


class Cells(nn.Layer):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 5)

    def forward(self, x, h, c):
        outs = []
        for t in range(x.shape[0]):
            _, (h, c) = self.cell(x[t], (h, c))
            outs.append(h)
        return paddle.stack(outs)


def test_a_build_strategy_asks_for_it(tmp_path):
    net = Cells()
    given = paddle.randn([60, 4, 3]), paddle.randn([4, 5]), paddle.randn([4, 5])
    want = net(*given).numpy()
    strategies = [paddle.static.BuildStrategy(reorder_weights=asked) for asked in (False, True)]
    plain, ordered = (jit.to_static(copy.deepcopy(net), build_strategy=strategy) for strategy in strategies)
    jit.save(ordered, str(tmp_path / "net"), input_spec=[*given])
    for model in (plain, ordered, jit.load(str(tmp_path / "net"))):
        np.testing.assert_allclose(model(*given).numpy(), want, rtol=1e-5, atol=1e-6)
    programs = [model.forward.concrete_program.main_program for model in (plain, ordered)]
    loops = [next(op for op in program.walk() if op.name == "while") for program in programs]
    transposed = [[op.attrs["transpose_y"] for op in loop.blocks[1].ops if op.name == "matmul"] for loop in loops]
    assert transposed == [[True, True], [False, False]]
    assert "transpose" not in [op.name for op in loops[1].blocks[1].ops]
