"""Element types: one small object per dtype, under Paddle's names, backed by NumPy's.

`float32 == "float32"` holds, so that user code may compare with either spelling.
"""

from __future__ import annotations

import numpy as np

from .errors import DTypeError
from .extras import how_to_install
from .tables import Table

FRACTIONS, FLOWING = "fV", "fcV"  # kinds of NumPy's dtypes that have fractions, and that gradients flow through; V is bfloat16
BFLOAT16_USED: list[bool] = []  # not empty once there may be arrays of bfloat16


class DType:
    """An element type; `paddle.dtype` is this class. `name` is Paddle's name, `numpy` the NumPy dtype."""

    __slots__ = ("name", "numpy", "is_floating", "is_complex", "is_integer")

    def __init__(self, name: str):
        self.name = name
        self.numpy = np.dtype(name)
        self.is_floating, self.is_complex, self.is_integer = (self.numpy.kind in kinds for kinds in (FRACTIONS, "c", "iu"))

    def __repr__(self) -> str:
        return f"paddle.{self.name}"

    def __reduce__(self) -> tuple:
        return as_dtype, (self.name,)  # there is one of each

    def __eq__(self, other) -> bool:
        if isinstance(other, DType):
            return self.name == other.name
        try:
            return self.name == dtype_name(other)
        except DTypeError:
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)


class _BFloat16(DType):
    """bfloat16, which NumPy lacks: the package ml_dtypes has its arrays, and is imported when the first one is made.

    `is_bfloat16` asks whether there is one without making any.
    """

    __slots__ = ()

    def __init__(self) -> None:
        self.name = "bfloat16"
        self.is_floating, self.is_complex, self.is_integer = True, False, False

    @property
    def numpy(self) -> np.dtype:  # type: ignore[override]
        """NumPy's dtype. DTypeError: ml_dtypes isn't installed."""
        try:
            import ml_dtypes
        except ImportError:
            needed = "tensors of bfloat16 need the package ml_dtypes, as NumPy has none"
            raise DTypeError(f"{needed}: {how_to_install('bfloat16')}") from None
        found = np.dtype(ml_dtypes.bfloat16)
        if not BFLOAT16_USED:
            BFLOAT16_USED.append(True)
            BY_NUMPY[found] = self
        return found


NAMES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
         "complex64", "complex128")  # fmt: skip
DTYPES = Table("dtype", {name: DType(name) if name != "bfloat16" else _BFloat16() for name in NAMES}, DTypeError)
BY_NUMPY = {dtype.numpy: dtype for name, dtype in DTYPES.items() if name != "bfloat16"}  # far quicker than numpy.dtype.name
globals().update({name: dtype for name, dtype in DTYPES.items() if name != "bool"})
bool_ = DTYPES["bool"]


def is_bfloat16(dtype: np.dtype) -> bool:
    """Whether a NumPy dtype is bfloat16. Unlike `DTYPES["bfloat16"].numpy`, the question imports nothing and changes nothing."""
    return dtype.kind == "V" and dtype.name == "bfloat16"


OTHER_NAMES = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
_PYTHON = {bool: "bool", int: "int64", float: "float32", complex: "complex64"}


def dtype_name(dtype) -> str:
    """Paddle's name of a dtype given as a DType, a name, a dtype or type of NumPy's or torch's, or a Python scalar type."""
    if isinstance(dtype, DType):
        return dtype.name
    if isinstance(dtype, type) and dtype in _PYTHON:
        return _PYTHON[dtype]
    if isinstance(dtype, str) or type(dtype).__module__ == "torch":  # whose `str` is torch.float32
        dtype = str(dtype).rpartition(".")[2]
        if dtype in DTYPES:
            return dtype
    try:
        name = np.dtype(dtype).name
    except (TypeError, ValueError):  # a Tensor gives an array, which NumPy takes for a list of fields
        name = None
    if name not in DTYPES or dtype is None:
        raise DTypeError(f"{dtype!r} is not a dtype; the dtypes are {', '.join(NAMES)}")
    return name


def as_dtype(dtype) -> DType:
    """The DType for any spelling that `dtype_name` takes."""
    return dtype if isinstance(dtype, DType) else DTYPES[dtype_name(dtype)]


def has_gradient(name: str) -> bool:
    """Whether gradients flow through tensors of the dtype of this name."""
    return DTYPES[name].is_floating or DTYPES[name].is_complex


_default = "float32"


def set_default_dtype(dtype) -> None:
    """Set the dtype of floating-point tensors made from Python numbers: float16, bfloat16, float32 or float64.

    DTypeError: another `dtype`.
    """
    global _default
    name = dtype_name(dtype)
    if not DTYPES[name].is_floating:
        raise DTypeError(f"set_default_dtype takes float16, bfloat16, float32 or float64, not {name}")
    _default = name


def get_default_dtype() -> str:
    """The name of the dtype of floating-point tensors made from Python numbers."""
    return _default


def _rank(dtype: DType) -> int:
    """Of whole numbers (and bool, the least of them), of fractions, of complex numbers."""
    return 3 if dtype.is_complex else 2 if dtype.is_floating else 1 if dtype.is_integer else 0


def promote(a: str, b: str) -> str:
    """The dtype in which two tensors of dtypes `a` and `b` meet.

    Integers give way to floating point and that to complex, whatever the widths (Paddle's rule for a tensor with a scalar, and
    here for tensors too); within a kind the wider wins.
    """
    if a == b:
        return a
    x, y = DTYPES[a], DTYPES[b]
    kx, ky = _rank(x), _rank(y)
    if min(kx, ky) < 2 <= max(kx, ky):
        return a if kx > ky else b
    if "bfloat16" in (a, b):
        other = y if a == "bfloat16" else x
        return "float32" if other.name == "float16" else other.name
    return np.promote_types(x.numpy, y.numpy).name
