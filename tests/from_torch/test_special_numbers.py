"""NaN, infinities, signs of zero and tensors without elements: torch's values, or its class of exception."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch import special_numbers  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

NAN, INF = float("nan"), float("inf")
X = torch.tensor([NAN, 1.0, NAN, INF, -0.0, 0.0, -3.0, 3.0])
NONE = torch.zeros(0)
SPECS = pytest.mark.parametrize("specs", [None, [InputSpec([None], "float32")]], ids=["known", "open"])
FUNCTIONS: dict[str, Any] = {
    "unique": lambda x: torch.unique(x, return_inverse=True, return_counts=True),
    "unique of a matrix": lambda x: x.reshape(2, -1).unique(return_inverse=True),
    "median": lambda x: (*x.median(0), *x.reshape(2, -1).median(1), x.median()),
    "isin": lambda x: (torch.isin(x, x), torch.isin(x, x, invert=True)),
    "remainder": lambda x: (x % 3, torch.remainder(x, -3), x % -0.0, 3 % x, x % INF),
    "cumsum": lambda x: torch.cumsum(-0.0 * x[4:].abs(), 0),
    "logsumexp": lambda x: (x[:0].logsumexp(0), x.logsumexp(0)),
    "median of none": lambda x: x[:0].median(),
    "cat of none": lambda x: torch.cat([x[:0], x[:0]]),
}


@SPECS
@pytest.mark.parametrize("name", FUNCTIONS)
def test_s_26_special_numbers(name: str, specs: Any) -> None:
    found, expected = dy2st.torch.to_static(FUNCTIONS[name], specs)(X), FUNCTIONS[name](X)
    assert special_numbers.difference(found, expected) == ""


def stored(x, value):
    y = torch.zeros(2, dtype=torch.long)
    y[0] = value
    return y


RAISING = {
    "nan": lambda x: stored(x, NAN),
    "inf": lambda x: torch.zeros(2, dtype=torch.long).fill_(INF),
    "a number of the input": lambda x: stored(x, x[0].item()),
    "masked_fill": lambda x: torch.zeros(2, dtype=torch.int32).masked_fill(torch.tensor([True, False]), 1e10),
    "median over none": lambda x: x[:0].median(0),
    "cat of an empty list": lambda x: torch.cat([]),
}


@SPECS
@pytest.mark.parametrize("name", RAISING)
def test_s_26_and_e_07_what_torch_refuses(name: str, specs: Any) -> None:
    with pytest.raises(Exception) as theirs:  # noqa: PT011 - whatever torch raises
        RAISING[name](X)
    with pytest.raises(type(theirs.value)):
        dy2st.torch.to_static(RAISING[name], specs)(X)


def test_s_26_the_gradient_of_a_remainder() -> None:
    slopes = []
    for function in (lambda x, y: x % y, dy2st.torch.to_static(lambda x, y: x % y)):
        x, y = torch.tensor([5.0, -5.0, 6.0], requires_grad=True), torch.tensor([3.0, 3.0, -3.0], requires_grad=True)
        function(x, y).sum().backward()
        slopes.append((x.grad, y.grad))
    torch.testing.assert_close(*slopes)


@pytest.mark.long
def test_special_numbers_of_the_database() -> None:
    found = [(case, special_numbers.outcome(case)) for case in sampled(special_numbers.CASES, 40)]
    assert [(case, made) for case, made in found if made.kind == "wrong"] == []
