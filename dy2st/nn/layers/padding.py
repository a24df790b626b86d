"""More elements around lines, images and volumes."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from .. import functional as F
from ..functional.windows import FORMATS
from ..layer import Layer


class _Pad(Layer):
    """`padding`: an int for all sides, or [left, right] ([left, right, top, bottom], [..., front, back])."""

    _axes = 1
    _kind = "constant"

    def __init__(self, padding: Any, mode: str, value: float, data_format: str | None):
        super().__init__()
        self.padding = [padding] * (2 * self._axes) if isinstance(padding, int) else padding
        self.mode, self.value, self.data_format = mode, value, data_format or FORMATS[self._axes][0]

    def forward(self, x: Tensor) -> Tensor:
        return F.pad(x, self.padding, self.mode, self.value, self.data_format)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, mode={self.mode}, value={self.value}, data_format={self.data_format}"


class Pad1D(_Pad):
    """x [N, C, L] with more elements -> [N, C, left + L + right], in its dtype. As `nn.functional.pad`: mode, value, errors.

    padding: an int for both sides, or [left, right]. data_format: "NCL", or "NLC" for channels last.
    """

    def __init__(
        self, padding: Any, mode: str = "constant", value: float = 0.0, data_format: str | None = None, name: str | None = None
    ):
        super().__init__(padding, mode, value, data_format)


class Pad2D(Pad1D):
    """x [N, C, H, W] with more elements -> [N, C, H', W'], in its dtype. As `nn.functional.pad`: mode, value, errors.

    padding: an int for all sides, or [left, right, top, bottom]. data_format: "NCHW", or "NHWC" for channels last.

    >>> dy2st.nn.Pad2D(1)(dy2st.ones([1, 3, 4, 4])).shape
    [1, 3, 6, 6]
    """

    _axes = 2


class Pad3D(Pad1D):
    """x [N, C, D, H, W] with more elements -> [N, C, D', H', W'], in its dtype. As `nn.functional.pad`: mode, value, errors.

    padding: an int for all sides, or [left, right, top, bottom, front, back]. data_format: "NCDHW", or "NDHWC".
    """

    _axes = 3


class _Fixed(_Pad):
    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None):
        super().__init__(padding, self._kind, 0.0, data_format)


class ZeroPad1D(_Fixed):
    """x [N, C, L] with zeros around. As `Pad1D`: padding, data_format, the result."""


class ZeroPad2D(_Fixed):
    """x [N, C, H, W] with zeros around. As `Pad2D`: padding, data_format, the result."""

    _axes = 2


class ZeroPad3D(_Fixed):
    """x [N, C, D, H, W] with zeros around. As `Pad3D`: padding, data_format, the result."""

    _axes = 3


class ConstantPad1D(_Pad):
    """x [N, C, L] with `value` around. As `Pad1D`: padding, data_format, the result."""

    def __init__(self, padding: Any, value: float, data_format: str | None = None, name: str | None = None):
        super().__init__(padding, "constant", value, data_format)


class ConstantPad2D(ConstantPad1D):
    """x [N, C, H, W] with `value` around. As `Pad2D`: padding, data_format, the result."""

    _axes = 2


class ConstantPad3D(ConstantPad1D):
    """x [N, C, D, H, W] with `value` around. As `Pad3D`: padding, data_format, the result."""

    _axes = 3


class ReflectionPad1D(_Fixed):
    """x [N, C, L] continued by its reflection. As `Pad1D`: padding, data_format, the result."""

    _kind = "reflect"


class ReflectionPad2D(ReflectionPad1D):
    """x [N, C, H, W] continued by its reflection. As `Pad2D`: padding, data_format, the result."""

    _axes = 2


class ReflectionPad3D(ReflectionPad1D):
    """x [N, C, D, H, W] continued by its reflection. As `Pad3D`: padding, data_format, the result."""

    _axes = 3


class ReplicationPad1D(_Fixed):
    """x [N, C, L] continued by its border. As `Pad1D`: padding, data_format, the result."""

    _kind = "replicate"


class ReplicationPad2D(ReplicationPad1D):
    """x [N, C, H, W] continued by its border. As `Pad2D`: padding, data_format, the result."""

    _axes = 2


class ReplicationPad3D(ReplicationPad1D):
    """x [N, C, D, H, W] continued by its border. As `Pad3D`: padding, data_format, the result."""

    _axes = 3


class CircularPad1D(_Fixed):
    """x [N, C, L] continued from its other end. As `Pad1D`: padding, data_format, the result."""

    _kind = "circular"


class CircularPad2D(CircularPad1D):
    """x [N, C, H, W] continued from its other side. As `Pad2D`: padding, data_format, the result."""

    _axes = 2


class CircularPad3D(CircularPad1D):
    """x [N, C, D, H, W] continued from its other side. As `Pad3D`: padding, data_format, the result."""

    _axes = 3
