"""Complex numbers and their parts.

The gradient of a real loss by z = x + iy is its gradient by x plus i times that by y, as in Paddle: through a function with the
derivative f', g becomes g * conj(f').
"""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .registry import OpDef, define
from .rules import REAL_OF, broadcast_grad, infer_broadcast, need_tensor, real_part

NO_COMPLEX = "onnxruntime computes with no complex numbers; keep real and imaginary parts apart, in tensors of their own"
_WHOLE = {part: whole for whole, part in REAL_OF.items()}

# The operators whose gradient rules are right for complex numbers: those below, products, and all that is linear.
DIFFERENTIABLE = frozenset(
    """real imag conj complex multiply add subtract neg assign assign_value copy_ cast sum mean spread sum_to sum_like
    broadcast_like where concat stack tile repeat_interleave flip roll reshape flatten squeeze unsqueeze transpose broadcast_to
    getitem getitem_advanced setitem setitem_copy setitem_add gather index_add take_along_axis put_along_axis zeros_like full_like
    diagonal diagonal_scatter as_strided strided_add tril triu cumsum detach reshape_scatter transpose_scatter scale
    fft_c2c fft_r2c fft_c2r spectrum_like fit_length""".split()
)


def _complex_only(op: str, x: Type) -> TensorType:
    tensor = need_tensor(op, x)
    if not DTYPES[tensor.dtype].is_complex:
        raise DTypeError(f"{op} takes a complex tensor, not {tensor}")
    return tensor


def _part(name: str, function, grad) -> OpDef:
    def kernel(x: np.ndarray) -> np.ndarray:
        if x.dtype.kind != "c":
            raise DTypeError(f"{name} takes a complex tensor, not one of {x.dtype}")
        return np.array(function(x), order="C")

    def infer(x: Type) -> TensorType:
        tensor = _complex_only(name, x)
        return real_part(tensor)

    return define(name, kernel=kernel, infer=infer, grad=grad, grad_ignores=(0,), onnx=NO_COMPLEX)


def _zeros(g):
    from .creation import zeros_like

    return zeros_like(g)


real = _part("real", np.real, lambda ctx, g: (make_complex(g, _zeros(g)),))
imag = _part("imag", np.imag, lambda ctx, g: (make_complex(_zeros(g), g),))
conj = define(
    "conj",
    kernel=np.conjugate,
    infer=lambda x: _complex_only("conj", x),
    grad=lambda ctx, g: (conj(g),),
    template="np.conjugate({0})",
    out=True,
    grad_ignores=(0,),
    onnx=NO_COMPLEX,
)


def _make_complex(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    made = np.empty(np.broadcast_shapes(x.shape, y.shape), DTYPES[_WHOLE[x.dtype.name]].numpy)
    made.real, made.imag = x, y
    return made


def _infer_complex(x: Type, y: Type) -> TensorType:
    parts = infer_broadcast("complex")(x, y)
    if parts.dtype not in _WHOLE:
        raise DTypeError(f"complex takes parts of float32 or float64, not {parts.dtype}")
    return TensorType(_WHOLE[parts.dtype], parts.shape)


# x + iy.
make_complex = define(
    "complex",
    kernel=_make_complex,
    infer=_infer_complex,
    grad=broadcast_grad(lambda ctx, g: real(g), lambda ctx, g: imag(g)),
    grad_ignores=(0, 1),
    onnx=NO_COMPLEX,
)
