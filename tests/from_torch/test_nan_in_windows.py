"""NaN and infinity stay in the windows of adaptive pooling that have them, and losses and polygamma have torch's limits."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
from torch.nn import functional as F  # noqa: E402

import dy2st.torch  # noqa: E402

INF, NAN = float("inf"), float("nan")
IMAGE = torch.tensor([[[[1.0, NAN, 2, 1], [2, 3, 4, 1], [5, 6, -INF, 2]]]])
POOLS = {
    "one axis": (lambda x: F.adaptive_avg_pool1d(x[0], 3), IMAGE),
    "two axes": (lambda x: F.adaptive_avg_pool2d(x, (2, 3)), IMAGE),
    "as it is": (lambda x: F.adaptive_avg_pool2d(x, (None, 2)), IMAGE),
    "three axes": (lambda x: F.adaptive_avg_pool3d(x[None], (1, 2, 3)), IMAGE),
    "area": (lambda x: F.interpolate(x, size=(2, 3), mode="area"), IMAGE),
    "half": (lambda x: F.adaptive_avg_pool2d(x.double(), 2).float(), IMAGE),
    "a variance": (lambda x: F.gaussian_nll_loss(torch.ones(5), torch.ones(5), x, full=True, reduction="none"),
                   torch.tensor([1.0, NAN, INF, 1e-9, 0.0])),
    "polygamma": (lambda x: torch.stack([torch.polygamma(n, x) for n in range(4)]), torch.tensor([-INF, INF, NAN, 0.0, 1.5])),
}  # fmt: skip


@pytest.mark.parametrize("name", POOLS)
def test_what_is_no_number_stays_where_it_is(name: str) -> None:
    function, x = POOLS[name]
    torch.testing.assert_close(dy2st.torch.to_static(function)(x), function(x), equal_nan=True)


def test_the_gradient_by_a_variance_passes_its_bound() -> None:
    found = []
    for make in (lambda f: f, dy2st.torch.to_static):
        var = torch.tensor([2.0, 1e-9], requires_grad=True)
        make(lambda x, var: F.gaussian_nll_loss(x, torch.zeros(2), var, eps=1e-3))(torch.ones(2), var).backward()
        found.append(var.grad)
    torch.testing.assert_close(*found)
