"""Tensors of other libraries: of those that are installed, and of one that has nothing but DLPack."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np


class Plain:
    """A tensor that gives its memory, and has no other method."""

    def __init__(self, array, device=(1, 0)):
        self._array, self._device = array, device

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._device


def _torch():
    import torch

    return torch.from_numpy


def _jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax.numpy.asarray


MAKERS = {"plain": lambda: Plain}
MAKERS |= {name: made for name, made in (("torch", _torch), ("jax", _jax)) if find_spec(name)}


def foreign(kind, values, dtype=None):
    """A tensor of a library, of a new array."""
    return MAKERS[kind]()(np.array(values, dtype))


def is_foreign(value):
    return hasattr(type(value), "__dlpack__") and not type(value).__module__.startswith(("dy2st", "numpy"))
