"""Gradients where functions have corners, poles and ties: at 0, between equal elements, of nothing."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch.operators import OPERATORS, RANDOM  # noqa: E402
from support.sampling import sampled  # noqa: E402
from torch.testing._internal.opinfo.core import UnaryUfuncInfo  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402

F = torch.nn.functional
VALUES = torch.tensor([0.0, 1, -1, 0.5, -0.5, 2, 3, -3, 6, 20, -20])
UNARY = [
    name
    for name, op in OPERATORS.items()
    if isinstance(op, UnaryUfuncInfo) and torch.float64 in op.supported_backward_dtypes("cpu") and name not in RANDOM
    if "gamma" not in name and op.supports_autograd  # whose poles are where torch's have rounding
]
PAIRS = torch.cartesian_prod(*[torch.tensor([0.0, -0.0, 1.0, -1.0, 2.0, -2.5])] * 2).T.double()
BINARY = """add sub mul pow atan2 maximum minimum fmax fmin remainder fmod logaddexp logaddexp2 xlogy special.xlog1py
    copysign float_power div.no_rounding_mode div.floor_rounding ldexp nextafter""".split()
ROWS = torch.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, -1.0], [2.0, 0.0, 2.0], [3.0, -4.0, 0.0]]).double()
CASES: dict[str, Callable] = {
    "max": lambda x: x.max(),
    "index_fill of one place twice": lambda x: x.index_fill(1, torch.tensor([1, 1, 0]), x[0, 2]),
    "matrix norm of equal sizes": lambda x: torch.linalg.matrix_norm(torch.eye(3).double() + 0 * x[:3], 2),
    "norm of equal rows": lambda x: torch.linalg.matrix_norm(x, float("inf")),
    "scatter_reduce prod": lambda x: x.scatter_reduce(1, torch.tensor([[0, 0, 1], [0, 1, 2], [2, 2, 2], [1, 1, 1]]), x, "prod"),
    "without itself": lambda x: x.scatter_reduce(1, x.long().abs() % 3, x - 1, "prod", include_self=False),
    "index_reduce prod": lambda x: x.index_reduce(0, torch.tensor([0, 1, 1, 0]), x - 1, "prod"),
    "max along": lambda x: x.max(1).values,
    "min along": lambda x: x.min(1).values,
    "amax": lambda x: x.amax(1),
    "amin of all": lambda x: x.amin(),
    "aminmax": lambda x: sum(torch.aminmax(x, dim=1)),
    "median": lambda x: x.median(1).values,
    "cummax": lambda x: x.cummax(1).values,
    "cummin": lambda x: x.cummin(0).values,
    "prod": lambda x: x.prod(1),
    "prod of all": lambda x: x.prod(),
    "cumprod": lambda x: x.cumprod(1),
    "std": lambda x: x.std(1),
    "var": lambda x: x.var(1),
    "std of one": lambda x: x[:, :1].std(1, correction=0),
    "norm": lambda x: x.norm(dim=1),
    "norm 1": lambda x: x.norm(1, dim=1),
    "norm 3": lambda x: x.norm(3, dim=1),
    "norm inf": lambda x: x.norm(math.inf, dim=1),
    "norm -inf": lambda x: x.norm(-math.inf, dim=1),
    "matrix_norm": lambda x: torch.linalg.matrix_norm(x, 1) + torch.linalg.matrix_norm(x, -math.inf),
    "normalize": lambda x: F.normalize(x),
    "cosine_similarity": lambda x: F.cosine_similarity(x, x.flip(0)),
    "pairwise_distance": lambda x: F.pairwise_distance(x, x),
    "cdist": lambda x: torch.cdist(x, x),
    "cdist 1": lambda x: torch.cdist(x, x, 1.0),
    "pdist": lambda x: torch.pdist(torch.cat([x, x[:1]])),
    "logsumexp": lambda x: torch.where(x == 0, -math.inf, x).logsumexp(1),
    "softmax": lambda x: torch.where(x == 0, -math.inf, x)[1:].softmax(1),
    "log_softmax": lambda x: torch.where(x == 0, -math.inf, x)[1:].log_softmax(1)[0],
    "logcumsumexp": lambda x: torch.where(x == 0, -math.inf, x).logcumsumexp(1),
    "nansum": lambda x: torch.where(x == 0, math.nan, x).nansum(1),
    "nanmean": lambda x: torch.where(x == 0, math.nan, x)[1:].nanmean(1),
    "where": lambda x: torch.where(x > 0, x.sqrt(), 0.0),
    "where, safely": lambda x: torch.where(x > 0, torch.where(x > 0, x, 1.0).sqrt(), 0.0),
    "clamp": lambda x: x.clamp(0, 2) + x.clamp(min=-1) + x.clip(max=2.0),
    "clamp by tensors": lambda x: torch.clamp(x, min=torch.zeros(3).double(), max=x.detach()),
    "max_pool": lambda x: F.max_pool1d(x[None], 2, 1),
    "adaptive_max_pool": lambda x: F.adaptive_max_pool2d(x[None], 2),
    "l1_loss": lambda x: F.l1_loss(x, x.detach()),
    "smooth_l1_loss": lambda x: F.smooth_l1_loss(x, torch.zeros_like(x), beta=1.0),
    "huber_loss": lambda x: F.huber_loss(x, torch.zeros_like(x), delta=2.0),
    "hinge": lambda x: F.margin_ranking_loss(x[0], x[1], torch.ones(3)) + F.hinge_embedding_loss(x, torch.sign(x - 0.5)),
    "binary_cross_entropy": lambda x: F.binary_cross_entropy(x.clamp(0, 1), (x > 0).double()),
    "kl_div": lambda x: F.kl_div(x, x.abs().detach(), reduction="sum"),
    "renorm": lambda x: x.renorm(2, 0, 1.0),
    "triplet": lambda x: F.triplet_margin_loss(x, x, x.flip(0)),
    "weight_norm": lambda x: torch._weight_norm(x[1:], x[1:, :1] * 2, 0),
    "dist": lambda x: torch.dist(x, x),
    "sort": lambda x: x.sort(dim=1, stable=True).values * torch.arange(3.0),
    "topk": lambda x: x[1:].topk(1).values,
    "quantile": lambda x: x.quantile(0.5, dim=1),
    "abs of complex": lambda x: torch.complex(x, x).abs(),
    "angle": lambda x: torch.complex(x, x).angle(),
    "sgn of complex": lambda x: torch.view_as_real(torch.complex(x, x).sgn()),
    "empty": lambda x: x[:0].sum(0) + x[:0].prod(0) + x[:, :0].norm(dim=1).sum(),
}


def gradient(function, x):
    x = x.clone().requires_grad_()
    result = function(x)
    result = result if isinstance(result, torch.Tensor) else result[0]
    weights = torch.linspace(0.5, 2.0, result.numel()).reshape(result.shape).to(result.dtype)
    return torch.autograd.grad(result, x, weights)[0]


def same(function, x):
    right = gradient(function, x)
    try:
        found = gradient(dy2st.torch.to_static(function), x)
    except Dy2stError:
        return  # refused in words
    torch.testing.assert_close(found, right, equal_nan=True, rtol=1e-6, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize("name", sampled(UNARY, 15))
def test_functions_of_one_number(name):
    op = OPERATORS[name]
    kwargs = op.sample_kwargs("cpu", torch.float64, None)[0]

    def function(x):
        return op.op(x, **kwargs)

    same(function, VALUES.double())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name):
    op = OPERATORS[name].op

    def function(x):
        return op(x[0], x[1])

    same(function, PAIRS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_ties_and_nothing(name):
    same(CASES[name], ROWS)


OTHERWISE = ("weight_norm",)  # whose norm torch's second derivative takes for a constant


def second_derivative(function, x):
    x = x.clone().requires_grad_()
    result = function(x)
    result = result if isinstance(result, torch.Tensor) else result[0]
    weights = torch.linspace(0.5, 2.0, result.numel()).reshape(result.shape).to(result.dtype)
    (first,) = torch.autograd.grad(result, x, weights, create_graph=True)
    if not first.requires_grad:
        return torch.zeros_like(x)
    weights = torch.linspace(1.5, 0.5, x.numel()).reshape(x.shape).to(x.dtype)
    (found,) = torch.autograd.grad(first, x, weights, allow_unused=True)
    return torch.zeros_like(x) if found is None else found + 0  # torch's zeros may have no memory


def same_twice(function, x):
    """Where torch's second derivative is a number, ours is that, or isn't one."""
    try:
        right = second_derivative(function, x)
    except RuntimeError:
        return  # there is none
    try:
        found = second_derivative(dy2st.torch.to_static(function), x)
    except Dy2stError:
        return  # refused in words
    compared = right.isfinite() & found.isfinite()
    torch.testing.assert_close(found[compared], right[compared], rtol=1e-6, atol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize("name", sampled(UNARY, 15))
def test_second_derivatives_of_functions_of_one_number(name):
    op = OPERATORS[name]
    kwargs = op.sample_kwargs("cpu", torch.float64, None)[0]

    def function(x):
        return op.op(x, **kwargs)

    same_twice(function, VALUES.double())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize("name", sampled(BINARY, 10))
def test_second_derivatives_of_functions_of_two_numbers(name):
    op = OPERATORS[name].op

    def function(x):
        return op(x[0], x[1])

    same_twice(function, PAIRS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize("name", sampled([name for name in CASES if name not in OTHERWISE], 20))
def test_second_derivatives_at_ties_and_of_nothing(name):
    same_twice(CASES[name], ROWS)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", "relu relu6 elu selu celu hardtanh softshrink hardshrink hardswish hardsigmoid".split())
def test_gradients_of_nan(name):
    """One element: of more, torch's vectorized code has other gradients of NaN in some of them."""
    same(lambda x: getattr(F, name)(x), torch.tensor([math.nan]).double())


@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_gradients_next_to_nan(name):
    function = getattr(torch, name)
    pairs = torch.tensor([[1.0, math.nan, math.nan], [math.nan, 1.0, math.nan]]).double()
    same(lambda x: function(x[0], x[1]), pairs)
    same(lambda x: function(x[1], x[0]), pairs)
