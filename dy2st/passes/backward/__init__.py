"""The backward of a Program is a Program: `gradient` in one piece, `split` into what runs forward and what runs backward."""

from .differentiate import Split, gradient, split
from .refusal import NotDifferentiableError

__all__ = ["NotDifferentiableError", "Split", "gradient", "split"]
