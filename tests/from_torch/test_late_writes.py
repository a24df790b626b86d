"""Writes to memory that a gradient still needs, against torch: the same exception, or the same gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from support.sampling import sampled  # noqa: E402

import dy2st.torch  # noqa: E402

from .late_writes import IN_PLACE, NO_DERIVATIVE, OPERANDS, UNARY  # noqa: E402

X = [[0.3, 0.6, 0.1], [0.2, 0.8, 0.4]]
WANTS = {"self": (True, False), "other": (False, True), "both": (True, True)}


def gradients(function: Callable, *operands: Any) -> list | str:
    """The gradients of the operands that want some; "raises": a RuntimeError in place of them."""
    result = function(*operands)
    try:
        result.backward()
    except RuntimeError:
        return "raises"
    return [x.grad if x.grad is not None else torch.zeros_like(x) for x in operands if x.requires_grad]


def check(function: Callable, make: Callable) -> None:
    """Compare; static, also once more, after a gradient has been asked for."""
    expected, static = gradients(function, *make()), dy2st.torch.to_static(function)
    for _ in range(2):
        found = gradients(static, *make())
        assert (found == "raises") is (expected == "raises"), (found, expected)
        if expected != "raises":
            torch.testing.assert_close(found, expected, rtol=1e-3, atol=1e-4, equal_nan=True)


def operands(wants: str) -> tuple:
    values = [torch.tensor([[0.3, 0.6], [0.2, 0.8]]), torch.tensor([[0.5, 0.4], [0.7, 0.9]])]
    return tuple(x.requires_grad_(want) for x, want in zip(values, WANTS[wants]))


def alone(write: Callable, s: Any, o: Any) -> Any:
    return write(s, o).sum() * 1


def written_later(write: Callable, s: Any, o: Any) -> Any:
    result = write(s, o)
    s.mul_(2.0)
    return result.sum()


def other_written_later(write: Callable, s: Any, o: Any) -> Any:
    result = write(s, o)
    o.add_(1.0)
    return result.sum()


def used_earlier(write: Callable, s: Any, o: Any) -> Any:
    y = s * s
    return write(s, o).sum() + y.sum()


def used_later(write: Callable, s: Any, o: Any) -> Any:
    y = write(s, o).square()
    s.add_(1.0)
    return y.sum()


def twice(write: Callable, s: Any, o: Any) -> Any:
    return write(write(s, o), o).sum()


PLACES = [alone, written_later, other_written_later, used_earlier, used_later, twice]
CASES = [(name, place, wants) for name in IN_PLACE for place in PLACES for wants in WANTS]


@pytest.mark.long
@pytest.mark.parametrize(("name", "place", "wants"), sampled(CASES, 250), ids=lambda x: x if isinstance(x, str) else x.__name__)
def test_in_place(name: str, place: Callable, wants: str) -> None:
    check(lambda s, o: place(IN_PLACE[name], s * 1, o * 1), lambda: operands(wants))


@pytest.mark.parametrize("name", NO_DERIVATIVE)
def test_torch_has_no_derivative(name: str) -> None:
    """Where torch's own function in place has none, a Program has that of the function."""
    write, other = (lambda x: getattr(x * 1, name)().sum()), lambda x: getattr(x, name[:-1])().sum()
    x, y = (torch.tensor([[1.3, 1.6], [1.2, 1.8]] if "cosh" in name else X, requires_grad=True) for _ in range(2))
    assert gradients(write, x) == "raises"
    torch.testing.assert_close(gradients(dy2st.torch.to_static(write), x), gradients(other, y))


@pytest.mark.parametrize("is_late", [True, False], ids=["late", "before"])
@pytest.mark.parametrize("name", OPERANDS)
def test_masks_indices_and_weights(name: str, is_late: bool) -> None:
    values, use = OPERANDS[name]

    def function(x: Any, m: Any) -> Any:
        if is_late:
            y = use(x * 1, m)
        m.logical_not_() if m.dtype is torch.bool else m.mul_(0)
        return y.sum() if is_late else use(x * 1, m).sum()

    check(function, lambda: (torch.tensor(X, requires_grad=True), torch.tensor(values)))


@pytest.mark.parametrize("of_result", [True, False], ids=["result", "operand"])
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_tensor(name: str, of_result: bool) -> None:
    def function(x: Any) -> Any:
        z = x * 1
        y = UNARY[name](z)
        total = (y * 1).sum()
        (y if of_result else z).mul_(2.0)
        return total

    check(function, lambda: (torch.tensor(X, requires_grad=True),))
