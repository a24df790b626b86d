"""Options of operators that ONNX's own cases leave out, with lengths that only the Program knows: against onnxruntime."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip("onnx", reason="models are read with the package onnx: pip install '.[onnx]'")
pytest.importorskip("onnxruntime", reason="the oracle is onnxruntime: pip install '.[onnx]'")

from onnx_models.reading.small import model, session
from support.sampling import case_in_failure, sampled

import dy2st
from dy2st.errors import ShapeError

RANDOM = np.random.default_rng(0)
TIME, BATCH, SIZE, HIDDEN = 5, 3, 4, 6


def normal(*shape):
    return RANDOM.normal(size=shape).astype("float32")


def assert_agree(made, rtol=1e-4, **inputs):
    found = dy2st.onnx.load(made)(*inputs.values())
    found = found if isinstance(found, tuple) else (found,)
    for mine, expected in zip(found, session(made)(**inputs), strict=True):
        assert mine.numpy().dtype == expected.dtype
        np.testing.assert_allclose(mine.numpy(), expected, rtol=rtol, atol=1e-5)


RECURRENT = [
    (operator, direction, with_lengths, more)
    for operator, options in {
        "RNN": ["", "clip = 0.5", 'activations = ["LeakyRelu"], activation_alpha = [0.3]'],
        "GRU": ["", "linear_before_reset = 1", "clip = 0.4"],
        "LSTM": ["", "input_forget = 1", "clip = 0.4", "peepholes"],
    }.items()
    for direction, with_lengths, more in itertools.product(("forward", "reverse", "bidirectional"), (False, True), options)
]


@pytest.mark.long
def test_recurrent_networks():
    for operator, direction, with_lengths, more in sampled(RECURRENT, 10):
        with case_in_failure(f"{operator}, {direction}, lengths: {with_lengths}, {more}"):
            count, gates = 2 if direction == "bidirectional" else 1, {"RNN": 1, "GRU": 3, "LSTM": 4}[operator]
            if more.startswith("activations") and count == 2:
                more = 'activations = ["LeakyRelu", "Tanh"], activation_alpha = [0.3]'
            weights = {
                "w": normal(count, gates * HIDDEN, SIZE), "r": normal(count, gates * HIDDEN, HIDDEN),
                "b": normal(count, 2 * gates * HIDDEN),
            }  # fmt: skip
            names = ["x", "w", "r", "b", "lengths" if with_lengths else ""]
            if more == "peepholes":
                names += ["", "", "p"]
                weights["p"] = normal(1 * count, 3 * HIDDEN)
            told = [f"hidden_size = {HIDDEN}", f'direction = "{direction}"', more.replace("peepholes", "")]
            attributes = ", ".join(filter(None, told))
            outputs = ["y", "h", "c"][: 3 if operator == "LSTM" else 2]
            signature = (
                f"(float[T, B, {SIZE}] x{', int32[B] lengths' if with_lengths else ''}) => "
                f"({', '.join(f'float[{chr(75 + k)}] {name}' for k, name in enumerate(outputs))})"
            )
            body = f"{', '.join(outputs)} = {operator} <{attributes}> ({', '.join(names).rstrip(', ')})"
            made = model(signature, body, **weights)
            _forget_shapes(made)
            given = {"x": normal(TIME, BATCH, SIZE)}
            if with_lengths:
                given["lengths"] = np.array([5, 2, 3], "int32")
            assert_agree(made, **given)


def _forget_shapes(made):
    """Outputs have their rank told by a letter for each axis; one says it for all."""
    ranks = {"y": 4, "h": 3, "c": 3}
    for value in made.graph.output:
        shape = value.type.tensor_type.shape
        del shape.dim[:]
        for axis in range(ranks.get(value.name, 0)):
            shape.dim.add().dim_param = f"{value.name}{axis}"


POOLINGS = [
    (operator, lengths, attributes)
    for operator, (lengths, kernel, pads), ceil, more in itertools.product(
        ("MaxPool", "AveragePool", "LpPool"),
        [((9,), "[3]", "[1, 0]"), ((7, 9), "[3, 2]", "[1, 0, 1, 1]"), ((5, 6, 7), "[2, 3, 2]", "[0, 1, 0, 1, 1, 1]")],
        (0, 1),
        ("strides = {2}", "strides = {2}, dilations = {2}", 'auto_pad = "SAME_UPPER", strides = {2}'),
    )
    for attributes in [
        f"kernel_shape = {kernel}, "
        + more.replace("{2}", str([2] * len(lengths)))
        + ("" if "auto_pad" in more else f", pads = {pads}, ceil_mode = {ceil}")
        + (", count_include_pad = 1" if operator == "AveragePool" and ceil else "")
    ]
]


@pytest.mark.long
def test_poolings():
    for operator, lengths, attributes in sampled(sorted(set(POOLINGS)), 20):
        with case_in_failure(f"{operator} {lengths} <{attributes}>"):
            axes = ", ".join(f"L{k}" for k in range(len(lengths)))
            out = ", ".join(f"M{k}" for k in range(len(lengths)))
            made = model(f"(float[N, C, {axes}] x) => (float[N, C, {out}] y)", f"y = {operator} <{attributes}> (x)", opset=22)
            assert_agree(made, x=normal(2, 3, *lengths))


@pytest.mark.parametrize("lengths", [(9,), (8, 7), (5, 6, 4)])
@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER", "VALID"])
def test_convolutions_that_pad_as_their_input_asks(lengths, auto_pad):
    axes, rank = ", ".join(f"L{k}" for k in range(len(lengths))), len(lengths)
    made = model(
        f"(float[N, 4, {axes}] x) => (float[N, 6, {axes.replace('L', 'M')}] y)",
        f'y = Conv <auto_pad = "{auto_pad}", strides = {[2] * rank}, group = 2> (x, w, b)',
        w=normal(6, 2, *[3] * rank), b=normal(6),
    )  # fmt: skip
    assert_agree(made, x=normal(2, 4, *lengths))


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize(
    "body",
    [
        "y = ReduceSum(x, axes)",
        "y = ReduceMax <keepdims = 0> (x, axes)",
        "y = CumSum <exclusive = 1, reverse = 1> (x, axes)",
        "u = Unsqueeze(x, axes) y = Squeeze(u, axes)",
        "y = Slice(x, one, minus, axes)",
        "y = Slice(x, minus, minus9, axes, minus)",
        "y = Pad(x, two, , axes)",
    ],
)
def test_axes_that_only_the_program_knows(axis, body):
    rank = 2 if "keepdims = 0" in body else 3
    out = ", ".join(f"M{k}" for k in range(rank))
    numbers = {"one": [1], "minus": [-1], "minus9": [-9], "two": [2, 1]}
    numbers = {name: np.array(value) for name, value in numbers.items() if name in body}
    made = model(f"(float[A, B, C] x, int64[1] axes) => (float[{out}] y)", body, **numbers)
    assert_agree(made, x=normal(3, 4, 5), axes=np.array([axis]))


INTEGERS = np.array([7, -7, 6, -6, 0, 5], "int64"), np.array([2, 2, -4, -4, 3, -5], "int64")


@pytest.mark.parametrize("body", ["y = Div(a, b)", "y = Mod(a, b)", "y = Mod <fmod = 1> (a, b)", "y = Max(a, b)"])
def test_integers_are_divided_as_in_c(body):
    made = model("(int64[N] a, int64[N] b) => (int64[N] y)", body)
    a, b = INTEGERS
    assert_agree(made, a=a, b=b)


def test_shape_arithmetic_keeps_known_lengths_known():
    made = model(
        "(float[N, 6, 4] x) => (float[N, 2, 12] y)",
        """s = Shape(x) n = Gather(s, zero) d = Gather(s, one) half = Div(d, three)
        u = Unsqueeze(n, axes) h = Unsqueeze(half, axes)
        t = Concat <axis = 0> (u, h, twelve) y = Reshape(x, t)""",
        zero=np.array(0), one=np.array(1), three=np.array(3), axes=np.array([0]), twelve=np.array([12]),
    )  # fmt: skip
    net = dy2st.onnx.load(made)
    (result,) = net.program().entry.result_types
    assert str(result) == "float32[?,2,12]"
    for batch in (1, 5):
        assert_agree(made, x=normal(batch, 6, 4))


def test_random_numbers_have_the_shape_and_the_moments():
    made = model(
        "(float[N] x) => (float[N] u, float[N] n, int32[M, K] c)",
        """u = RandomUniformLike <low = 2.0, high = 4.0> (x) n = RandomNormalLike <mean = 1.0, scale = 2.0> (x)
        c = Multinomial <sample_size = 4000> (chances)""",
        chances=np.log(np.array([[0.25, 0.75]], "float32")),
    )
    u, n, c = (y.numpy() for y in dy2st.onnx.load(made)(np.zeros(4000, "float32")))
    assert u.min() >= 2 and u.max() < 4 and abs(u.mean() - 3) < 0.1
    assert abs(n.mean() - 1) < 0.2 and abs(n.std() - 2) < 0.2
    assert c.shape == (1, 4000) and c.dtype == np.int32 and abs(c.mean() - 0.75) < 0.05


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("k", [0, 1, 3])
@pytest.mark.parametrize("shape", [(3, 3), (0, 3), (3, 0)])
def test_as_many_as_are_asked_for(axis, k, shape):
    made = model("(float[N, M] x, int64[1] k) => (float[A, B] y, int64[A, B] at)", f"y, at = TopK<axis = {axis}>(x, k)")
    if k <= shape[axis]:
        assert_agree(made, x=normal(*shape), k=np.array([k]))
    else:
        with pytest.raises(ShapeError, match="topk: k="):
            dy2st.onnx.load(made)(np.zeros(shape, "float32"), np.array([k]))
