"""Products of one matrix by several weights, in a loop, become one product by the weights one behind the other.

    body(%h: float32[8,64]):                        %w = stack %w1, %w2, axis=0 : float32[2,64,64]
      %1 = matmul %h, %w1 : float32[8,64]           ...
      %2 = matmul %h, %w2 : float32[8,64]    ->     body(%h: float32[8,64]):
                                                      %0 = matmul %h, %w : float32[2,8,64]
                                                      %1 = getitem %0, index=[0] : float32[8,64]
                                                      %2 = getitem %0, index=[1] : float32[8,64]

The gates of an LSTM or a GRU are often written so. `loop_invariants` stacks the weights once, before the loop. BLAS gets the very
products that it got before, so each result has the same bits. There are two exceptions: a weight whose memory isn't in row-major
order gets another kernel of BLAS, and a gradient of the first operand may sum in another order.
1. The products stand in one Block of a loop, and have their first operand, a matrix, in common. Neither operand is transposed.
2. The weights are matrices of one known shape and dtype, defined outside the loop.
3. Nothing writes what the products read, and nobody can tell the memory of a result from a copy.
4. Where each product is used by one addition of a vector alone, and cases 2 and 3 hold for it, the additions become one as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.core import Block, Operation, Program, Value
from ..ir.types import TensorType
from .base import program_pass
from .memory import Memory
from .rewriter import renewed
from .uses import Uses


@program_pass(exact=False)
def merged_products(program: Program) -> bool:
    """Merge the products of one matrix by several weights in loops."""
    loops = [op for op in program.walk() if op.name == "while"]
    merger = _Merger(program)
    changed = [merger.block(block) for op in loops for block in op.blocks]
    return any(changed)


class _Merger:
    def __init__(self, program: Program):
        self.memory = Memory(program)
        self.uses: Uses[Value, Operation] = Uses((op, op.operands) for op in program.walk())

    def block(self, block: Block) -> bool:
        """Merge what can be merged in one Block of a loop."""
        inside = {value for op in block.ops for value in op.results} | set(block.args)
        groups: dict[tuple, list[Operation]] = {}
        for op in block.ops:
            if op.name == "matmul" and self._fits(op, inside):
                groups.setdefault((op.operands[0], op.operands[1].type), []).append(op)
        found = [group for group in groups.values() if len(group) > 1]
        for group in found:
            self._merge(group, [self._addition(op, inside) for op in group], block)
        return bool(found)

    def _fits(self, op: Operation, inside: set[Value]) -> bool:
        if op.attrs.get("transpose_x") or op.attrs.get("transpose_y"):  # case 1
            return False
        x, weight = op.operands
        rows, shape = _shape(x), _shape(weight)
        if rows is None or len(rows) != 2 or shape is None or len(shape) != 2:
            return False
        is_known = all(isinstance(dim, int) for dim in shape) and isinstance(rows[0], int | str)
        return is_known and weight not in inside and self._is_plain(op)  # case 2

    def _is_plain(self, op: Operation) -> bool:
        """Case 3."""
        return all(map(self.memory.is_stable, op.operands)) and self.memory.is_anonymous(op.result)

    def _addition(self, product: Operation, inside: set[Value]) -> Operation | None:
        """Case 4: the addition that uses a product."""
        op = self.uses.only_user(product.result)
        if op is None or op.name != "add" or op.parent is not product.parent or op.operands[0] is not product.result:
            return None
        type_, bias = product.result.type, op.operands[1]
        assert isinstance(type_, TensorType) and type_.shape is not None
        is_vector = bias.type == TensorType(type_.dtype, type_.shape[-1:])
        return op if is_vector and bias not in inside and self._is_plain(op) else None

    def _merge(self, products: list[Operation], additions: list[Operation | None], block: Block) -> None:
        """One product, and one addition, where the first of `products` stands; the results are parts of it."""
        first = products[0]
        weights = _stacked(first, [op.operands[1] for op in products])
        wide = _like(first, "matmul", [first.operands[0], weights.result], {}, (len(products), *(_shape(first.result) or ())))
        new, ends = [weights, wide], products
        if None not in additions:
            ends = [op for op in additions if op is not None]
            new += _added(wide, ends)
        parts = [renewed(op, "getitem", [new[-1].result], {"index": [{"int": k}]}) for k, op in enumerate(ends)]
        at = block.ops.index(first)
        gone = {*products, *ends}
        block.ops[:] = [*block.ops[:at], *new, *parts, *(op for op in block.ops[at:] if op not in gone)]
        for op in block.ops:
            op.parent = block


def _added(product: Operation, additions: Sequence[Operation]) -> list[Operation]:
    """The operations that add the vectors of `additions` to the parts of one product."""
    first = additions[0]
    biases = _stacked(first, [op.operands[1] for op in additions])
    count, length = _shape(biases.result) or ()
    rows = _like(first, "unsqueeze", [biases.result], {"axis": [1]}, (count, 1, length))
    return [biases, rows, _like(first, "add", [product.result, rows.result], {}, _shape(product.result) or ())]


def _stacked(near: Operation, values: Sequence[Value]) -> Operation:
    return _like(near, "stack", values, {"axis": 0}, (len(values), *(_shape(values[0]) or ())))


def _like(near: Operation, name: str, operands: Sequence[Value], attrs: dict, shape: tuple) -> Operation:
    """An operation with a result of the dtype of that of `near`, at its line."""
    type_ = near.result.type
    assert isinstance(type_, TensorType)
    return Operation(name, operands, attrs, [TensorType(type_.dtype, shape)], loc=near.loc, path=near.path)


def _shape(value: Value) -> tuple | None:
    return value.type.shape if isinstance(value.type, TensorType) else None
