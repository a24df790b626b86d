"""A loop multiplies by a weight as it lies in memory, not by its transpose.

    body(%h: float32[8,64]):                                    %0 = transpose %w, perm=[1, 0] : float32[64,256]
      %1 = matmul %h, %w, transpose_y=True : float32[8,256]     %1 = assign %0 : float32[64,256]
                                                         ->     ...
                                                                body(%h: float32[8,64]):
                                                                  %2 = matmul %h, %1 : float32[8,256]

`loop_invariants` moves the copy before the loop. OpenBLAS computes small products by transposes several times slower (AVX-512).
1. The product stands in a loop; the weight is a matrix of known shape, defined outside the loop.
2. Nothing writes the weight.
Another kernel of BLAS may round the last bit otherwise. So the pass runs by name, or by `BuildStrategy(reorder_weights=True)`.
"""

from __future__ import annotations

from ..ir.core import Operation, Program, Value
from ..ir.types import TensorType
from .base import program_pass
from .memory import Memory
from .rewriter import renewed


@program_pass(exact=False)
def weights_in_order(program: Program) -> bool:
    """Copy transposed weights of loops into the order in which they are read."""
    memory = Memory(program)
    changed = False
    for loop in [op for op in program.walk() if op.name == "while"]:
        for block in loop.blocks:
            inside = {value for op in block.ops for value in op.results} | set(block.args)
            ops: list[Operation] = []
            for op in block.ops:
                ops += _in_order(op) if _fits(op, inside, memory) else [op]
            changed |= len(ops) > len(block.ops)
            block.ops[:] = ops
            for op in ops:
                op.parent = block
    return changed


def _fits(op: Operation, inside: set[Value], memory: Memory) -> bool:
    if op.name != "matmul" or not op.attrs.get("transpose_y"):
        return False
    weight = op.operands[1]
    return weight not in inside and _is_known(weight) and memory.is_stable(weight)  # cases 1 and 2


def _in_order(op: Operation) -> list[Operation]:
    """The product by a copy of the transposed weight."""
    x, weight = op.operands
    assert isinstance(weight.type, TensorType) and weight.type.shape is not None
    type_ = TensorType(weight.type.dtype, weight.type.shape[::-1])
    turned = Operation("transpose", [weight], {"perm": [1, 0]}, [type_], loc=op.loc, path=op.path)
    copied = Operation("assign", [turned.result], {}, [type_], loc=op.loc, path=op.path)
    return [turned, copied, renewed(op, "matmul", [x, copied.result], {**op.attrs, "transpose_y": False})]


def _is_known(weight: Value) -> bool:
    """Whether it is a matrix of known shape."""
    shape = weight.type.shape if isinstance(weight.type, TensorType) else None
    return shape is not None and len(shape) == 2 and all(isinstance(dim, int) for dim in shape)
