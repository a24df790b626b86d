"""The models that are trained, with a batch and a loss for each. All sides start from the same weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass
class Work:
    """title: with the sizes. inputs: their shapes; target: its shape, or the number of classes with one target for each row.

    is_open: whether static code leaves the first length open, so that a loop over it stays one.
    """

    title: str
    inputs: list[tuple[int, ...]]
    target: tuple[int, ...] | int
    is_open: bool = False

    @property
    def loss(self) -> str:
        """The name of the loss, which is torch's and Paddle's."""
        return "cross_entropy" if isinstance(self.target, int) else "mse_loss"

    def specs(self, spec: type) -> list:
        """The InputSpecs of static code. spec: dy2st's or Paddle's class."""
        first, *rest = self.inputs
        return [spec([None, *first[1:]] if self.is_open else first, "float32"), *(spec(shape, "float32") for shape in rest)]

    def arrays(self) -> tuple[list[np.ndarray], np.ndarray]:
        """Inputs and target of the batch."""
        random = np.random.default_rng(3)
        inputs = [random.standard_normal(shape, dtype=np.float32) for shape in self.inputs]
        if isinstance(self.target, int):
            return inputs, random.integers(0, self.target, len(inputs[0]))
        return inputs, random.standard_normal(self.target, dtype=np.float32)


WORKS = {
    "MLP": Work("MLP 784-512-512-10, batch 64", [(64, 784)], 10),
    "LSTM": Work("LSTM cell, 1000 steps, batch 8, hidden 64", [(1000, 8, 64), (8, 64), (8, 64)], (1000, 8, 64), is_open=True),
    "Transformer": Work("Transformer block x 4, width 256, length 128, batch 8", [(8, 128, 256)], (8, 128, 256)),
    "ResNet-18": Work("ResNet-18, 8 x 3 x 224 x 224", [(8, 3, 224, 224)], 1000),
}


def first_values(parameters: Iterable[tuple[str, tuple[int, ...]]]) -> list[np.ndarray]:
    """The weights to start from, of names and shapes: small numbers, zeros for a bias, ones for the weight of a norm."""
    random, found = np.random.default_rng(7), []
    for name, shape in parameters:
        if len(shape) > 1:
            found.append(random.standard_normal(shape, dtype=np.float32) / np.sqrt(np.float32(np.prod(shape) / max(shape[:2]))))
        else:
            found.append(np.full(shape, "bias" not in name, np.float32))
    return found
