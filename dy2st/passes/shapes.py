"""Say of every tensor as much as is known of its shape.

    def main(%x: float32[3,4]) -> float32[?,?]:            def main(%x: float32[3,4]) -> float32[4,3]:
      %0 = transpose %x, perm=[1, 0] : float32[?,?]   ->     %0 = transpose %x, perm=[1, 0] : float32[4,3]
      return %0                                              return %0

1. What the rules of `ops/refine.py` find becomes the declared type.
2. Where an operation contradicts what is known, it raises whenever it runs, and nothing is changed.
"""

from __future__ import annotations

from ..ir.core import Program
from ..ops.refine import Refiner
from .base import program_pass


@program_pass()
def shapes(program: Program) -> bool:
    """Push known lengths through the Program, down to the results."""
    refiner = Refiner(program)
    for function in reversed(program.functions.values()):
        refiner.block(function.block)
    if refiner.contradicts:
        return False
    for value, type_ in refiner.types.items():
        value.type = type_
    return bool(refiner.types)
