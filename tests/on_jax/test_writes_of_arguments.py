"""E-10: calls that write their arguments, and values that grow in loops, in ONNX Runtime and JAX, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")
pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")

import dy2st as paddle
from dy2st.errors import EngineError
from dy2st.static import InputSpec

ENGINES = ["numpy", "onnxruntime", "jax"]
PARENT, PLACE, COUNT = (InputSpec(shape, "int64", name) for shape, name in (([6], "parent"), ([], "i"), ([], "n")))
PAIRS = InputSpec([None, 2], "int64", "pairs")
TREE, UNIONS = np.array([1, 2, 3, 3, 5, 5]), np.array([[0, 1], [2, 3], [1, 3], [4, 4], [5, 0]])


def root_of(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def root_in_two_passes(parent, i):
    root = i
    while parent[root] != root:
        root = parent[root]
    while parent[i] != root:
        upper = parent[i]
        parent[i] = root
        i = upper
    return root


def united(parent, pairs):
    for pair in pairs:
        a, b = root_of(parent, pair[0]), root_of(parent, pair[1])
        if a != b:
            parent[a] = b
    return parent, root_of(parent, pairs[0, 0])


def largest_of_a_copy(parent, i):
    best, copy = parent[0], parent * 2
    for k in range(6):
        if copy[k] > best:
            best = copy[k] + i
        copy[k] = 0
    return best


def view_of_the_written(parent, n):
    k = 0
    while k < n:
        parent[k] = parent[k] * 2
        k += 1
    return parent[1:], parent[1:][::2]


def view_of_another(parent, i):
    parent[0] = 9
    return i.reshape([1]), parent


@pytest.mark.parametrize("backend", ENGINES)
@pytest.mark.parametrize(
    ("function", "specs", "second"),
    [
        (root_of, [PARENT, PLACE], np.array(0)),
        (root_in_two_passes, [PARENT, PLACE], np.array(0)),
        (united, [PARENT, PAIRS], UNIONS),
        (largest_of_a_copy, [PARENT, PLACE], np.array(2)),
        (view_of_the_written, [PARENT, COUNT], np.array(4)),
        (view_of_another, [PARENT, PLACE], np.array(3)),
    ],
)
def test_e_10_arguments_that_are_written(function, specs, second, backend):
    outcomes = []
    for called in (function, paddle.jit.to_static(function, input_spec=specs, backend=backend)):
        given = [paddle.to_tensor(TREE.copy()), paddle.to_tensor(second)]
        results = called(*given)
        given[0][5] = 100  # a view shows it
        flat = results if isinstance(results, tuple) else (results,)
        outcomes.append([x.numpy().tolist() for x in (*flat, *given)])
    assert outcomes[0] == outcomes[1]


def test_e_10_a_view_of_an_argument_that_only_a_run_tells_is_refused():
    def last(parent, n):
        k, a = 0, parent[0]
        while k < n:
            a = parent[k]
            parent[k] = a + 1
            k += 1
        return a

    with pytest.raises(EngineError, match=r"test_writes_of_arguments.py:\d+: the result may share memory with parent, which"):
        _ = paddle.jit.to_static(last, input_spec=[PARENT, COUNT], backend="jax").concrete_program.executable


def text_of_parts(n):
    parts, k = [], 0
    while k < n:
        parts.append("ab")
        k += 1
    return "".join(parts)


def text_that_grows(n):
    text, k = "", 0
    while k < n:
        text += "ab"
        k += 1
    return text


def length_of_a_text_that_grows(n):
    text, k = "", 0
    while k < n:
        text = "a" + text
        k += 1
    return len(text)


def tuple_that_grows(n):
    items, k = (), 0
    while k < n:
        items += (k,)
        k += 1
    return len(items), sum(items)


def list_of_texts(n):
    items, k = [], 0
    while k < n:
        items.append("a" if k % 2 else "b")
        k += 1
    return len(items), items


@pytest.mark.parametrize("function", [text_of_parts, tuple_that_grows, list_of_texts])
def test_e_10_values_that_grow(function):
    static = paddle.jit.to_static(function, input_spec=[COUNT], backend="jax")
    for n in (0, 1, 3):
        expected, given = function(n), static(paddle.to_tensor(n))
        assert given == expected or [int(x) for x in given] == [*expected]


@pytest.mark.parametrize("function", [text_that_grows, length_of_a_text_that_grows])
def test_e_10_a_text_that_grows_is_refused(function):
    static = paddle.jit.to_static(function, input_spec=[COUNT], backend="jax")
    with pytest.raises(EngineError, match=r"test_writes_of_arguments.py:\d+: .*a text that each iteration makes longer.*join"):
        static(paddle.to_tensor(3))


def test_e_10_bytes_that_grow_are_refused():
    def grown(n):
        data, k = b"", 0
        while k < n:
            data += b"a"
            k += 1
        return len(data)

    with pytest.raises(paddle.errors.ConversionError, match=r"bytes object, made anew each time\).*append its parts to a list"):
        paddle.jit.to_static(grown, input_spec=[COUNT])(paddle.to_tensor(3))
