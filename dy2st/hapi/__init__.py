"""Training, evaluation and prediction of a network without loops of one's own, under Paddle's names."""

from .model import Model  # noqa: F401
