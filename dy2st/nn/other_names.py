"""Names of PyTorch's that Paddle has beside its own."""

from .containers import LayerDict, LayerList
from .layer import Layer
from .layers.adaptive_pooling import AdaptiveMaxPool1D, AdaptiveMaxPool2D
from .layers.conv import Conv1D, Conv2D, Conv3D
from .layers.padding import (
    CircularPad1D,
    CircularPad2D,
    CircularPad3D,
    ConstantPad1D,
    ConstantPad2D,
    ConstantPad3D,
    ReflectionPad1D,
    ReflectionPad2D,
    ReflectionPad3D,
    ReplicationPad1D,
    ReplicationPad2D,
    ReplicationPad3D,
)
from .layers.pooling import LPPool1D, LPPool2D

Module, ModuleList, ModuleDict = Layer, LayerList, LayerDict
Conv1d, Conv2d, Conv3d = Conv1D, Conv2D, Conv3D
AdaptiveMaxPool1d, AdaptiveMaxPool2d, LPPool1d, LPPool2d = AdaptiveMaxPool1D, AdaptiveMaxPool2D, LPPool1D, LPPool2D
CircularPad1d, CircularPad2d, CircularPad3d = CircularPad1D, CircularPad2D, CircularPad3D
ConstantPad1d, ConstantPad2d, ConstantPad3d = ConstantPad1D, ConstantPad2D, ConstantPad3D
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = ReflectionPad1D, ReflectionPad2D, ReflectionPad3D
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = ReplicationPad1D, ReplicationPad2D, ReplicationPad3D

__all__ = [
    "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d",
    "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv2d", "Conv3d", "LPPool1d", "LPPool2d", "Module", "ModuleDict",
    "ModuleList", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
    "ReplicationPad3d",
]  # fmt: skip
