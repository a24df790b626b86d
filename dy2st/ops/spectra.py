"""Singular values, and eigenvalues of symmetric matrices, by themselves: these are sure, where vectors may have another sign."""

from __future__ import annotations

import numpy as np

from ..ir.types import TensorType, Type
from .elementwise import multiply
from .factors import eigh, svd
from .linalg import matmul
from .lowered import spectra as lowered
from .registry import define
from .rules import quiet, real_part
from .solving import matrices, of_fractions, per_matrix
from .views import unsqueeze


def _infer_svdvals(x: Type) -> TensorType:
    tensor = real_part(matrices("svdvals", x))
    if tensor.shape is None:
        return tensor
    rows, columns = tensor.shape[-2:]
    return per_matrix(tensor, min(rows, columns) if isinstance(rows, int) and isinstance(columns, int) else None)


def _svdvals_grad(ctx, g) -> tuple:
    u, _, vh = svd(ctx.inputs[0])
    return (matmul(multiply(u, unsqueeze(g, axis=[-2])), vh),)


# The sizes of which `svd` gives the vectors as well, in descending order.
svdvals = define(
    "svdvals",
    kernel=of_fractions("svdvals", quiet(lambda x: np.linalg.svd(x, compute_uv=False))),
    infer=_infer_svdvals,
    grad=_svdvals_grad,
    onnx=lowered.svdvals,
    raises=("ValueError",),
)


def _infer_eigvalsh(x: Type, upper: bool = False) -> TensorType:
    tensor = real_part(matrices("eigvalsh", x, square=True))
    return tensor if tensor.shape is None else per_matrix(tensor, tensor.shape[-1])


def _eigvalsh_grad(ctx, g) -> tuple:
    """Symmetric, since `x` is."""
    _, v = eigh(ctx.inputs[0], **ctx.attrs)
    return (matmul(multiply(v, unsqueeze(g, axis=[-2])), v, transpose_y=True),)


# The eigenvalues of symmetric or Hermitian matrices in ascending order; only one triangle of `x` is read.
eigvalsh = define(
    "eigvalsh",
    kernel=of_fractions("eigvalsh", lambda x, upper=False: np.linalg.eigvalsh(x, "U" if upper else "L")),
    infer=_infer_eigvalsh,
    grad=_eigvalsh_grad,
    onnx=lowered.eigvalsh,
    raises=("ValueError",),
)
