"""The backward of a Program is a Program: `gradient` in one piece, `split` into what runs forward and what runs backward.

`slope` is the gradient of a Program that computes one number.
"""

from .differentiate import Split, gradient, slope, split
from .overwritten import refuse_late_writes
from .refusal import NotDifferentiableError

__all__ = ["NotDifferentiableError", "Split", "gradient", "refuse_late_writes", "slope", "split"]
