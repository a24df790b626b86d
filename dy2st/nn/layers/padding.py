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
    """[N, C, L] with more elements: mode is constant (with `value`), reflect, replicate or circular."""

    def __init__(
        self, padding: Any, mode: str = "constant", value: float = 0.0, data_format: str | None = None, name: str | None = None
    ):
        super().__init__(padding, mode, value, data_format)


class Pad2D(Pad1D):
    """[N, C, H, W] with more elements: mode is constant (with `value`), reflect, replicate or circular."""

    _axes = 2


class Pad3D(Pad1D):
    """[N, C, D, H, W] with more elements: mode is constant (with `value`), reflect, replicate or circular."""

    _axes = 3


class _Fixed(_Pad):
    def __init__(self, padding: Any, data_format: str | None = None, name: str | None = None):
        super().__init__(padding, self._kind, 0.0, data_format)


class ZeroPad1D(_Fixed):
    """[N, C, L] with zeros around."""


class ZeroPad2D(_Fixed):
    """[N, C, H, W] with zeros around."""

    _axes = 2


class ZeroPad3D(_Fixed):
    """[N, C, D, H, W] with zeros around."""

    _axes = 3


class ConstantPad1D(_Pad):
    """[N, C, L] with `value` around."""

    def __init__(self, padding: Any, value: float, data_format: str | None = None, name: str | None = None):
        super().__init__(padding, "constant", value, data_format)


class ConstantPad2D(ConstantPad1D):
    """[N, C, H, W] with `value` around."""

    _axes = 2


class ConstantPad3D(ConstantPad1D):
    """[N, C, D, H, W] with `value` around."""

    _axes = 3


class ReflectionPad1D(_Fixed):
    """[N, C, L] continued by its reflection."""

    _kind = "reflect"


class ReflectionPad2D(ReflectionPad1D):
    """[N, C, H, W] continued by its reflection."""

    _axes = 2


class ReflectionPad3D(ReflectionPad1D):
    """[N, C, D, H, W] continued by its reflection."""

    _axes = 3


class ReplicationPad1D(_Fixed):
    """[N, C, L] continued by its border."""

    _kind = "replicate"


class ReplicationPad2D(ReplicationPad1D):
    """[N, C, H, W] continued by its border."""

    _axes = 2


class ReplicationPad3D(ReplicationPad1D):
    """[N, C, D, H, W] continued by its border."""

    _axes = 3


class CircularPad1D(_Fixed):
    """[N, C, L] continued from its other end."""

    _kind = "circular"


class CircularPad2D(CircularPad1D):
    """[N, C, H, W] continued from its other side."""

    _axes = 2


class CircularPad3D(CircularPad1D):
    """[N, C, D, H, W] continued from its other side."""

    _axes = 3
