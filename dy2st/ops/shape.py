"""The lengths of a tensor's axes, as tensors."""

from __future__ import annotations

import math

import numpy as np

from ..ir.types import TensorType, Type
from .lowered.reductions import counted
from .registry import define
from .rules import need_tensor


def _infer_shape(x: Type) -> TensorType:
    rank = need_tensor("shape", x).rank
    return TensorType("int64", (rank,))


def _infer_numel(x: Type) -> TensorType:
    need_tensor("numel", x)
    return TensorType("int64", ())


# The lengths, a 1-d int64 tensor; and the number of elements, a 0-d int64 tensor.
shape = define(
    "shape", kernel=lambda x: np.array(x.shape, np.int64), infer=_infer_shape, shape_only=(0,), onnx=lambda g, x: g.shape_of(x)
)
numel = define(
    "numel",
    kernel=lambda x: np.array(math.prod(x.shape), np.int64),
    infer=_infer_numel,
    shape_only=(0,),
    onnx=lambda g, x: g.value(counted(g, x)),
)
