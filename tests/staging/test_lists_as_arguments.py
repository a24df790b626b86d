"""E-15: lists whose items only the Program knows, as subscripts, as values, and as arguments of functions on tensors."""

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.nn.functional import max_pool2d
from dy2st.static import InputSpec

from .agreement import assert_agrees

X, M = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])


def rows_by_numbers(x, n):
    return x[[n, 0]], x[[int(n), 0]], x[[[n, 0], [0, 1]]]


def rows_by_truths(x, n):
    return x[[n > 0, n > 5, True]]


def written_by_numbers(x, n):
    x = x * 1
    x[[n, 0]] = 7.0
    x[:2] = [int(n), 2]
    return x


def places(x):
    found = []
    for e in x:
        if e > 0:
            found.append(len(found))
    return found


def rows_by_a_list(x, n):
    return x[places(x)]


def rows_by_a_list_in_a_tuple(x, n):
    return x.reshape([1, -1])[:, places(x)]


def written_by_a_list(x, n):
    x = x * 1
    x[places(x)] = -1.0
    return x


def written_from_a_list(x, n):
    x = x * 1
    x[: len(places(x))] = [0.1 * i for i in places(x)]
    return x


def a_tensor_of_a_list(x, n):
    return paddle.to_tensor(places(x), dtype="int64"), paddle.to_tensor([0.1 * i for i in places(x)])


CALLS = [([1.0, 2.0, 3.0], 1), ([1.0, -2.0, 3.0], 0), ([-1.0, -2.0, -3.0], 2)]


@pytest.mark.parametrize("function", [
    rows_by_numbers, rows_by_truths, written_by_numbers, rows_by_a_list, rows_by_a_list_in_a_tuple, written_by_a_list,
    written_from_a_list, a_tensor_of_a_list,
])  # fmt: skip
def test_e_15_lists_of_numbers(function):
    calls = CALLS[:2] if "written" in function.__name__ or "truths" in function.__name__ else CALLS
    assert_agrees(function, (InputSpec([3]), InputSpec([], "int64")), calls)


REFUSED = {
    "meshgrid": lambda xs, m: paddle.meshgrid(xs), "atleast_1d": lambda xs, m: paddle.atleast_1d(xs),
    "einsum": lambda xs, m: paddle.einsum("i,i->i", xs),
    "max_pool2d": lambda xs, m: max_pool2d(m.reshape([1, 1, 2, 2]), xs),
    "sum": lambda xs, m: m.sum(axis=xs), "norm": lambda xs, m: paddle.linalg.norm(m, axis=xs),
    "quantile": lambda xs, m: paddle.quantile(m, xs), "median": lambda xs, m: paddle.median(m, xs),
    "to_tensor": lambda xs, m: paddle.to_tensor(xs),
}  # fmt: skip


@pytest.mark.parametrize("call", REFUSED.values(), ids=list(REFUSED))
def test_e_15_what_needs_the_items_while_staging_is_refused_and_raises_no_type_error_of_the_program(call):
    def function(x, m):
        return call(places(x), m)

    with pytest.raises(ConversionError, match="when the Program runs|only the Program knows"):
        paddle.jit.to_static(function)(X, M)
