"""Memory that tensors share with those of other libraries, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..runtime.tensors.call_hook import as_they_are
from ..runtime.tensors.dlpack import array_of, exported
from ..runtime.tensors.tensor import Tensor
from .checks import need_tensor
from .modes import set_device

__all__ = (  # fmt: skip
    "from_dlpack",
    "to_dlpack",
)


@as_they_are
def from_dlpack(dlpack: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """The Tensor of another library's tensor `dlpack`, in the same memory, shape and dtype, or of what `to_dlpack` gives.

    Of read-only memory, as that of JAX, it is a copy from the first write on. copy: True for a copy at once. device: "cpu" or
    None. BufferError: a tensor on another device, or one that its library doesn't give, such as one with gradients. DTypeError:
    elements of a kind that has no dtype here. TypeError: no tensor. ValueError: another `device`. ConversionError: in a static
    function.

    >>> x = dy2st.zeros([2])
    >>> dy2st.from_dlpack(x)[0] = 1.0
    >>> x.tolist()
    [1.0, 0.0]
    """
    if device is not None:
        set_device(device)
    array = array_of(dlpack)
    return Tensor(array.copy() if copy else array)


def to_dlpack(x: Tensor) -> Any:
    """The memory of x, of any shape and dtype, as a capsule that another library takes once: `torch.from_dlpack(capsule)`.

    Libraries of today take x itself. BufferError: gradients flow into x. StagedValueError: in a static function.
    """
    return exported(need_tensor("to_dlpack", x))
