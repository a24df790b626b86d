"""x[index] and x[index] = value by random indices of torch's, in a Program and in torch."""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

ITEMS: list[Any] = [
    0, -1, slice(None), slice(1, None, 2), slice(-2, None), slice(0, 0), None, Ellipsis, True, [0, 1], (0, 1),
    [True, False, True], torch.tensor(1), torch.tensor(-1), torch.tensor([0, 1]), torch.tensor([[0], [1]]),
    torch.tensor([True, False, True]), torch.tensor([True, False, True, True]), torch.tensor(True),
    torch.tensor([1, 0, 1], dtype=torch.uint8), torch.tensor([0, 1], dtype=torch.int32), torch.tensor([], dtype=torch.int64),
    slice(torch.tensor(0), torch.tensor(2)),
]  # fmt: skip


def indices(seed: int, count: int) -> list[Any]:
    """Items one by one, and tuples of some of them with one ellipsis at most."""
    chosen = random.Random(seed)
    drawn = [tuple(chosen.choices(ITEMS, k=chosen.randint(2, 4))) for _ in range(count)]
    return [*ITEMS, *(index for index in drawn if sum(x is Ellipsis for x in index) < 2)]


def check(function: Any) -> Any:
    """The same tensor from torch and from a Program; None where torch raises."""
    given = torch.arange(36.0).reshape(3, 4, 3)
    try:
        wanted = function(given.clone())
    except (IndexError, RuntimeError, ValueError):
        return None
    found = dy2st.torch.to_static(function)(given.clone())
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    assert torch.equal(found, wanted)
    return wanted


@pytest.mark.parametrize("seed", range(3))
def test_random_indices(seed: int) -> None:
    warnings.simplefilter("ignore")
    for index in indices(seed, 25):

        def read(x):
            return x[index]  # noqa: B023

        part = check(read)
        for value in () if part is None else (5.0, torch.tensor(3.0), torch.rand(part.shape)):

            def write(x):
                x[index] = value  # noqa: B023
                return x

            check(write)


def reversed_rows(x):
    return x[::-1]


def with_list(x):
    x[0] = [1.0, 2.0]
    return x


@pytest.mark.parametrize("function, error", [(reversed_rows, ValueError), (with_list, TypeError)])
def test_what_torch_refuses_is_refused(function: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        function(torch.ones(2, 2))
    with pytest.raises(error):
        dy2st.torch.to_static(function)(torch.ones(2, 2))


def first_of_rows(x: Any) -> Any:
    for row in x:
        (first,) = row
    return first


def first_and_others(x: Any) -> Any:
    first, *_ = x.sum()
    return first


@pytest.mark.parametrize("function", [first_of_rows, first_and_others, lambda x: len(x.sum()), lambda x: list(x.sum())])
def test_a_tensor_without_axes_has_no_items(function: Any) -> None:
    told = []
    for form in (function, dy2st.torch.to_static(function, [InputSpec([None], "float32", "x")])):
        with pytest.raises(TypeError) as caught:
            form(torch.ones(2))
        told.append(str(caught.value))
    assert told[0] == told[1]
