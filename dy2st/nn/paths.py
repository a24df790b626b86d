"""Module paths that models import names from: `nn.layer.conv`, `nn.functional.vision` and their like, as Paddle has them.

What a path offers is defined in the modules of this package that the tables name. A module that has such a name gets the rest.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType

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


def offer() -> None:
    """Make all of these paths importable."""
    package = __name__.rpartition(".")[0]
    for path, homes in LAYERS.items():
        _offer(f"{package}.layer", path, [f"{package}.{home}" for home in homes], package)
    for path, homes in FUNCTIONS.items():
        _offer(f"{package}.functional", path, [f"{package}.functional.{home}" for home in homes], f"{package}.functional")


def _offer(parent: str, path: str, homes: list[str], package: str) -> None:
    """`parent.path`, with what the package has of the names that the modules `homes` define."""
    name = f"{parent}.{path}"
    module = sys.modules.setdefault(name, ModuleType(name, f"`{name}`: names that models import from there."))
    setattr(sys.modules[parent], path, module)
    for home in homes:
        for public in _public(importlib.import_module(home)):
            if not hasattr(module, public) and hasattr(sys.modules[package], public):
                setattr(module, public, getattr(sys.modules[package], public))


def _public(module: ModuleType) -> list[str]:
    """The names of the classes and functions that a module defines for others."""
    mine = [name for name, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]
    return [name for name in getattr(module, "__all__", mine) if not name.startswith("_")]
