"""Write the backward where a function asks for gradients itself.

    main(%x: float32[3]) -> none:                 main(%x: float32[3]) -> none:
      %w = param name="w" : float32[3]              %w = param name="w" : float32[3]
      %0 = multiply %x, %w : float32[3]             %0 = multiply %x, %w : float32[3]
      %1 = sum %0 : float32[]                       %1 = sum %0 : float32[]
      %2 = gradients %1, %w : float32[3]     ->     %2 = gradient_start %1 : float32[]
      sgd_ %w, %2, rate=0.1                         %3 = expand_like ... : float32[3]
      return none                                   %4 = multiply %3, %x : float32[3]
                                                    sgd_ %w, %4, rate=0.1
                                                    return none

1. Each `gradients` in its order, since a later one may differentiate what an earlier one gave.
2. The backward stands where the gradients were asked for (`backward/within.py`), before whatever writes what it reads.
"""

from __future__ import annotations

from ..ir.core import Program
from .base import program_pass


@program_pass()
def gradients(program: Program) -> bool:
    """Write out every `gradients`."""
    if not any(op.name == "gradients" for op in program.walk()):
        return False
    from .backward.within import expand  # only who trains needs it

    return expand(program)
