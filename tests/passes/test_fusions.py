"""linear and conv_batch_norm."""

import numpy as np
import pytest
from passes.rewrites import identical, keeps, outcome, parsed, rewrites

from dy2st import passes

RNG = np.random.default_rng(0)


def normal(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape).astype("float32")


MATMUL = """
        def main(%x: float32[n,4], %w: float32[4,3], %b: float32[3]) -> float32[n,3]:
          %0 = matmul %x, %w{0} : float32[n,3]
{1}
          return %y"""
INPUTS = (normal(5, 4), normal(4, 3), normal(3))
ADD = "          %y = add %0, %b : float32[n,3]"


@pytest.mark.parametrize("operands", ["%0, %b", "%b, %0"])
def test_matmul_and_add_are_one_operator_with_the_same_bits(operands):
    before = MATMUL.format("", ADD.replace("%0, %b", operands))
    after = """
        def main(%x: float32[n,4], %w: float32[4,3], %b: float32[3]) -> float32[n,3]:
          %0 = linear %x, %w, %b : float32[n,3]
          return %0"""
    rewrites("linear", before, after.replace("%0", "%y"), INPUTS)


def test_an_operand_may_be_transposed():
    text = """
        def main(%x: float32[n,4], %w: float32[3,4], %b: float32[3]) -> float32[n,3]:
          %0 = matmul %x, %w, transpose_x=False, transpose_y=True : float32[n,3]
          %y = add %0, %b : float32[n,3]
          return %y"""
    after = """
        def main(%x: float32[n,4], %w: float32[3,4], %b: float32[3]) -> float32[n,3]:
          %y = linear %x, %w, %b, transpose_x=False, transpose_y=True : float32[n,3]
          return %y"""
    rewrites("linear", text, after, (normal(5, 4), normal(3, 4), normal(3)))


@pytest.mark.parametrize(
    "lines",
    [
        ADD.replace("%y", "%1") + "\n          %y = add %0, %1 : float32[n,3]",  # the product is used again
        "          neg_ %w\n" + ADD,
        "          neg_ %b\n" + ADD,
        '          %u = uniform max=1.0, min=0.0, shape=[2], dtype="float32" : float32[2]\n' + ADD,
        "          %y = add %0, %0 : float32[n,3]",
    ],
)
def test_a_product_that_is_more_than_that(lines):
    keeps("linear", MATMUL.format("", lines), INPUTS)


def test_a_product_before_a_loop_stays_there():
    text = """
        def main(%x: float32[5,4], %w: float32[4,3], %b: float32[3], %c: bool) -> float32[5,3]:
          %0 = matmul %x, %w : float32[5,3]
          %1 = if %c : float32[5,3]
            then:
              %2 = add %0, %b : float32[5,3]
              yield %2
            else:
              %3 = tanh %x : float32[5,4]
              %4 = matmul %3, %w : float32[5,3]
              yield %4
          return %1"""
    keeps("linear", text, (*INPUTS, True), (*INPUTS, False))


def network(bias: bool) -> str:
    line = """
          %b = param name="b" : float32[6]
          %s = reshape %b, shape=[1, -1, 1, 1] : float32[1,6,1,1]
          %d = add %0, %s : float32[n,6,6,6]"""
    line, product = (line, "%d") if bias else ("", "%0")
    return f"""
        parameter w: float32[6,2,3,3] trainable
        parameter b: float32[6] trainable
        buffer mean: float32[6]
        buffer variance: float32[6]
        parameter scale: float32[6] trainable
        parameter shift: float32[6] trainable
        def main(%x: float32[n,2,8,8]) -> float32[n,6,6,6]:
          %w = param name="w" : float32[6,2,3,3]
          %0 = conv2d %x, %w, dilation=[1, 1], groups=1, padding=[0, 0, 0, 0], stride=[1, 1] : float32[n,6,6,6]{line}
          %m = param name="mean" : float32[6]
          %v = param name="variance" : float32[6]
          %g = param name="scale" : float32[6]
          %h = param name="shift" : float32[6]
          %y = batch_norm {product}, %m, %v, %g, %h, axis=1, epsilon=1e-05 : float32[n,6,6,6]
          return %y"""


DATA = {
    "w": normal(6, 2, 3, 3),
    "b": normal(6),
    "mean": normal(6),
    "variance": normal(6) ** 2 + 0.5,
    "scale": normal(6),
    "shift": normal(6),
}


@pytest.mark.parametrize("bias", [True, False])
def test_a_convolution_takes_in_the_normalisation_behind_it(bias):
    text, x = network(bias), normal(2, 2, 8, 8)
    before, program = parsed(text, **DATA), parsed(text, **DATA)
    passes.run(program, "conv_batch_norm", "dead_code")
    assert [op.name for op in program.walk()] == ["param", "conv2d", "param", "add", "return"]
    assert {p.kind for p in program.parameters.values()} == {"constant"} and len(program.parameters) == 2
    np.testing.assert_allclose(outcome(before, (x,))[0], outcome(program, (x,))[0], rtol=1e-4, atol=1e-5)


def test_statistics_that_the_program_writes():
    text = network(False).replace("          %y = ", "          neg_ %m\n          %y = ")
    program = parsed(text, **DATA)
    passes.run(program, "conv_batch_norm")
    assert "batch_norm" in str(program)
    x = normal(1, 2, 8, 8)
    assert identical(outcome(program, (x,)), outcome(parsed(text, **DATA), (x,)))


def test_a_program_without_data():
    with pytest.raises(passes.PassError, match="conv_batch_norm needs loaded parameters: no data is loaded for w, b, mean"):
        passes.run(parsed(network(True)), "conv_batch_norm")
