"""Gradient clipping, given to an optimizer as `grad_clip`. Parameters with `need_clip=False` are left out."""

from __future__ import annotations

from typing import Any

from ..ops.training import clip_factor

Pairs = list[tuple[Any, Any]]  # parameters and their gradients: arrays, or Tensors where a step is recorded


def _counts(parameter: Any) -> bool:
    return getattr(parameter, "need_clip", True)


def _times(gradient: Any, factor: Any) -> Any:
    return gradient if type(factor) is float and factor == 1.0 else gradient * factor


class ClipGradByValue:
    """Every element cut to [min, max], two numbers; `min` is -max where not given. ValueError: min above max."""

    def __init__(self, max: float, min: float | None = None):
        self.max, self.min = float(max), -float(max) if min is None else float(min)
        if self.min > self.max:
            raise ValueError(f"ClipGradByValue: min {self.min} is above max {self.max}")

    def clipped(self, pairs: Pairs) -> Pairs:
        """(parameter, gradient) `pairs` with clipped gradients, as a list; the given arrays stay as they are."""
        return [(p, g.clip(self.min, self.max) if _counts(p) else g) for p, g in pairs]


class ClipGradByNorm:
    """Each gradient scaled down to a Euclidean norm of at most `clip_norm`, a number."""

    def __init__(self, clip_norm: float):
        self.clip_norm = float(clip_norm)

    def clipped(self, pairs: Pairs) -> Pairs:
        """(parameter, gradient) `pairs` with clipped gradients, as a list; the given arrays stay as they are."""
        return [(p, _times(g, clip_factor(g, clip_norm=self.clip_norm)) if _counts(p) else g) for p, g in pairs]


class ClipGradByGlobalNorm:
    """All gradients scaled by one factor, so that the norm of all together is at most `clip_norm` (Pascanu et al., 2013).

    `group_name` has no effect.
    """

    def __init__(self, clip_norm: float, group_name: str = "default_group"):
        self.clip_norm = float(clip_norm)

    def clipped(self, pairs: Pairs) -> Pairs:
        """(parameter, gradient) `pairs` with clipped gradients, as a list; the given arrays stay as they are."""
        factor = clip_factor(*(g for p, g in pairs if _counts(p)), clip_norm=self.clip_norm)
        return [(p, _times(g, factor) if _counts(p) else g) for p, g in pairs]
