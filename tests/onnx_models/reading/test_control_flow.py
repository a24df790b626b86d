"""If, Loop, Scan and sequences, against plain Python and against onnxruntime."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are read with the package onnx: pip install '.[onnx]'")

from onnx_models.reading.small import model, session

import dy2st


def operations(net):
    return [op.name for op in net.program().walk()]


COLLATZ = """
    going = Greater(n, one)
    last, path = Loop(most, going, n) <body = turn (int64 i, bool before, int64 k) => (bool after, int64 next, int64 seen) {
        half = Div(k, two)
        odd = Mod(k, two)
        is_odd = Equal(odd, one)
        next = If(is_odd) <
            then_branch = up () => (int64 a) { triple = Mul(k, three) a = Add(triple, one) },
            else_branch = down () => (int64 b) { b = Identity(half) }
        >
        seen = Identity(k)
        after = Greater(next, one)
    }>
"""
NUMBERS = {name: np.array(value) for name, value in (("one", 1), ("two", 2), ("three", 3))}


def collatz(n, most):
    path = []
    while n > 1 and len(path) < most:
        path.append(n)
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    return n, path


@pytest.mark.parametrize("most", [100, 4, 0])
@pytest.mark.parametrize("n", [1, 2, 7, 27])
def test_an_if_in_a_loop_with_a_count_and_a_condition_that_inputs_tell(n, most):
    made = model("(int64 n, int64 most) => (int64 last, int64[T] path)", COLLATZ, **NUMBERS)
    net = dy2st.onnx.load(made)
    assert {"while", "if"} <= set(operations(net))
    last, path = net(np.array(n), np.array(most))
    assert (last.item(), path.tolist()) == collatz(n, most)
    expected = session(made)(n=np.array(n), most=np.array(most))
    assert last.item() == expected[0] and path.tolist() == expected[1].tolist()


@pytest.mark.parametrize("turns", [0, 1, 5])
def test_a_loop_stacks_what_each_turn_gives(turns):
    made = model(
        "(int64 turns, float[2] x) => (float[2] y, float[T, 2] rows)",
        """y, rows = Loop(turns, , x) <body = turn (int64 i, bool before, float[2] h) => (bool after, float[2] z, float[2] row) {
            z = Add(h, x) row = Mul(z, z) after = Identity(before)
        }>""",
    )
    x = np.array([1, 2], "float32")
    y, rows = dy2st.onnx.load(made)(np.array(turns), x)
    assert y.tolist() == ((turns + 1) * x).tolist()
    assert rows.shape == [turns, 2] and rows.tolist() == [((k + 2) * x * (k + 2) * x).tolist() for k in range(turns)]


def test_a_known_condition_takes_one_side_alone():
    made = model(
        "(float[2] x) => (float[2] y)",
        """y = If(yes) <then_branch = a () => (float[2] p) { p = Neg(x) }, else_branch = b () => (float[2] q) { q = Abs(x) }>""",
        yes=np.array(True),
    )
    net = dy2st.onnx.load(made)
    assert "if" not in operations(net) and net(np.array([1, -1], "float32")).tolist() == [-1, 1]


@pytest.mark.parametrize("length", [1, 4])
def test_scan_walks_backwards_and_along_another_axis(length):
    made = model(
        "(float[2] start, float[2, T] x) => (float[2] total, float[2, T] sums)",
        """total, sums = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [1], scan_input_directions = [1],
            body = turn (float[2] s, float[2] v) => (float[2] t, float[2] u) { t = Add(s, v) u = Identity(t) }> (start, x)""",
    )
    x, start = np.arange(2 * length, dtype="float32").reshape(2, length), np.ones(2, "float32")
    found = [y.numpy() for y in dy2st.onnx.load(made)(start, x)]
    for mine, expected in zip(found, session(made)(start=start, x=x)):
        np.testing.assert_array_equal(mine, expected)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_sequence_grows_in_a_loop_and_is_joined(count):
    made = model(
        "(int64 count, float[2] x) => (float[M] y, int64 length)",
        """empty = SequenceEmpty <dtype = 1> ()
        first = SequenceInsert(empty, x)
        grown = Loop(count, , first) <body = turn (int64 i, bool before, seq(float[2]) s) => (bool after, seq(float[2]) t) {
            last = SequenceAt(s, i) next = Add(last, last) t = SequenceInsert(s, next) after = Identity(before)
        }>
        y = ConcatFromSequence <axis = 0> (grown)
        length = SequenceLength(grown)""",
    )
    x = np.array([1, 2], "float32")
    y, length = dy2st.onnx.load(made)(np.array(count), x)
    assert length.item() == count + 1
    assert y.tolist() == np.concatenate([x * 2**k for k in range(count + 1)]).tolist()


def test_a_sequence_as_an_input_stays_as_it_was():
    made = model(
        "(seq(float[2]) xs, float[2] x) => (seq(float[2]) ys)", "a = SequenceInsert(xs, x, zero) ys = SequenceErase(a)",
        zero=np.array(0),
    )  # fmt: skip
    given = [dy2st.to_tensor([1.0, 2.0]), dy2st.to_tensor([3.0, 4.0])]
    found = dy2st.onnx.load(made)(given, np.array([5, 6], "float32"))
    assert [x.tolist() for x in found] == [[5, 6], [1, 2]]
    assert [x.tolist() for x in given] == [[1, 2], [3, 4]]


def test_gradients_flow_through_a_loop():
    made = model(
        "(int64 turns, float[2] x) => (float[2] y)",
        """y = Loop(turns, , x) <body = turn (int64 i, bool before, float[2] h) => (bool after, float[2] z) {
            z = Mul(h, w) after = Identity(before)
        }>""",
        w=np.array([2, 3], "float32"),
    )
    net = dy2st.onnx.load(made)
    net(np.array(3), np.array([1, 1], "float32")).sum().backward()
    assert net.state_dict()["w"].grad.tolist() == [3 * 2**2, 3 * 3**2]


def test_functions_of_the_model_are_called_with_their_attributes():
    made = model(
        "(float[2] x) => (float[2] y)",
        "a = own.scaled <by = 2.0> (x) y = own.scaled (a)",
        functions="""<domain: "own", opset_import: ["": 18]>
            scaled <by: float = 3.0> (x) => (y) { c = Constant <value_float: float = @by> () y = Mul(x, c) }""",
    )
    assert dy2st.onnx.load(made)(np.array([1, 2], "float32")).tolist() == [6, 12]
