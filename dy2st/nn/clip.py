"""Gradient clipping, given to an optimizer as `grad_clip`. Parameters with `need_clip=False` are left out."""

from __future__ import annotations

from typing import Any

import numpy as np

Pairs = list[tuple[Any, np.ndarray]]


def _counts(parameter: Any) -> bool:
    return getattr(parameter, "need_clip", True)


class ClipGradByValue:
    """Every element cut to [min, max]; `min` is -max where not given."""

    def __init__(self, max: float, min: float | None = None):
        self.max, self.min = float(max), -float(max) if min is None else float(min)
        if self.min > self.max:
            raise ValueError(f"ClipGradByValue: min {self.min} is above max {self.max}")

    def clipped(self, pairs: Pairs) -> Pairs:
        """(parameter, gradient) pairs with clipped gradients; the given arrays stay as they are."""
        return [(p, np.clip(g, self.min, self.max) if _counts(p) else g) for p, g in pairs]


class ClipGradByNorm:
    """Each gradient scaled down to a Euclidean norm of at most `clip_norm`."""

    def __init__(self, clip_norm: float):
        self.clip_norm = float(clip_norm)

    def clipped(self, pairs: Pairs) -> Pairs:
        """(parameter, gradient) pairs with clipped gradients; the given arrays stay as they are."""
        return [(p, self._scaled(g) if _counts(p) else g) for p, g in pairs]

    def _scaled(self, g: np.ndarray) -> np.ndarray:
        norm = float(np.sqrt(np.sum(np.square(g, dtype=np.float64))))
        return g * g.dtype.type(self.clip_norm / norm) if norm > self.clip_norm else g


class ClipGradByGlobalNorm:
    """All gradients scaled by one factor, so that the norm of all together is at most `clip_norm` (Pascanu et al., 2013)."""

    def __init__(self, clip_norm: float, group_name: str = "default_group"):
        self.clip_norm = float(clip_norm)

    def clipped(self, pairs: Pairs) -> Pairs:
        """(parameter, gradient) pairs with clipped gradients; the given arrays stay as they are."""
        norm = float(np.sqrt(sum(float(np.sum(np.square(g, dtype=np.float64))) for p, g in pairs if _counts(p))))
        if norm <= self.clip_norm:
            return pairs
        return [(p, g * g.dtype.type(self.clip_norm / norm) if _counts(p) else g) for p, g in pairs]
