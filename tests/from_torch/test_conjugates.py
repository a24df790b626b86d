"""x.conj() is a view in torch and a copy here: where that would be seen, it is refused; else results are torch's."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402


def written_afterwards(x):
    y = x.conj()
    x.add_(1j)
    return y


def written_through(x):
    x = x.clone()
    y = x.conj()
    y.mul_(2)
    return x


def written_through_a_part(x):
    y = x.mH
    y[0] = 5j
    return x


def written_through_two(x):
    x = x.clone()
    y = x.conj().conj()
    y.mul_(2)
    return x


def in_a_loop(x):
    x = x.clone()
    y = x.conj()
    for _ in range(2):
        x.add_(y)
    return x


def asked(x):
    return x.conj().is_conj()


def written_before(x):
    x = x.clone()
    x[0] = 1j
    return x.conj() @ x.mT


def alone(x):
    y = x.clone().conj()
    y.mul_(2)
    return y


def a_copy(x):
    x = x.clone()
    y = x.conj().clone()
    x.add_(1j)
    return y, x


X = [[1 + 2j, 3 - 1j], [2j, 1.0]]


@pytest.mark.parametrize(
    "function", [written_afterwards, written_through, written_through_a_part, written_through_two, in_a_loop, asked]
)
def test_what_would_be_seen_is_refused(function) -> None:
    with pytest.raises(ConversionError, match="conj"):
        dy2st.torch.to_static(function)(torch.tensor(X))


@pytest.mark.parametrize("function", [written_before, alone, a_copy])
def test_what_isnt_seen_is_torchs(function) -> None:
    torch.testing.assert_close(dy2st.torch.to_static(function)(torch.tensor(X)), function(torch.tensor(X)))


def test_the_gradient_of_hypot_at_0() -> None:
    for function in (torch.hypot, dy2st.torch.to_static(lambda a, b: torch.hypot(a, b))):
        a, b = (torch.tensor([0.0, 3.0], requires_grad=True) for _ in range(2))
        function(a, b).sum().backward()
        assert torch.isnan(a.grad[0]) and abs(a.grad[1] - 2**-0.5) < 1e-6
