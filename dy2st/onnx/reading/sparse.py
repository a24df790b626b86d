"""Sparse tensors of ONNX: the Program makes them dense, as a small file may have a huge one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from ...errors import ModelFileError
from ...ops.creation import full
from ...ops.mutate_index import setitem_copy
from ...ops.views import reshape
from ...runtime.tensors.tensor import Tensor
from ...saving.untrusted import brief, within
from .folding import folded
from .values import as_tensor


@dataclass(frozen=True, eq=False)
class Sparse:
    """A tensor of mostly zeros.

    values: an array or Tensor [N]. places: an int64 array [N], the index of each value among all elements. lengths: of the dense
    tensor.
    """

    values: Any
    places: np.ndarray
    lengths: list[int]

    def dense(self) -> Any:
        """The dense tensor: an array, where it is small and no parameter."""
        if isinstance(self.values, Tensor):
            return self._dense()
        found = folded(self._dense, self._dense)
        return found if found.is_staged else found._data

    def _dense(self) -> Tensor:
        values = as_tensor(self.values)
        zeros = full(shape=[prod(self.lengths)], fill_value=0, dtype=values.dtype.name)
        return reshape(setitem_copy(zeros, values, as_tensor(self.places), index=[{"tensor": 0}]), shape=self.lengths)


def sparse_of(proto: Any, values: Any, value_of: Callable[[Any], Any]) -> Sparse:
    """A SparseTensorProto with these values. ModelFileError: it has no valid places."""
    lengths, indices = list(proto.dims), np.asarray(value_of(proto.indices))
    what = f"the sparse tensor {brief(proto.values.name)}"
    within("elements", prod(lengths), f"{what}: elements")
    count = len(values) if isinstance(values, np.ndarray) else prod(values.type.shape)
    is_flat = indices.ndim == 1
    bounds = np.array([prod(lengths)] if is_flat else lengths, np.int64)
    if min(lengths, default=0) < 0 or indices.shape not in ((count,), (count, len(lengths))) or indices.dtype != np.int64:
        raise ModelFileError(f"{what} of lengths {lengths} has {count} values, and indices of shape {list(indices.shape)}")
    rows = indices.reshape(count, -1)
    if ((rows < 0) | (rows >= bounds)).any():
        raise ModelFileError(f"{what} of lengths {lengths} has an index that lies outside of it")
    steps = np.array([1] if is_flat else [prod(lengths[k + 1 :]) for k in range(len(lengths))], np.int64)
    return Sparse(values, rows @ steps, lengths)
