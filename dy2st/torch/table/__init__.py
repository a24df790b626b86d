"""The table: what stands for each function and method of torch's. A row is a function on Tensors of dy2st's, with torch's semantics.

    @row("relu", "Tensor.relu", "nn.functional.relu")
    def relu(x, inplace=False): ...

The names are those in the package torch; each file of rows is one family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..packages import torch
from .rows import ROWS, row

__all__ = ["ROWS", "functions_of", "row"]


def functions_of(name: str) -> Iterator[Any]:
    """The functions of torch's that are called so."""
    found: Any = torch()
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not None:
        yield found


from . import creation, nets, pointwise, reductions, shapes  # noqa: E402,F401 - they fill ROWS
