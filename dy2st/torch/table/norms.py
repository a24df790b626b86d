"""Normalization by means and variances, of channels, groups of them, or the last axes."""

from __future__ import annotations

from math import prod
from typing import Any

import dy2st as api

from ...ops.half import in_float32, wide
from ...ops.registry import lookup
from .axes import rank_of
from .pointwise import as_dtype
from .rows import all_demanded, demanded, of_shape, refused, row, written
from .vector_norms import length

F = api.nn.functional


def _wide(x: Any, rank: int) -> Any:
    """[C] as it broadcasts to [N, C, ...]."""
    return api.reshape(x, [1, -1] + [1] * (rank - 2))


def _of_parameters(x: Any, *parameters: Any) -> Any:
    """[N, C, ...]; the Program raises where a parameter or a statistic hasn't C elements."""
    if rank_of(x) < 2:
        raise refused("a norm of a tensor of one axis, which has no channels")
    if any(p is not None and rank_of(p) != 1 for p in parameters):
        raise RuntimeError("weight, bias and running statistics of a norm have one axis")
    holds = [prod(p.shape) == x.shape[1] for p in parameters if p is not None]
    return all_demanded(x, holds, "weight, bias and running statistics have an element for each channel")


def _scaled(x: Any, weight: Any, bias: Any) -> Any:
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def _of_channels(x: Any, weight: Any, bias: Any) -> Any:
    rank = rank_of(x)
    return _scaled(x, *(None if p is None else _wide(p, rank) for p in (weight, bias)))


def _normalized(x: Any, axes: list, eps: float) -> tuple[Any, Any, Any]:
    """x by the means and variances over some axes, and these."""
    return lookup("normalize")(x, axis=axes, epsilon=eps)


def _moved(running: Any, found: Any, momentum: Any, is_moved: Any = True) -> None:
    """A running statistic that `found` [C] has been seen by, where `is_moved`."""
    seen = api.reshape(found.detach(), [-1])
    after = running.astype(seen.type.dtype) * (1 - momentum) + seen * momentum
    after = after.astype(running.type.dtype)
    written(running, after if is_moved is True else api.where(api.to_tensor(is_moved), after, running))


def _elements(x: Any, axes: list) -> Any:
    """How many elements there are along some axes: an int, or a number of the Program."""
    count: Any = 1
    for axis in axes:
        count = count * x.shape[axis]
    return count


def _unbiased(var: Any, count: Any) -> Any:
    """The variance of a sample, of `count` elements; NaN for one."""
    total = api.to_tensor(count, dtype=var.type.dtype)
    return var * (total / (total - 1))


def _batch_norm(
    x: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: Any, eps: float
) -> tuple[Any, Any, Any]:
    """The result, and the means and the reciprocal standard deviations [C] of the batch; empty ones outside of training."""
    x = _of_parameters(x, weight, bias, running_mean, running_var)
    if not training:
        if running_mean is None or running_var is None:
            raise refused("batch_norm takes running_mean and running_var outside of training")
        empty = api.zeros([0], x.type.dtype)
        return F.batch_norm(x, running_mean, running_var, weight, bias, training=False, epsilon=eps), empty, empty
    axes, dtype = [k for k in range(rank_of(x)) if k != 1], x.type.dtype
    x, weight, bias = map(wide, (x, weight, bias))
    normal, mean, var = _normalized(x, axes, eps)
    count = _elements(x, axes)
    if running_mean is not None:
        _moved(running_mean, mean, momentum, count != 0)
    if running_var is not None:
        _moved(running_var, _unbiased(var, count), momentum, count != 0)
    found = as_dtype(_of_channels(normal, weight, bias), dtype)
    mean, scale = (as_dtype(api.reshape(each.detach(), [-1]), dtype) for each in (mean, api.rsqrt(var + eps)))
    return found, mean, scale


@row("nn.functional.batch_norm")
def batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None, training: bool = False,
    momentum: Any = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Normalized by the means and variances of the channels."""
    if training:
        count = _elements(input, [k for k in range(rank_of(input)) if k != 1])
        input = demanded(input, count != 1, "Expected more than 1 value per channel when training", "ValueError")
    return _batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


@row("batch_norm")
def torch_batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: Any, eps: float,
    cudnn_enabled: bool,
) -> Any:  # fmt: skip
    """Normalized by the means and variances of the channels."""
    return _batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


@row("native_batch_norm")
def native_batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: Any, eps: float
) -> Any:
    """Normalized by the means and variances of the channels; with these."""
    return _batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)


@row("_native_batch_norm_legit")
def native_batch_norm_legit(input: Any, weight: Any, bias: Any, *args: Any, **kwargs: Any) -> Any:
    """As `native_batch_norm`; the running statistics may be left out."""
    has_statistics = len(args) == 5 or "running_mean" in kwargs
    return native_batch_norm(input, weight, bias, *([] if has_statistics else [None, None]), *args, **kwargs)


@row("ops.aten._batch_norm_with_update", "ops.aten._batch_norm_with_update.default")
def batch_norm_with_update(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, momentum: Any, eps: float
) -> Any:
    """As `native_batch_norm` in training; the last result is for other devices."""
    return *_batch_norm(input, weight, bias, running_mean, running_var, True, momentum, eps), api.zeros([0], "uint8")


@row("instance_norm")
def instance_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, use_input_stats: bool, momentum: Any, eps: float,
    cudnn_enabled: bool,
) -> Any:  # fmt: skip
    """Each channel of each sample by itself. The running statistics are the means of those of the samples."""
    if not use_input_stats:
        return _batch_norm(input, weight, bias, running_mean, running_var, False, momentum, eps)[0]
    axes, dtype = list(range(2, rank_of(input))), input.type.dtype
    input = _of_parameters(input, weight, bias, running_mean, running_var)
    input, weight, bias = map(wide, (input, weight, bias))
    normal, mean, var = _normalized(input, axes, eps)
    if running_mean is not None:
        _moved(running_mean, api.mean(mean, axis=0), momentum)
    if running_var is not None:
        _moved(running_var, api.mean(_unbiased(var, _elements(input, axes)), axis=0), momentum)
    return as_dtype(_of_channels(normal, weight, bias), dtype)


@row("nn.functional.instance_norm")
def functional_instance_norm(
    input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, bias: Any = None,
    use_input_stats: bool = True, momentum: Any = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Each channel of each sample by itself."""
    if use_input_stats and all(n == 1 for n in input.static_shape[2:]):
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {list(input.static_shape)}")
    return instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)


def _grouped(x: Any, num_groups: Any, eps: float) -> tuple[Any, Any, Any]:
    """x normalized by groups of channels, the means and the reciprocal standard deviations [N, groups]."""
    n = x.shape[0]
    rows = api.reshape(x, [n, num_groups, x.shape[1] // num_groups * _elements(x, list(range(2, rank_of(x))))])
    normal, mean, var = _normalized(rows, [2], eps)
    return api.reshape(normal, list(x.shape)), api.squeeze(mean, 2), api.squeeze(api.rsqrt(var + eps), 2)


@row("nn.functional.group_norm")
@in_float32
def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalized by groups of channels."""
    if rank_of(input) < 2:
        raise refused(f"group_norm takes a tensor of at least two axes, not of {rank_of(input)}")
    return _of_channels(_grouped(_of_parameters(input, weight, bias), num_groups, eps)[0], weight, bias)


@row("group_norm")
def torch_group_norm(
    input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5, cudnn_enabled: bool = True
) -> Any:
    """Normalized by groups of channels."""
    return group_norm(input, num_groups, weight, bias, eps)


@row("native_group_norm")
def native_group_norm(input: Any, weight: Any, bias: Any, N: Any, C: Any, HxW: Any, group: int, eps: float) -> Any:
    """Normalized by groups of channels; with their means and reciprocal standard deviations."""
    taken = {input.type.dtype, "float32"} if "float16" in input.type.dtype else {input.type.dtype}
    given = {x.type.dtype for x in (weight, bias) if x is not None}
    if len(given) > 1 or not given <= taken:
        raise RuntimeError(f"mixed dtype (CPU): the parameters of a norm of {input.type.dtype} are of {sorted(given)}")
    return _group_normed(input, weight, bias, N * C * HxW, group, eps)


@in_float32
def _group_normed(input: Any, weight: Any, bias: Any, count: Any, group: int, eps: float) -> Any:
    input = all_demanded(input, [prod(input.shape) == count], "the input has N * C * HxW elements")
    found, mean, scale = _grouped(_of_parameters(input, weight, bias), group, eps)
    return _of_channels(found, weight, bias), mean, scale


def _last(input: Any, normalized_shape: Any, *parameters: Any) -> tuple[Any, list]:
    """The input, and its last axes, which have these lengths, as the parameters have; or else the Program raises."""
    shape, rank = list(normalized_shape), rank_of(input)
    for parameter in parameters:
        if parameter is not None and rank_of(parameter) != len(shape):
            raise RuntimeError(f"a parameter of the shape {parameter.static_shape} isn't one of normalized_shape={shape}")
    input = of_shape(input, [-1] * (rank - len(shape)) + shape, "the input of a layer norm")
    holds = [n == m for p in parameters if p is not None for n, m in zip(p.shape, shape)]
    return all_demanded(input, holds, f"weight and bias have the shape {shape}"), list(range(rank - len(shape), rank))


@row("native_layer_norm")
@in_float32
def native_layer_norm(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> Any:
    """Normalized by the means and variances of the last axes; with the means and the reciprocal standard deviations."""
    input, axes = _last(input, normalized_shape, weight, bias)
    normal, mean, var = _normalized(input, axes, eps)
    return _scaled(normal, weight, bias), mean.detach(), api.rsqrt(var + eps).detach()


@row("nn.functional.layer_norm")
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Normalized by the means and variances of the last axes."""
    input, _ = _last(input, normalized_shape, weight, bias)
    return F.layer_norm(input, list(normalized_shape), weight, bias, eps)


@row("layer_norm")
def torch_layer_norm(
    input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5, cudnn_enable: bool = True
) -> Any:
    """Normalized by the means and variances of the last axes."""
    return layer_norm(input, normalized_shape, weight, bias, eps)


@row("rms_norm", "nn.functional.rms_norm")
@in_float32
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: Any = None) -> Any:
    """Divided by the square root of the mean square of the last axes."""
    input, axes = _last(input, normalized_shape, weight)
    if eps is None:
        eps = api.finfo("float64" if input.type.dtype in ("float64", "complex128") else "float32").eps
    squares = input * input  # torch squares complex numbers, too
    return _scaled(input * api.rsqrt(api.mean(squares, axis=axes, keepdim=True) + eps), weight, None)


@row("nn.functional.local_response_norm")
@in_float32
def local_response_norm(input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    """Divided by what the squares of neighbouring channels give."""
    if rank_of(input) < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {rank_of(input)} dimensions)")
    if 0 in input.static_shape:
        return input
    squares = input * input
    n, c = input.shape[:2]
    rows = api.reshape(squares, [n, 1, c, _elements(input, list(range(2, rank_of(input))))])
    rows = api.nn.functional.pad(rows, [0, 0, 0, 0, size // 2, (size - 1) // 2, 0, 0])
    total: Any = sum(rows[:, :, i : rows.shape[2] - (size - 1 - i)] for i in range(size))
    return input / api.pow(api.reshape(total, list(input.shape)) * (alpha / size) + k, beta)


@row("nn.functional.normalize")
def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Any:
    """Divided by the norm along an axis."""
    return input / api.clip(length(input, p, list(dim) if isinstance(dim, tuple) else dim, True), min=eps)


@row("_weight_norm")
@in_float32
def weight_norm(v: Any, g: Any, dim: int = 0) -> Any:
    """v of the norms g along one axis; of one norm where `dim` is -1."""
    axes = [axis for axis in range(rank_of(v)) if axis != dim]
    return v * (g / api.sqrt(api.sum(v * v, axis=axes, keepdim=True)))
