"""`out=` in static PyTorch code: results go into the tensors given, through views, or the call is refused."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402


def into_itself(x, y):
    found = torch.mul(x, 2, out=y)
    return found, y + 1


def into_a_row(x, y):
    rows = torch.zeros(2, 3)
    torch.add(x, y, out=rows[1])
    return rows


def into_two(x, y):
    values, places = torch.empty(()), torch.empty((), dtype=torch.int64)
    torch.max(x, 0, out=(values, places))
    return values, places


def into_a_wider_dtype(x, y):
    wide = torch.empty(3, dtype=torch.float64)
    torch.sub(x, y, out=wide)
    return wide


@pytest.mark.parametrize("function", [into_itself, into_a_row, into_two, into_a_wider_dtype])
def test_results_are_written(function):
    given = torch.tensor([3.0, 1.0, 2.0]), torch.tensor([5.0, 6.0, 7.0])
    others = [x.clone() for x in given]
    expected = function(*others)
    found = dy2st.torch.to_static(function)(*given)
    torch.testing.assert_close((found, list(given)), (expected, others))


def into_another_shape(x, y):
    return torch.add(x, y, out=torch.empty(0))


def into_integers(x, y):
    return torch.add(x, y, out=torch.empty(3, dtype=torch.int64))


@pytest.mark.parametrize(
    ("function", "words"),
    [(into_another_shape, "shape of the result"), (into_integers, "can't be cast to the desired output type Long")],
)
def test_what_does_not_fit_is_refused(function, words):
    with pytest.raises((ConversionError, RuntimeError), match=words):  # of torch's class, where dtypes decide
        dy2st.torch.to_static(function)(torch.ones(3), torch.ones(3))
