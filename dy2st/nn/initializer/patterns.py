"""Parameters that start with a pattern: Orthogonal, Dirac, Bilinear."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import ShapeError
from ...ops.random import GENERATOR
from .distributions import Initializer


class Orthogonal(Initializer):
    """A matrix, of the first axis by all others, whose rows (or columns, where fewer) are of length `gain` and at right angles.

    See Saxe et al., 2013. ShapeError, when a parameter starts: fewer than two axes.
    """

    def __init__(self, gain: float = 1.0, name: str | None = None):
        self.gain = gain

    def values(self, shape: list[int]) -> Any:
        if len(shape) < 2:
            raise ShapeError(f"Orthogonal starts parameters of two axes or more, not of shape {shape}")
        rows, columns = shape[0], math.prod(shape[1:])
        q, r = np.linalg.qr(GENERATOR.rng.standard_normal((max(rows, columns), min(rows, columns))))
        q = q * np.sign(np.diag(r))
        return self.gain * (q.T if rows < columns else q).reshape(shape)


class Dirac(Initializer):
    """Kernels [out, in, ...] of convolutions that give their input: 1 in the middle, from channel to channel.

    groups: of the convolution; ValueError where it isn't positive. ShapeError, when a parameter starts: another shape.
    """

    def __init__(self, groups: int = 1, name: str | None = None):
        if groups <= 0:
            raise ValueError(f"Dirac: groups must be positive, not {groups}")
        self.groups = groups

    def values(self, shape: list[int]) -> Any:
        if len(shape) not in (3, 4, 5) or shape[0] % self.groups:
            raise ShapeError(f"Dirac starts kernels of 3 to 5 axes whose first divides into {self.groups} groups, not {shape}")
        found = np.zeros(shape)
        middle, per_group = tuple(d // 2 for d in shape[2:]), shape[0] // self.groups
        for group in range(self.groups):
            for channel in range(min(per_group, shape[1])):
                index = (group * per_group + channel, channel, *middle)
                found[index] = 1.0
        return found


class Bilinear(Initializer):
    """Kernels [out, in, k, k] of transposed convolutions that interpolate. ShapeError, when a parameter starts: another shape."""

    def values(self, shape: list[int]) -> Any:
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ShapeError(f"Bilinear starts square kernels of 4 axes, not of shape {shape}")
        factor = math.ceil(shape[3] / 2.0)
        centre = (2 * factor - 1 - factor % 2) / (2.0 * factor)
        line = 1 - np.abs(np.arange(shape[3]) / factor - centre)
        return np.broadcast_to(np.outer(line, line), shape)
