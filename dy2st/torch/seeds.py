"""Random numbers of Programs that `torch.manual_seed` makes repeatable: a call that draws takes its seed of torch's generator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from ..ops.random import GENERATOR
from .packages import torch


class _Following:
    """A generator of NumPy's that is made when it is first used."""

    @cached_property
    def _made(self) -> np.random.Generator:
        return np.random.default_rng(int(torch().randint(2**62, ())))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)


@contextmanager
def seeded_by_torch() -> Iterator[None]:
    """What is drawn in here comes of torch's seed; where nothing is drawn, torch's generator stays as it is."""
    before, GENERATOR.rng = GENERATOR.rng, _Following()  # type: ignore[assignment]
    try:
        yield
    finally:
        GENERATOR.rng = before
