"""matmul and the addition of a bias become one operator, which adds in place.

    %0 = matmul %x, %w : float32[n,3]
    %1 = add %0, %b : float32[n,3]          ->     %1 = linear %x, %w, %b : float32[n,3]

1. The product is used by the addition alone, in the same Block, with no effect in between.
2. The bias is a vector as long as the product's last axis, of its dtype, so that the sum has the product's shape.
3. Nothing is written between the two.
"""

from __future__ import annotations

from ..ir.core import Operation, Program, Value
from ..ir.types import TensorType
from .base import program_pass
from .fusion import Fuser
from .rewriter import Instead, renewed


@program_pass()
def linear(program: Program) -> bool:
    """Fuse matmul and add."""
    return _Linear(program).run(program)


class _Linear(Fuser):
    def visit(self, op: Operation) -> Instead | None:
        if op.name != "add":
            return None
        for product, bias in (op.operands, reversed(op.operands)):
            matmul = self.only_maker(product, "matmul", op)
            if matmul is not None and self._fits(matmul, bias):
                self.gone.add(matmul)
                made = renewed(op, "linear", [*matmul.operands, bias], matmul.attrs)
                made.loc, made.path = matmul.loc, matmul.path
                return Instead(made.results, (made,))
        return None

    def _fits(self, matmul: Operation, bias: Value) -> bool:
        a, b = matmul.result.type, bias.type
        if not (isinstance(a, TensorType) and isinstance(b, TensorType) and a.shape and b.shape):
            return False
        if len(b.shape) != 1 or not isinstance(b.shape[0], int) or b.shape[0] != a.shape[-1] or a.dtype != b.dtype:  # case 2
            return False
        return all(map(self.memory.is_stable, (*matmul.operands, matmul.result)))  # case 3
