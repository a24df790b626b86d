"""`x.numpy()` where only numbers are taken from the array: items, a loop, `item`, `tolist`, a number of a reduction."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError
from dy2st.static import InputSpec

from .agreement import assert_agrees, functions_of


def r_04_a_loop_over_its_items(x, n):
    total = 0.0
    for value in x.numpy():
        total = total + value * 2
    return float(total)


def r_04_a_loop_over_integers(x, n):
    found = []
    for value in paddle.arange(n).numpy():
        found.append(value / 2 + 0.1)
    return [float(value) for value in found]


def r_04_numbered(x, n):
    return [i * int(value) for i, value in enumerate(x.astype("int64").numpy())]


def r_04_pairs(x, n):
    return [float(a) + float(b) for a, b in zip(x.numpy(), (x * 2).numpy())]


def r_04_the_range_of_an_item(x, n):
    for i in range(n.numpy().item()):
        x = x + i
    return x


def r_04_a_length(x, n):
    length = paddle.shape(x).numpy()[0]
    return paddle.zeros([length, 2]), int(length * n)


def r_04_the_last_item(x, n):
    last = x.numpy()[-1]
    x.add_(paddle.to_tensor(1.0))
    return float(last * 2), x


def r_04_an_item_that_the_program_chooses(x, n):
    return float(x.numpy()[n.item() % 3])


def r_04_a_list(x, n):
    found = x.numpy().tolist()
    found.append(n.numpy().item() / 2)
    return found


def r_04_reductions(x, n):
    if x.numpy().max() > 2:
        x = x * float(x.numpy().sum())
    return x, int(paddle.abs(x).numpy().min())


def r_04_in_a_loop_that_a_tensor_decides(x, n):
    i = 0
    while i < n:
        for value in x.numpy():
            i += 1
            x = x + float(value)
    return x


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda function: function.__name__)
def test_it_agrees(function):
    assert_agrees(function)


def rows(x):
    return [row * 2 for row in x.numpy()]


def part(x):
    return x.numpy()[1:]


def picked(x):
    return x.numpy()[paddle.argsort(x)]


def kept(x):
    array = x.numpy()
    return array[0]


def attribute(x):
    return x.numpy()[0].dtype


@pytest.mark.parametrize(("function", "rank"), [(rows, 2), (part, 1), (picked, 1), (kept, 1), (attribute, 1)])
def test_an_array_is_refused(function, rank):
    with pytest.raises((ConversionError, StagedValueError), match=r"x.numpy\(\) needs a value"):
        paddle.jit.to_static(function, input_spec=[InputSpec([None] * rank)])(paddle.ones([3] * rank))


def test_no_gradient_flows_through_it():
    def forward(x):
        return x * x.numpy()[0]

    grads = []
    for function in (forward, paddle.jit.to_static(forward, input_spec=[InputSpec([None])])):
        x = paddle.to_tensor([3.0, 2.0], stop_gradient=False)
        function(x).sum().backward()
        grads.append(x.grad.tolist())
    assert grads[0] == grads[1] == [3.0, 3.0]
