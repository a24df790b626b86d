"""What layers of networks compute."""

from __future__ import annotations

from typing import Any

import dy2st as api

from .pointwise import met
from .rows import both, in_place, row

F = api.nn.functional


@row("nn.functional.linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """x Wᵀ + b."""
    found = api.matmul(input, weight, transpose_y=True)
    return found if bias is None else found + bias


for _name in "relu relu6 elu selu celu leaky_relu silu mish hardswish hardsigmoid hardtanh softplus softsign gelu".split():
    _function = getattr(F, _name)

    def _activation(input: Any, *args: Any, inplace: bool = False, f: Any = _function, **kwargs: Any) -> Any:
        found = f(input, *args, **kwargs)
        if inplace:
            input[...] = found
            return input
        return found

    row(f"nn.functional.{_name}", *([_name, f"Tensor.{_name}"] if _name == "relu" else []))(_activation)
in_place("relu", F.relu)


@row("nn.functional.gelu")
def gelu(input: Any, approximate: str = "none") -> Any:
    """The Gaussian error linear unit."""
    return F.gelu(input, approximate=approximate == "tanh")


@row("nn.functional.softmax", "softmax", "Tensor.softmax")
def softmax(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Exponentials over their sum."""
    return F.softmax(input, axis=dim)


@row("nn.functional.log_softmax", "log_softmax", "Tensor.log_softmax")
def log_softmax(input: Any, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """The logarithm of softmax."""
    return F.log_softmax(input, axis=dim)


def _conv(name: str, function: Any) -> None:
    def compute(input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Any:
        lists = [list(x) if isinstance(x, tuple) else x for x in (stride, padding, dilation)]
        return function(input, weight, bias, lists[0], lists[1], lists[2], groups)

    compute.__name__ = name
    row(name, f"nn.functional.{name}")(compute)


for _name in ("conv1d", "conv2d", "conv3d"):
    _conv(_name, getattr(F, _name))


@row("nn.functional.batch_norm")
def batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Normalized by the means and variances of the channels."""
    if not training:
        return F.batch_norm(input, running_mean, running_var, weight, bias, training=False, epsilon=eps)
    axes = [k for k in range(len(input.static_shape)) if k != 1]
    mean, var = api.mean(input, axis=axes), api.var(input, axis=axes, unbiased=False)
    if running_mean is not None:
        count = api.to_tensor(input.numel() / input.shape[1], dtype=input.type.dtype)
        running_mean[...] = running_mean * (1 - momentum) + mean.detach() * momentum
        running_var[...] = running_var * (1 - momentum) + var.detach() * count / (count - 1) * momentum
    shape = [1, -1] + [1] * (len(input.static_shape) - 2)
    found = (input - mean.reshape(shape)) / api.sqrt(var.reshape(shape) + eps)
    found = found if weight is None else found * weight.reshape(shape)
    return found if bias is None else found + bias.reshape(shape)


@row("nn.functional.layer_norm", "layer_norm")
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalized by the means and variances of the last axes."""
    return F.layer_norm(input, list(normalized_shape), weight, bias, eps)


@row("nn.functional.embedding")
def embedding(input: Any, weight: Any, padding_idx: Any = None, max_norm: Any = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False) -> Any:
    """Rows of a table."""
    return F.embedding(input, weight, padding_idx=padding_idx)


def _pair(x: Any) -> Any:
    return list(x) if isinstance(x, tuple) else x


@row("nn.functional.max_pool2d", "max_pool2d")
def max_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """The greatest element of each window."""
    return F.max_pool2d(input, _pair(kernel_size), _pair(stride), _pair(padding), ceil_mode=ceil_mode)


@row("nn.functional.avg_pool2d")
def avg_pool2d(input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: Any = None) -> Any:
    """The mean of each window."""
    return F.avg_pool2d(input, _pair(kernel_size), _pair(stride), _pair(padding), ceil_mode=ceil_mode, exclusive=not count_include_pad, divisor_override=divisor_override)


@row("nn.functional.adaptive_avg_pool2d")
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """Means of windows that give `output_size`."""
    return F.adaptive_avg_pool2d(input, _pair(output_size))


@row("nn.functional.dropout", "dropout")
def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Elements left out by chance, the others scaled."""
    return F.dropout(input, p, training=training)


@row("nn.functional.cross_entropy")
def cross_entropy(input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100, reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0) -> Any:
    """The cross entropy of classes."""
    return F.cross_entropy(input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, axis=1 if len(input.static_shape) > 1 else 0, label_smoothing=label_smoothing)


@row("nn.functional.mse_loss")
def mse_loss(input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean", weight: Any = None) -> Any:
    """The mean of the squared differences."""
    return F.mse_loss(input, target, reduction=reduction)


@row("nn.functional.scaled_dot_product_attention")
def attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False, scale: Any = None, enable_gqa: bool = False) -> Any:
    """Attention by scaled products."""
    width = query.static_shape[-1]
    scores = api.matmul(query, key, transpose_y=True) * (width**-0.5 if scale is None else scale)
    if is_causal:
        mask = api.tril(api.ones([query.shape[-2], key.shape[-2]], dtype="bool"))
        scores = api.where(mask, scores, api.full_like(scores, float("-inf")))
    if attn_mask is not None:
        scores = scores + attn_mask if attn_mask.type.dtype != "bool" else api.where(attn_mask, scores, api.full_like(scores, float("-inf")))
    return api.matmul(F.dropout(F.softmax(scores, axis=-1), dropout_p, training=dropout_p > 0), value)
