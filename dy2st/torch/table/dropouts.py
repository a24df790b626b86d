"""Elements, or whole channels, left out by chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from .axes import rank_of
from .rows import before_write, in_place, refused, row, written

F = api.nn.functional


def _drop(name: str, function: Callable) -> None:
    """Rows for `torch.name` and `torch.name_`, function(input, p)."""

    def compute(input: Any, p: Any, train: bool) -> Any:
        if isinstance(p, int | float) and not 0 <= p <= 1:
            raise refused(f"a probability of {name} has to be between 0 and 1, not {p}")
        return function(input, p) if train else input

    compute.__name__ = name
    row(name)(compute)
    in_place(name, compute)

    def functional(input: Any, p: Any = 0.5, training: bool = name == "dropout", inplace: bool = False) -> Any:
        writes = inplace and training and p != 0  # else torch doesn't count a write
        return written(input, compute(before_write(input), p, training)) if writes else compute(input, p, training)

    functional.__name__ = name
    if name != "feature_dropout":
        row(f"nn.functional.{name}")(functional)


def _of_channels(function: Callable) -> Callable:
    """One draw for all elements of a channel, [N, C, ...]."""

    def compute(x: Any, p: Any) -> Any:
        if rank_of(x) < 2:
            raise refused(f"a dropout of channels takes a tensor of at least two axes, not of {rank_of(x)}")
        return function(x, p)

    return compute


_drop("dropout", F.dropout)
_drop("feature_dropout", _of_channels(lambda x, p: F.dropout(x, p, axis=[0, 1])))
_drop("alpha_dropout", F.alpha_dropout)
_drop("feature_alpha_dropout", _of_channels(F.feature_alpha_dropout))
