"""Integers that are divided by 0: an error in torch, and in a Program when it runs."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402

DIVISIONS = {
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "//=": lambda a, b: a.clone().floor_divide_(b),
    "fmod": torch.fmod,
    "remainder": torch.remainder,
    "floor": lambda a, b: torch.div(a, b, rounding_mode="floor"),
    "trunc": lambda a, b: torch.div(a, b, rounding_mode="trunc"),
    "a number by": lambda a, b: 7 // b,
    "a number": lambda a, b: a // b.shape[0],
    "by a number": lambda a, b: (a // 3 + a % 3 + torch.fmod(a, 2)) * b,
    "in a branch": lambda a, b: torch.where(b == 0, a, a // b) if a.sum() > 0 else a,
}


@pytest.mark.parametrize("name", DIVISIONS)
@pytest.mark.parametrize("divisors", [[2, -3], [2, 0], []], ids=str)
def test_divisions_are_torchs(name, divisors):
    def divide(a, b):
        return DIVISIONS[name](a, b)

    a, b = torch.arange(5, 5 + len(divisors)), torch.tensor(divisors, dtype=torch.int64)
    net = dy2st.torch.to_static(divide)
    try:
        right = divide(a, b)
    except RuntimeError as error:
        with pytest.raises(RuntimeError, match=str(error)):
            net(a, b)
    else:
        assert net(a, b).tolist() == right.tolist()


def test_floats_and_known_divisors_take_no_check():
    net = dy2st.torch.to_static(lambda x, n: (x // 0.0, n // 2, n % 3))
    assert [part.tolist() for part in net(torch.ones(1), torch.tensor([7]))] == [[float("inf")], [3], [1]]
    assert "divisor" not in str(net.concrete_program.program)
