"""Module paths that models import names from: `nn.layer.conv`, `nn.functional.vision` and their like, as Paddle has them.

What a path offers is defined in the modules that the tables name. A module that has such a name itself gets the rest.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType
from typing import Any

LAYERS = {  # path under nn.layer -> modules under nn
    "activation": ("layers.activation", "layers.curves", "layers.gates"),
    "common": ("layers.common", "layers.linear", "layers.padding", "layers.vision", "layers.loss_margin"),
    "container": ("containers",),
    "conv": ("layers.conv",),
    "distance": ("layers.loss_margin",),
    "layers": ("layer",),
    "loss": ("layers.loss", "layers.loss_likelihood", "layers.loss_margin"),
    "norm": ("layers.norm", "layers.group_norms"),
    "pooling": ("layers.pooling", "layers.adaptive_pooling"),
    "rnn": ("layers.cells", "layers.recurrent"),
    "transformer": ("layers.attention", "layers.transformer"),
    "vision": ("layers.vision",),
}
FUNCTIONS = {  # path under nn.functional -> modules there
    "activation": ("curves", "gates"),
    "common": ("shuffles", "resize", "distance", "sequences"),
    "conv": ("conv_transpose",),
    "extension": ("sequences",),
    "flash_attention": ("attention",),
    "input": ("common",),
    "loss": ("loss_likelihood", "loss_margin", "loss_ctc"),
    "norm": ("group_norms",),
    "pooling": ("pooling_lines", "pooling_max"),
    "vision": ("grids", "shuffles"),
}


class LatePath(ModuleType):
    """A path that is no module of its own: it gets its names when the first of them is asked for."""

    def __init__(self, name: str, homes: tuple[str, ...], package: str):
        super().__init__(name, f"`{name}`: names that models import from there.")
        self._homes, self._package = homes, package

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return dir(self)
        if name.startswith("__") or name not in (names := _names(self._homes, self._package)):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        vars(self).update(names)
        return names[name]

    def __dir__(self) -> list[str]:
        return sorted(_names(self._homes, self._package))


def offer(parent: str, table: dict[str, tuple[str, ...]], package: str) -> None:
    """Make the paths of `table` under the module `parent` importable, with names of `package` and the modules in it."""
    for path, homes in table.items():
        name = f"{parent}.{path}"
        if name in sys.modules:
            namespace = vars(sys.modules[name])
            namespace.update({key: value for key, value in _names(homes, package).items() if key not in namespace})
        else:
            sys.modules[name] = LatePath(name, homes, package)
            setattr(sys.modules[parent], path, sys.modules[name])


def _names(homes: tuple[str, ...], package: str) -> dict[str, Any]:
    """What the package has of the names that the modules `homes` define."""
    public = [name for home in homes for name in _public(importlib.import_module(f"{package}.{home}"))]
    offered = sys.modules[package]
    return {name: getattr(offered, name) for name in public if hasattr(offered, name)}


def _public(module: ModuleType) -> list[str]:
    """The names of the classes and functions that a module defines for others."""
    mine = [name for name, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]
    return [name for name in getattr(module, "__all__", mine) if not name.startswith("_")]
