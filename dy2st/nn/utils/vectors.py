"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...api.joining import concat
from ...api.manipulation import reshape
from ...ops.cast import assign_
from ...runtime.tensors.grad_mode import no_grad
from ...runtime.tensors.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor], name: str | None = None) -> Tensor:
    """All elements of `parameters`, tensors of any shapes, in one axis: a tensor [n] of their promoted dtype."""
    return concat([reshape(p, [-1]) for p in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor], name: str | None = None) -> None:
    """Write the elements of the vector `vec` [n] into `parameters`, one after the other; each keeps its shape and dtype."""
    at = 0
    with no_grad():
        for p in parameters:
            size = p.size
            assign_(p, reshape(vec[at : at + size], p.shape))
            at += size
