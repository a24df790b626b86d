"""A convolution and the batch normalisation of inference after it become one convolution with weights of its own.

    %w = param name="conv.weight" : ...             %w = param name="conv.weight+batch_norm" : ...
    %0 = conv2d %x, %w, ... : ...                   %0 = conv2d %x, %w, ... : ...
    %1 = batch_norm %0, %mean, %variance,    ->     %s = param name="conv.weight+batch_norm.shift" : ...
             %scale, %shift, axis=1, ... : ...      %1 = add %0, %s : ...

1. The convolution's result is used by the normalisation alone, in the same Block and with no effect in between. So is its
   sum with a bias, `reshape %b, shape=[1, -1, 1, 1]`.
2. Weight, bias and statistics are parameters that the Program never writes; weight and bias of the normalisation may be none.
The new weights are computed here, once, and are constants: the Program no longer follows changes of the old ones. Results are
not bit-identical, since products are rounded in another order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..ir.core import Operation, Parameter, Program, Value
from ..ir.types import NONE, TensorType
from .base import LOADED, program_pass
from .fusion import Fuser
from .normalisation import scale_and_shift, shift_behind
from .rewriter import Instead, renewed


@program_pass(LOADED, exact=False)
def conv_batch_norm(program: Program) -> bool:
    """Fold batch normalisations into the convolutions before them. What the old weights leave behind is dead code."""
    return _Folder(program).run(program)


class _Convolution(NamedTuple):
    """A convolution, and the addition of its bias if it has one."""

    ops: list[Operation]
    weight: np.ndarray
    bias: np.ndarray | None


class _Folder(Fuser):
    def visit(self, op: Operation) -> Instead | None:
        if op.name != "batch_norm" or op.attrs["axis"] != 1:
            return None
        convolution = self._convolution(op)
        known = [v.type == NONE or self._data(v) is not None for v in op.operands[1:]]
        if convolution is None or not all(known):
            return None
        weight, shift = _folded(convolution, op.attrs["epsilon"], *map(self._data, op.operands[1:]))
        self.gone.update(convolution.ops)
        return self._instead(op, convolution.ops[0], weight, shift)

    def _convolution(self, norm: Operation) -> _Convolution | None:
        """Case 1."""
        value = norm.operands[0]
        added = self.only_maker(value, "add", norm)
        conv = self.only_maker(value if added is None else added.operands[0], "conv2d", norm)
        weight = None if conv is None else self._data(conv.operands[1])
        if conv is None or weight is None:
            return None
        if added is None:
            return _Convolution([conv], weight, None)
        shaped = added.operands[1].owner
        if not isinstance(shaped, Operation) or shaped.name != "reshape" or list(shaped.attrs["shape"]) != [1, -1, 1, 1]:
            return None
        bias = self._data(shaped.operands[0])
        return None if bias is None else _Convolution([conv, added], weight, bias)

    def _data(self, value: Value) -> np.ndarray | None:
        """Case 2: the data of a parameter that is never written."""
        op = value.owner
        if not isinstance(op, Operation) or op.name != "param" or not self.memory.is_stable(value):
            return None
        return self.program.parameters[op.attrs["name"]].data

    def _instead(self, op: Operation, conv: Operation, weight: np.ndarray, shift: np.ndarray) -> Instead:
        assert isinstance(conv.operands[1].owner, Operation)
        name = f"{conv.operands[1].owner.attrs['name']}+batch_norm"
        new_weight, new_shift = self._param(op, name, weight), self._param(op, f"{name}.shift", shift.reshape(1, -1, 1, 1))
        operands = [conv.operands[0], new_weight.result]
        product = Operation("conv2d", operands, conv.attrs, [conv.result.type], loc=conv.loc, path=conv.path)
        total = renewed(op, "add", [product.result, new_shift.result], {})
        return Instead(total.results, (new_weight, product, new_shift, total))

    def _param(self, op: Operation, name: str, data: np.ndarray) -> Operation:
        """A new constant of the Program, under a free name."""
        while name in self.program.parameters:
            name += "'"
        type_ = TensorType(data.dtype.name, data.shape)
        self.program.parameters[name] = Parameter(type_, data, "constant")
        return Operation("param", (), {"name": name}, [type_], loc=op.loc, path=op.path)


def _folded(conv: _Convolution, epsilon: float, mean: Any, variance: Any, weight: Any, bias: Any) -> tuple[Any, Any]:
    """The weights and the shift that give in one convolution what the two operators give."""
    dtype = conv.weight.dtype
    scale, shift = scale_and_shift(mean, variance, weight, bias, epsilon)
    shift = shift_behind(shift, scale, conv.bias)
    return (conv.weight * scale.reshape(-1, 1, 1, 1)).astype(dtype), shift.astype(dtype)
