"""Weights that are computed of other parameters each time a layer reads them: weight and spectral normalisation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...api.manipulation import reshape
from ...api.math import sqrt, square
from ...ops.cast import assign_
from ...ops.random import GENERATOR
from ...runtime.tensors.grad_mode import no_grad
from ...runtime.tensors.tensor import Tensor
from ..layer import Layer
from ..layers.conv import Conv2DTranspose
from ..layers.group_norms import spectral_size
from ..layers.linear import Linear
from ..parameter import Parameter


def _derive(layer: Layer, name: str, compute: Callable[[Layer], Tensor]) -> Parameter:
    """Let `layer.name` be what `compute` gives, from now on; the parameter that it was."""
    derived = layer.__dict__.setdefault("_derived", {})
    if name in derived:
        raise RuntimeError(f"{name} of {type(layer).__name__} is computed of other parameters already")
    if name not in layer._parameters:
        raise ValueError(f"{type(layer).__name__} has no parameter {name!r}")
    was = layer._parameters[name]
    layer._forget(name)
    derived[name] = compute
    Layer._epoch[0] += 1
    return was


def _lengths(v: Tensor, dim: int | None) -> Tensor:
    """The Euclidean length of each slice of v along `dim`, or, for None, of all of it."""
    if dim is None:
        return sqrt(square(v).sum() + 1e-12)
    others = [a for a in range(len(v.shape)) if a != dim]
    return sqrt(square(v).sum(others) + 1e-12)


def weight_norm(layer: Layer, name: str = "weight", dim: int | None = 0) -> Layer:
    """Let the weight `name` of `layer` be g * v / |v|, with parameters name_g and name_v; gives the layer.

    dim: the axis whose slices have lengths of their own, in name_g; None for one length of all. See Salimans and Kingma, 2016.
    ValueError: no such parameter, or no such axis. RuntimeError: the weight is computed of others already.
    """
    rank = len(layer._parameters[name].shape) if name in layer._parameters else 0
    if dim is not None and rank and not -rank <= dim < rank:
        raise ValueError(f"weight_norm: dim {dim} is no axis of a weight of {rank} axes")
    at = None if dim in (None, -1) else dim % max(rank, 1)  # type: ignore[operator]

    def compute(owner: Layer) -> Tensor:
        g, v = getattr(owner, f"{name}_g"), getattr(owner, f"{name}_v")
        scale = g / _lengths(v, at)
        return v * (scale if at is None else reshape(scale, [-1 if a == at else 1 for a in range(rank)]))

    weight = _derive(layer, name, compute)
    layer.add_parameter(f"{name}_v", weight)
    with no_grad():
        layer.add_parameter(f"{name}_g", Parameter(_lengths(weight, at).numpy(), not weight.stop_gradient))
    return layer


def remove_weight_norm(layer: Layer, name: str = "weight") -> Layer:
    """Make the weight `name` of `layer` a parameter again, with the value it has; gives the layer.

    ValueError: it has no weight_norm.
    """
    if f"{name}_g" not in layer._parameters:
        raise ValueError(f"{name} of {type(layer).__name__} has no weight_norm")
    weight = getattr(layer, name)
    del layer._derived[name]
    layer._forget(f"{name}_g")
    layer._forget(f"{name}_v")
    layer.add_parameter(name, Parameter(weight.numpy().copy()))
    return layer


def spectral_norm(
    layer: Layer, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Layer:
    """Let the weight `name` of `layer` be name_orig divided by its largest singular value (Miyato et al., 2018); gives the layer.

    The value is estimated from the buffers name_u and name_v, which each forward in training brings nearer by
    `n_power_iterations` steps. eps: the least length of these vectors. dim: the axis that is the rows of the weight as a matrix;
    where None, 1 for Linear and Conv2DTranspose, else 0. ValueError: no such parameter, or no positive number of steps.
    RuntimeError: the weight is computed of others already.
    """
    if n_power_iterations <= 0:
        raise ValueError(f"spectral_norm: n_power_iterations must be positive, not {n_power_iterations}")
    at = int(isinstance(layer, (Conv2DTranspose, Linear))) if dim is None else dim

    def compute(owner: Layer) -> Tensor:
        weight, u, v = (getattr(owner, f"{name}_{part}") for part in ("orig", "u", "v"))
        return weight / spectral_size(weight, u, v, at, 0, eps)[0]

    def look_closer(owner: Layer, inputs: Any) -> None:
        if owner.training:
            weight, u, v = (getattr(owner, f"{name}_{part}") for part in ("orig", "u", "v"))
            with no_grad():
                _, new_u, new_v = spectral_size(weight, u, v, at, n_power_iterations, eps)
                assign_(u, new_u)
                assign_(v, new_v)

    weight = _derive(layer, name, compute)
    layer.add_parameter(f"{name}_orig", weight)
    rows = weight.shape[at]
    for part, size in (("u", rows), ("v", weight._data.size // rows)):
        start = GENERATOR.rng.standard_normal(size)
        layer.register_buffer(f"{name}_{part}", Tensor((start / np.linalg.norm(start)).astype(weight.dtype.numpy)))
    layer.register_forward_pre_hook(look_closer)
    return layer
