"""In-place functions of torch's, and functions with operands that have no gradient, to be written at other times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

MASK, MASKS = [True, False], [[True, False, True], [False, True, False]]
PLACES, INDICES = [1, 0], [[1, 0, 1], [0, 1, 0]]
ROW, WEIGHTS = [1.0, 2.0, 3.0], [[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]
TARGETS = [[0.0, 1.0, 1.0], [1.0, 0.0, 0.5]]


def index(*values: Any) -> Any:
    return torch.tensor(values)


def method(name: str, *operands: Any, of_one: bool = False) -> Callable:
    """The method `name` of the first tensor, of the second one unless it is `of_one`."""
    return lambda s, o: getattr(s, name)(*operands, *(() if of_one else (o,)))


def assigned(s: Any, place: Any, value: Any) -> Any:
    s[place] = value
    return s


def _reduced(name: str, places: list, how: str) -> Callable:
    return lambda s, o: getattr(s, name)(0, torch.tensor(places), o, how)


_OF_ONE = """
    abs absolute acos arccos arcsin arctan asin atan ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac i0
    lgamma log log10 log1p log2 logit nan_to_num neg negative rad2deg reciprocal relu round rsqrt sgn sigmoid sign sin sinc sinh
    sqrt square tan tanh trunc fix zero
""".split()
_OF_TWO = """
    add sub subtract mul multiply div divide true_divide fmod remainder pow atan2 arctan2 xlogy copy copysign hypot
""".split()
_NUMBERS: dict[str, Callable] = {
    "mul_(3)": lambda s, o: s.mul_(3.0),
    "div_(3)": lambda s, o: s.div_(3.0),
    "add_(3)": lambda s, o: s.add_(3.0),
    "pow_(3)": lambda s, o: s.pow_(3.0),
    "pow_(2)": lambda s, o: s.pow_(2),
    "add_(alpha)": lambda s, o: s.add_(o, alpha=3.0),
    "sub_(alpha)": lambda s, o: s.sub_(o, alpha=3.0),
    "div_(trunc)": lambda s, o: s.div_(o, rounding_mode="trunc"),
    "s *= o": lambda s, o: s.__imul__(o),
    "s += o": lambda s, o: s.__iadd__(o),
    "s -= o": lambda s, o: s.__isub__(o),
    "s /= o": lambda s, o: s.__itruediv__(o),
    "s **= o": lambda s, o: s.__ipow__(o),
    "clamp_": lambda s, o: s.clamp_(0.25, 0.7),
    "clip_": lambda s, o: s.clip_(0.25, 0.7),
    "clamp_(tensor)": lambda s, o: s.clamp_(min=o),
    "lerp_": lambda s, o: s.lerp_(o, 0.3),
    "lerp_(tensor)": lambda s, o: s.lerp_(o.detach() * 2, o),
    "addcmul_": lambda s, o: s.addcmul_(o, o, value=2.0),
    "addcdiv_": lambda s, o: s.addcdiv_(o, o + 1, value=2.0),
    "addmm_": lambda s, o: s.addmm_(o, o, beta=0.5, alpha=2.0),
    "addmv_": lambda s, o: (s[0].addmv_(o, o[0]), s)[1],
    "addr_": lambda s, o: s.addr_(o[0], o[1]),
    "baddbmm_": lambda s, o: (s[None].baddbmm_(o[None], o[None]), s)[1],
    "fill_": lambda s, o: s.fill_(2.0),
    "fill_(tensor)": lambda s, o: s.fill_(o[0, 0]),
    "tril_": lambda s, o: s.tril_(),
    "triu_": lambda s, o: s.triu_(),
    "renorm_": lambda s, o: s.renorm_(2, 0, 0.5),
    "cumsum_": lambda s, o: s.cumsum_(0),
    "cumprod_": lambda s, o: s.cumprod_(0),
    "fill_diagonal_": lambda s, o: s.fill_diagonal_(1.0),
    "polygamma_": lambda s, o: s.polygamma_(1),
    "float_power_": lambda s, o: s.double().float_power_(o.double()),
    "addbmm_": lambda s, o: s.addbmm_(o[None], o[None]),
    "clamp_min_": lambda s, o: s.clamp_min_(0.4),
    "clamp_max_(tensor)": lambda s, o: s.clamp_max_(o),
}
_PLACES: dict[str, Callable] = {
    "masked_fill_": lambda s, o: s.masked_fill_(index(*MASK), 2.0),
    "masked_fill_(tensor)": lambda s, o: s.masked_fill_(index(*MASK), o[0, 0]),
    "masked_scatter_": lambda s, o: s.masked_scatter_(index(*MASK), o),
    "index_add_": lambda s, o: s.index_add_(0, index(0, 0), o),
    "index_copy_": lambda s, o: s.index_copy_(0, index(1, 0), o),
    "index_fill_": lambda s, o: s.index_fill_(0, index(0), 2.0),
    "index_put_": lambda s, o: s.index_put_((index(0),), o[0]),
    "index_put_(accumulate)": lambda s, o: s.index_put_((index(0),), o[0], accumulate=True),
    "scatter_": lambda s, o: s.scatter_(0, index([0, 1], [1, 0]), o),
    "scatter_add_": lambda s, o: s.scatter_add_(0, index([0, 1], [0, 1]), o),
    "scatter_reduce_": lambda s, o: s.scatter_reduce_(0, index([0, 1], [1, 0]), o, "amax"),
    **{f"scatter_reduce_({how})": _reduced("scatter_reduce_", [[0, 1], [1, 0]], how) for how in ("sum", "prod", "mean", "amin")},
    **{f"index_reduce_({how})": _reduced("index_reduce_", [0, 1], how) for how in ("prod", "mean", "amin")},
    "put_": lambda s, o: s.put_(index(0, 3), o[0]),
    "s[0] = o[1]": lambda s, o: assigned(s, 0, o[1]),
    "s[0] = s[0] * o[1]": lambda s, o: assigned(s, 0, s[0] * o[1]),
}
_ACTIVATIONS: dict[str, Callable] = {
    "relu_": lambda s, o: torch.relu_(s),
    "elu_": lambda s, o: F.elu_(s),
    "celu_": lambda s, o: torch.celu_(s),
    "selu_": lambda s, o: torch.selu_(s),
    "leaky_relu_": lambda s, o: F.leaky_relu_(s),
    "hardtanh_": lambda s, o: F.hardtanh_(s),
    "threshold_": lambda s, o: torch.threshold_(s, 0.4, 0.1),
    "dropout(inplace, eval)": lambda s, o: F.dropout(s, 0.5, False, True),
    "threshold(inplace)": lambda s, o: F.threshold(s, 0.4, 0.1, True),
    "relu(inplace)": lambda s, o: F.relu(s, inplace=True),
    "relu6(inplace)": lambda s, o: F.relu6(s, inplace=True),
    "elu(inplace)": lambda s, o: F.elu(s, inplace=True),
    "selu(inplace)": lambda s, o: F.selu(s, inplace=True),
    "silu(inplace)": lambda s, o: F.silu(s, inplace=True),
    "mish(inplace)": lambda s, o: F.mish(s, inplace=True),
    "hardswish(inplace)": lambda s, o: F.hardswish(s, inplace=True),
    "hardsigmoid(inplace)": lambda s, o: F.hardsigmoid(s, inplace=True),
}
IN_PLACE: dict[str, Callable] = {
    **{f"{name}_": method(f"{name}_", of_one=True) for name in _OF_ONE},
    **{f"{name}_": method(f"{name}_") for name in _OF_TWO},
    **_NUMBERS,
    **_PLACES,
    **_ACTIVATIONS,
}
NO_DERIVATIVE = "acosh_ arccosh_ asinh_ arcsinh_ atanh_ arctanh_".split()

OPERANDS: dict[str, tuple[Any, Callable]] = {
    "gather": (INDICES, lambda x, m: x.gather(0, m)),
    "gather dim1": ([[2], [0]], lambda x, m: torch.gather(x, 1, m)),
    "index_select": (PLACES, lambda x, m: x.index_select(0, m)),
    "torch.index_select": (PLACES, lambda x, m: torch.index_select(x, 1, m)),
    "take_along_dim": (INDICES, lambda x, m: torch.take_along_dim(x, m, 0)),
    "take": (PLACES, lambda x, m: x.take(m)),
    "embedding": (PLACES, lambda x, m: F.embedding(m, x)),
    "embedding padding": (PLACES, lambda x, m: F.embedding(m, x, padding_idx=0)),
    "scatter index": (INDICES, lambda x, m: (x * 1).scatter(0, m, x * 2)),
    "scatter_add index": (INDICES, lambda x, m: (x * 1).scatter_add(0, m, x * 2)),
    "scatter_ index": (INDICES, lambda x, m: (x * 1).scatter_(0, m, x * 2)),
    "scatter value": (INDICES, lambda x, m: (x * 1).scatter(0, m, 2.0)),
    "scatter_reduce": (INDICES, lambda x, m: (x * 1).scatter_reduce(0, m, x * 2, "amax")),
    "index_add": (PLACES, lambda x, m: (x * 1).index_add(0, m, x * 2)),
    "index_copy": (PLACES, lambda x, m: (x * 1).index_copy(0, m, x * 2)),
    "index_fill": (PLACES, lambda x, m: (x * 1).index_fill(0, m, 2.0)),
    "index_put": (PLACES, lambda x, m: (x * 1).index_put((m,), x * 2)),
    "index_put_": (PLACES, lambda x, m: (x * 1).index_put_((m,), x * 2)),
    "getitem index": (PLACES, lambda x, m: x[m]),
    "getitem index dim1": (PLACES, lambda x, m: x[:, m]),
    "getitem two": (PLACES, lambda x, m: x[m, m]),
    "getitem mask": (MASKS, lambda x, m: x[m]),
    "getitem row mask": ([True, False], lambda x, m: x[m]),
    "setitem index": (PLACES, lambda x, m: assigned(x * 1, m, x * 2)),
    "setitem mask": (MASKS, lambda x, m: assigned(x * 1, m, 0.0)),
    "setitem mask tensor": (MASKS, lambda x, m: assigned(x * 1, m, x[0])),
    "where mask": (MASKS, lambda x, m: torch.where(m, x, x * 2)),
    "where number": (MASKS, lambda x, m: torch.where(m, x, 0.0)),
    "Tensor.where": (MASKS, lambda x, m: x.where(m, x * 2)),
    "masked_fill": (MASKS, lambda x, m: x.masked_fill(m, 0.0)),
    "masked_fill_": (MASKS, lambda x, m: (x * 1).masked_fill_(m, 0.0)),
    "masked_select": (MASKS, lambda x, m: x.masked_select(m)),
    "masked_scatter": (MASKS, lambda x, m: (x * 1).masked_scatter(m, x * 2)),
    "one_hot": (PLACES, lambda x, m: F.one_hot(m, 3) * x),
    "cross_entropy": (PLACES, lambda x, m: F.cross_entropy(x, m)),
    "cross_entropy sum": (PLACES, lambda x, m: F.cross_entropy(x, m, reduction="sum")),
    "cross_entropy none": (PLACES, lambda x, m: F.cross_entropy(x, m, reduction="none")),
    "cross_entropy smooth": (PLACES, lambda x, m: F.cross_entropy(x, m, label_smoothing=0.1)),
    "cross_entropy soft": (WEIGHTS, lambda x, m: F.cross_entropy(x, m)),
    "nll_loss": (PLACES, lambda x, m: F.nll_loss(x, m)),
    "nll_loss weight": ([1.0, 2.0, 3.0], lambda x, m: F.nll_loss(x, torch.tensor(PLACES), weight=m)),
    "bce logits": ([[0.0, 1.0, 1.0], [1.0, 0.0, 0.5]], lambda x, m: F.binary_cross_entropy_with_logits(x, m)),
    "mse": (WEIGHTS, lambda x, m: F.mse_loss(x, m)),
    "l1": (WEIGHTS, lambda x, m: F.l1_loss(x, m)),
    "smooth_l1": (WEIGHTS, lambda x, m: F.smooth_l1_loss(x, m)),
    "huber": (WEIGHTS, lambda x, m: F.huber_loss(x, m)),
    "kl_div": (WEIGHTS, lambda x, m: F.kl_div(x, m)),
    "mul": (WEIGHTS, lambda x, m: x * m),
    "mul int": ([[1, 2, 3], [1, 2, 3]], lambda x, m: x * m),
    "mul bool": (MASKS, lambda x, m: x * m),
    "div": (WEIGHTS, lambda x, m: x / m),
    "rdiv": (WEIGHTS, lambda x, m: m / x),
    "add": (WEIGHTS, lambda x, m: x + m),
    "sub": (WEIGHTS, lambda x, m: m - x),
    "pow": (WEIGHTS, lambda x, m: x**m),
    "rpow": (WEIGHTS, lambda x, m: m**x),
    "matmul": (WEIGHTS, lambda x, m: x @ m.T),
    "rmatmul": (WEIGHTS, lambda x, m: m @ x.T),
    "linear": (WEIGHTS, lambda x, m: F.linear(x, m)),
    "linear bias": ([1.0, 2.0], lambda x, m: F.linear(x, torch.tensor(WEIGHTS), m)),
    "bmm": ([WEIGHTS], lambda x, m: x[None].bmm(m.transpose(1, 2))),
    "einsum": (WEIGHTS, lambda x, m: torch.einsum("ij,kj->ik", x, m)),
    "addcmul": (WEIGHTS, lambda x, m: torch.addcmul(x, x, m)),
    "lerp": (WEIGHTS, lambda x, m: torch.lerp(x, m, 0.3)),
    "lerp weight": (WEIGHTS, lambda x, m: torch.lerp(x, x * 2, m)),
    "maximum": (WEIGHTS, lambda x, m: torch.maximum(x, m)),
    "minimum": (WEIGHTS, lambda x, m: torch.minimum(x, m)),
    "clamp tensor": (WEIGHTS, lambda x, m: x.clamp(min=m)),
    "atan2": (WEIGHTS, lambda x, m: torch.atan2(x, m)),
    "hypot": (WEIGHTS, lambda x, m: torch.hypot(x, m)),
    "fmod": (WEIGHTS, lambda x, m: torch.fmod(x, m)),
    "remainder": (WEIGHTS, lambda x, m: torch.remainder(x, m)),
    "copysign": (WEIGHTS, lambda x, m: torch.copysign(x, m)),
    "prelu": ([0.5], lambda x, m: F.prelu(x, m)),
    "layer_norm weight": ([1.0, 2.0, 3.0], lambda x, m: F.layer_norm(x, (3,), m)),
    "batch_norm mean": ([1.0, 2.0, 3.0], lambda x, m: F.batch_norm(x, m, torch.tensor([1.0, 1.0, 1.0]))),
    "batch_norm var": ([1.0, 2.0, 3.0], lambda x, m: F.batch_norm(x, torch.tensor([1.0, 1.0, 1.0]), m)),
    "conv weight": ([[[1.0, 1.0]]], lambda x, m: F.conv1d(x[:, None], m)),
    "cumprod": (WEIGHTS, lambda x, m: (x * m).cumprod(0)),
    "attention mask": (
        [[True, True], [True, False]],
        lambda x, m: F.scaled_dot_product_attention(x[None, None], x[None, None], x[None, None], attn_mask=m),
    ),
    "repeat_interleave": (PLACES, lambda x, m: x.repeat_interleave(m + 1, 0)),
    "tensor index 0d": (1, lambda x, m: x[m]),
    "cat": (WEIGHTS, lambda x, m: torch.cat([x, m])),
    "stack": (WEIGHTS, lambda x, m: torch.stack([x, m])),
    "dist": (WEIGHTS, lambda x, m: torch.dist(x, m)),
    "cosine_similarity": (WEIGHTS, lambda x, m: F.cosine_similarity(x, m)),
    "logaddexp": (WEIGHTS, lambda x, m: torch.logaddexp(x, m)),
    "xlogy": (WEIGHTS, lambda x, m: torch.xlogy(x, m)),
    "outer": ([1.0, 2.0], lambda x, m: torch.outer(x[0], m)),
    "dot": ([1.0, 2.0, 3.0], lambda x, m: torch.dot(x[0], m)),
    "mv": ([1.0, 2.0, 3.0], lambda x, m: x.mv(m)),
    "addmm": (WEIGHTS, lambda x, m: torch.addmm(torch.zeros(2, 2), x, m.T)),
    "baddbmm": (WEIGHTS, lambda x, m: torch.baddbmm(torch.zeros(1, 2, 2), x[None], m.T[None])),
    "embedding_bag": ([[0, 1]], lambda x, m: F.embedding_bag(m, x)),
}

_FUNCTIONS = """
    exp exp2 expm1 log log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh atanh sigmoid relu abs neg
    square erf erfc erfinv lgamma digamma sinc logit floor sign frac deg2rad nan_to_num sum mean prod norm var std
"""
_ALONG = "cumsum cumprod softmax log_softmax logsumexp amax"
_NETWORK = """
    elu selu celu leaky_relu hardtanh relu6 silu mish hardswish hardsigmoid gelu softplus softsign tanhshrink hardshrink
    softshrink logsigmoid normalize
"""
UNARY: dict[str, Callable] = {
    **{name: getattr(torch, name) for name in _FUNCTIONS.split()},
    **{name: lambda x, f=getattr(torch, name): f(x, 1) for name in _ALONG.split()},
    **{name: getattr(F, name) for name in _NETWORK.split()},
    "threshold": lambda x: F.threshold(x, 0.3, 0.1),
    "max": lambda x: x.max(1)[0],
    "sort": lambda x: x.sort(1)[0],
    "topk": lambda x: x.topk(2)[0],
    "cummax": lambda x: x.cummax(1)[0],
}
