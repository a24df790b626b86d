"""The models: torchvision's builders, the families of timm, and architectures of transformers from tiny configs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch


class Case(NamedTuple):
    """A model, `build()`, and what it is called with, `inputs(size)`: arguments by name.

    size: of the batch, or of images. group: what it is counted with.
    """

    name: str
    group: str
    build: Callable[[], torch.nn.Module]
    inputs: Callable[[int], dict[str, Any]]


def cases(parts: list[str]) -> Iterator[Case]:
    """The models with one of these parts in their names, or all."""
    from . import zoo_timm, zoo_torchvision, zoo_transformers

    for home in (zoo_transformers, zoo_torchvision, zoo_timm):
        for case in home.cases():
            if not parts or any(part in case.name for part in parts):
                yield case


def images(name: str, length: int, batch: int) -> dict[str, torch.Tensor]:
    """A batch of square images."""
    return {name: torch.randn(batch, 3, length, length)}
