"""Complex numbers and their parts.

The gradient of a real loss by z = x + iy is its gradient by x plus i times that by y, as in Paddle: through a function with the
derivative f', g becomes g * conj(f').
"""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType, Type
from .lowered import complexes
from .registry import OpDef, define
from .rules import REAL_OF, broadcast_grad, infer_broadcast, need_tensor, real_part

NO_COMPLEX = "this isn't computed of complex numbers in ONNX; compute with real and imaginary parts, x.real() and x.imag()"
_WHOLE = {part: whole for whole, part in REAL_OF.items()}

# The operators whose gradient rules are right for complex numbers: those below, products, and all that is linear.
DIFFERENTIABLE = frozenset(
    """real imag conj complex multiply add subtract neg assign assign_value copy_ cast sum mean spread sum_to sum_like
    broadcast_like where concat stack tile repeat_interleave flip roll reshape flatten squeeze unsqueeze transpose broadcast_to
    getitem getitem_advanced setitem setitem_copy setitem_add gather index_add take_along_axis put_along_axis zeros_like full_like
    fill diagonal diagonal_scatter as_strided strided_add windows windows_add windows_scatter tril triu cumsum
    detach checkpoint reshape_scatter transpose_scatter scale
    fft_c2c fft_r2c fft_c2r spectrum_like fit_length as_real as_complex as_real_scatter as_complex_scatter
    with_slope""".split()
)

# The operators that do the same to real and imaginary parts, and to both what they do to real numbers.
COMPONENTWISE = frozenset(
    """add subtract neg assign assign_value detach sum mean cumsum sum_to sum_like spread broadcast_like where concat stack tile
    repeat_interleave flip roll reshape flatten squeeze unsqueeze transpose broadcast_to expect getitem getitem_advanced
    setitem_copy setitem_add gather index_add take_along_axis tril triu pad_fold
    windows windows_copy windows_add windows_scatter
    diagonal diagonal_scatter as_strided as_strided_scatter strided_add reshape_scatter transpose_scatter detach_scatter
    reshape_copy flatten_copy squeeze_copy unsqueeze_copy transpose_copy broadcast_to_copy expect_copy getitem_copy detach_copy
    checkpoint checkpoint_copy
    diagonal_copy as_strided_copy spectrum_like fit_length sequence.stack sequence.concat_tensors""".split()
)
# Those that ask for the shape alone, and those that hand values on as they are.
OF_SHAPE = frozenset("shape numel py.dim py.dims py.rank".split())
CARRYING = frozenset(
    """tuple.new tuple.get tuple.get_dynamic tuple.len tuple.concat tuple.slice sequence.new sequence.append sequence.insert
    sequence.set sequence.delete sequence.delete_slice sequence.reverse sequence.set_slice sequence.take sequence.from_tuple
    sequence.get sequence.slice sequence.len sequence.concat sequence.repeat adjoint.zeros adjoint.add""".split()
)


def _complex_only(op: str, x: Type) -> TensorType:
    tensor = need_tensor(op, x)
    if not DTYPES[tensor.dtype].is_complex:
        raise DTypeError(f"{op} takes a complex tensor, not {tensor}")
    return tensor


def _part(name: str, function, grad, number: int) -> OpDef:
    def kernel(x: np.ndarray) -> np.ndarray:
        if x.dtype.kind != "c":
            raise DTypeError(f"{name} takes a complex tensor, not one of {x.dtype}")
        return np.array(function(x), order="C")

    def infer(x: Type) -> TensorType:
        tensor = _complex_only(name, x)
        return real_part(tensor)

    return define(name, kernel=kernel, infer=infer, grad=grad, grad_ignores=(0,), onnx_complex=complexes.part(number))


def _zeros(g):
    from .creation import zeros_like

    return zeros_like(g)


real = _part("real", np.real, lambda ctx, g: (make_complex(g, _zeros(g)),), 0)
imag = _part("imag", np.imag, lambda ctx, g: (make_complex(_zeros(g), g),), 1)
conj = define(
    "conj",
    kernel=np.conjugate,
    infer=lambda x: _complex_only("conj", x),
    grad=lambda ctx, g: (conj(g),),
    template="np.conjugate({0})",
    out=True,
    grad_ignores=(0,),
    onnx_complex=complexes.conj,
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
    onnx_complex=complexes.joined,
)
