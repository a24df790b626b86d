"""The methods of Tensor that `dy2st.api` and `dy2st.nn.functional` attach. Written by `python tests/support/stubs.py`."""

from collections.abc import Callable
from collections.abc import Iterator
from dy2st.api.modes import CPUPlace
from dy2st.runtime.recorder.hooks import HookHandle
from dy2st.runtime.recorder.hooks import RecordedHandle
from dy2st.runtime.tensors.tensor import Tensor
from typing import Any
import builtins


class LateMethods:
    @property
    def T(self) -> Tensor:
        """This tensor with its axes in reverse order, as a view. ShapeError: their number is unknown."""

    def __abs__(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The absolute value, element by element; of complex numbers the distance from 0."""

    def __add__(self, other: Any) -> Tensor:
        ...

    def __and__(self, other: Any) -> Tensor:
        ...

    def __bool__(self) -> builtins.bool:
        ...

    def __complex__(self) -> complex:
        ...

    def __contains__(self, value: Any) -> builtins.bool:
        ...

    def __copy__(self) -> Tensor:
        """Another Tensor of the same memory, shape, dtype and history as x."""

    def __deepcopy__(self, memo: dict) -> Tensor:
        """A copy of x, of its shape and dtype, with memory and a name of its own. RuntimeError: an operator on the tape made x."""

    def __eq__(self, other: Any) -> Tensor:  # type: ignore[override]
        ...

    def __float__(self) -> builtins.float:
        ...

    def __floordiv__(self, other: Any) -> Tensor:
        ...

    def __format__(self, spec: str) -> str:
        ...

    def __ge__(self, other: Any) -> Tensor:
        ...

    def __getitem__(self, key: Any) -> Tensor:
        """x[key]."""

    def __gt__(self, other: Any) -> Tensor:
        ...

    def __index__(self) -> builtins.int:
        ...

    def __int__(self) -> builtins.int:
        ...

    def __invert__(self) -> Tensor:
        ...

    def __iter__(self) -> Iterator[Tensor]:
        """The slices of `x` along its first axis, as views."""

    def __le__(self, other: Any) -> Tensor:
        ...

    def __len__(self) -> builtins.int:
        ...

    def __lshift__(self, y: Any) -> Tensor:
        ...

    def __lt__(self, other: Any) -> Tensor:
        ...

    def __matmul__(self, other: Any) -> Tensor:
        ...

    def __mod__(self, other: Any) -> Tensor:
        ...

    def __mul__(self, other: Any) -> Tensor:
        ...

    def __ne__(self, other: Any) -> Tensor:  # type: ignore[override]
        ...

    def __neg__(self) -> Tensor:
        ...

    def __or__(self, other: Any) -> Tensor:
        ...

    def __pos__(self) -> Tensor:
        ...

    def __pow__(self, other: Any) -> Tensor:
        ...

    def __radd__(self, other: Any) -> Tensor:
        ...

    def __rand__(self, other: Any) -> Tensor:
        ...

    def __reduce__(self) -> tuple:
        """What pickle takes of x, of any shape and dtype: its values. What was computed stops gradients there, as its history stays."""

    def __repr__(self) -> str:
        ...

    def __rfloordiv__(self, other: Any) -> Tensor:
        ...

    def __rlshift__(self, y: Any) -> Tensor:
        ...

    def __rmatmul__(self, other: Any) -> Tensor:
        ...

    def __rmod__(self, other: Any) -> Tensor:
        ...

    def __rmul__(self, other: Any) -> Tensor:
        ...

    def __ror__(self, other: Any) -> Tensor:
        ...

    def __rpow__(self, other: Any) -> Tensor:
        ...

    def __rrshift__(self, y: Any) -> Tensor:
        ...

    def __rshift__(self, y: Any) -> Tensor:
        ...

    def __rsub__(self, other: Any) -> Tensor:
        ...

    def __rtruediv__(self, other: Any) -> Tensor:
        ...

    def __rxor__(self, other: Any) -> Tensor:
        ...

    def __setitem__(self, key: Any, value: Any) -> None:
        """x[key] = value: the value is broadcast and takes the dtype of `x`."""

    def __str__(self) -> str:
        ...

    def __sub__(self, other: Any) -> Tensor:
        ...

    def __truediv__(self, other: Any) -> Tensor:
        ...

    def __xor__(self, other: Any) -> Tensor:
        ...

    def abs(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The absolute value, element by element; of complex numbers the distance from 0."""

    def abs_(self, name: str | None = None) -> Tensor:
        """`abs` in place: writes into x, whose shape and dtype stay, and returns it."""

    def acos(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse cosine, in radians. Element by element."""

    def acos_(self, name: str | None = None) -> Tensor:
        """`acos` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def acosh(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse hyperbolic cosine. Element by element."""

    def acosh_(self, name: str | None = None) -> Tensor:
        """`acosh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def add(self, y: Any, name: str | None = None, *, alpha: Any = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x + alpha * y, element by element."""

    def add_(self, y: Any, name: str | None = None) -> Tensor:
        """x + y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def add_n(self, name: str | None = None) -> Tensor:
        """The sum of the tensors of the list `inputs`, whose shapes broadcast and whose dtypes are promoted; of one tensor, a copy."""

    def addmm(self, x: Tensor, y: Tensor, beta: builtins.float = 1.0, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """beta * input + alpha * (x @ y): x [n, k], y [k, m], and `input`, which broadcasts to [n, m], give [n, m]."""

    def addmm_(self, x: Tensor, y: Tensor, beta: builtins.float = 1.0, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """`addmm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def all(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether every element over `axis` is true (not 0): a bool tensor."""

    def allclose(self, y: Any, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False, name: str | None = None) -> Tensor:
        """Whether |x - y| <= atol + rtol * |y| for every element: a 0-d bool tensor. Arguments as in `isclose`."""

    def amax(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The largest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

    def amin(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The smallest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

    def angle(self, name: str | None = None) -> Tensor:
        """The direction in radians: of a complex number as seen from 0, of a real one 0 or pi."""

    def any(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether some element over `axis` is true (not 0): a bool tensor."""

    def apply(self, func: Callable[[Tensor], Tensor]) -> Tensor:
        """func(self), what `func` gives of this tensor, of whatever shape and dtype."""

    def apply_(self, func: Callable[[Tensor], Tensor]) -> Tensor:
        """Write func(self), which broadcasts to the shape of this tensor and takes its dtype, into it; it is returned."""

    def argmax(self, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
        """Where the first largest value along `axis` is."""

    def argmin(self, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
        """Where the first smallest value along `axis` is."""

    def argsort(self, axis: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool = False, name: str | None = None) -> Tensor:
        """The indices, an int64 tensor of the shape of x, that put x in order along `axis`."""

    def argwhere(self) -> Tensor:
        """int64 [n, rank]: where the n nonzero elements of `input`, of any dtype, are, a row for each: the result of `nonzero`."""

    def as_complex(self, name: str | None = None) -> Tensor:
        """Complex numbers from a last axis of length 2, their real and imaginary parts: x [..., 2] of floats gives [...]."""

    def as_real(self, name: str | None = None) -> Tensor:
        """The real and imaginary parts along a new last axis of length 2: complex x [...] gives [..., 2] of floats."""

    def as_strided(self, shape: Any, stride: Any, offset: builtins.int = 0, name: str | None = None) -> Tensor:
        """A view [*shape] whose element [i, j, ...] is number offset + i * stride[0] + j * stride[1] ..."""

    def asin(self, name: str | None = None) -> Tensor:
        """The inverse sine, in radians. Element by element."""

    def asin_(self, name: str | None = None) -> Tensor:
        """`asin` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def asinh(self, name: str | None = None) -> Tensor:
        """The inverse hyperbolic sine. Element by element."""

    def asinh_(self, name: str | None = None) -> Tensor:
        """`asinh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def assign(self, output: Tensor | None = None) -> Tensor:
        """A copy of x (a Tensor, or what `to_tensor` takes), of its shape and dtype, through which gradients flow."""

    def astype(self, dtype: Any) -> Tensor:
        """x, of any shape, in another dtype: always a new tensor; floating-point to integer drops the fraction."""

    def atan(self, name: str | None = None) -> Tensor:
        """The inverse tangent, in radians. Element by element."""

    def atan2(self, y: Any, name: str | None = None) -> Tensor:
        """The angle of the point (y, x), element by element: the arctangent of x / y in the right quadrant."""

    def atan_(self, name: str | None = None) -> Tensor:
        """`atan` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def atanh(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inverse hyperbolic tangent. Element by element."""

    def atanh_(self, name: str | None = None) -> Tensor:
        """`atanh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def atleast_1d(self, *, name: str | None = None) -> Any:
        """Each tensor of `inputs` with at least 1 axis, in its dtype: one tensor for one, a list for several, or for a list of them."""

    def atleast_2d(self, *, name: str | None = None) -> Any:
        """Each tensor of `inputs` with at least 2 axes: a vector becomes one row. Result, dtype and ShapeError as in `atleast_1d`."""

    def atleast_3d(self, *, name: str | None = None) -> Any:
        """Each tensor of `inputs` with at least 3 axes: a vector [n] becomes [1, n, 1], a matrix [n, m] becomes [n, m, 1]."""

    def backward(self, grad_tensor: Tensor | None = None, retain_graph: builtins.bool = False) -> None:
        """Add to `.grad` of every leaf how x, of any shape and a float or complex dtype, changes with it."""

    def baddbmm(self, x: Tensor, y: Tensor, beta: builtins.float = 1.0, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """beta * input + alpha * (x @ y), for stacks of matrices: x [b, n, k] and y [b, k, m] give [b, n, m]."""

    def baddbmm_(self, x: Tensor, y: Tensor, beta: builtins.float = 1.0, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """`baddbmm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bernoulli(self, p: Any = None, name: str | None = None) -> Tensor:
        """1 with probability x (or the number `p`), 0 otherwise, in the shape and dtype of x, a tensor of floats in [0, 1]."""

    def bernoulli_(self, p: Any = 0.5, name: str | None = None) -> Tensor:
        """Fill x in place with 1 where an event of probability `p`, a number or a tensor, happens, with 0 elsewhere; x is returned."""

    def bfloat16(self) -> Tensor:
        """x, of any shape and dtype, in bfloat16: x itself where it is. The result has the shape of x."""

    def bincount(self, weights: Tensor | None = None, minlength: builtins.int = 0, name: str | None = None) -> Tensor:
        """How often each of 0, 1, 2 ..."""

    def bitwise_and(self, y: Any, out: None = None, name: str | None = None) -> Tensor:
        """x & y, bit by bit."""

    def bitwise_and_(self, y: Any, name: str | None = None) -> Tensor:
        """`bitwise_and` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bitwise_invert(self, out: None = None, name: str | None = None) -> Tensor:
        """~x, bit by bit."""

    def bitwise_invert_(self, name: str | None = None) -> Tensor:
        """`bitwise_not` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bitwise_left_shift(self, y: Tensor, is_arithmetic: builtins.bool = True, out: None = None, name: str | None = None) -> Tensor:
        """The bits of x moved up by y places. x, y: integer tensors, or one of them an int; shapes broadcast, dtypes are promoted."""

    def bitwise_left_shift_(self, y: Tensor, is_arithmetic: builtins.bool = True, name: str | None = None) -> Tensor:
        """`bitwise_left_shift` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bitwise_not(self, out: None = None, name: str | None = None) -> Tensor:
        """~x, bit by bit."""

    def bitwise_not_(self, name: str | None = None) -> Tensor:
        """`bitwise_not` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bitwise_or(self, y: Any, out: None = None, name: str | None = None) -> Tensor:
        """x | y, bit by bit."""

    def bitwise_or_(self, y: Any, name: str | None = None) -> Tensor:
        """`bitwise_or` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bitwise_right_shift(self, y: Tensor, is_arithmetic: builtins.bool = True, out: None = None, name: str | None = None) -> Tensor:
        """The bits of x moved down by y places; the sign stays where `is_arithmetic`. Operands and result as in `bitwise_left_shift`."""

    def bitwise_right_shift_(self, y: Tensor, is_arithmetic: builtins.bool = True, name: str | None = None) -> Tensor:
        """`bitwise_right_shift` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bitwise_xor(self, y: Any, out: None = None, name: str | None = None) -> Tensor:
        """x ^ y, bit by bit."""

    def bitwise_xor_(self, y: Any, name: str | None = None) -> Tensor:
        """`bitwise_xor` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def bmm(self, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The products of two stacks of matrices: x [b, n, k] and y [b, k, m] give [b, n, m]; dtypes are promoted."""

    def bool(self) -> Tensor:
        """x, of any shape and dtype, in bool: x itself where it is. The result has the shape of x."""

    def broadcast_shape(self, y_shape: Any) -> list[builtins.int]:
        """The shape, a list of ints, in which two shapes, lists of ints, meet by broadcasting. ValueError: they don't go together."""

    def broadcast_shapes(self) -> list[builtins.int]:
        """The shape, a list of ints, in which `shapes`, lists of ints, meet by broadcasting. ValueError: they don't go together."""

    def broadcast_tensors(self, name: str | None = None) -> list[Tensor]:
        """The tensors of the list `input` expanded to the shape in which they meet: a list of views, each in its dtype."""

    def broadcast_to(self, shape: Any, name: str | None = None) -> Tensor:
        """As `expand`: x repeated to `shape`."""

    def bucketize(self, sorted_sequence: Tensor, out_int32: builtins.bool = False, right: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Where each element of x, of any shape, belongs in the ordered vector `sorted_sequence`."""

    def byte(self) -> Tensor:
        """x, of any shape and dtype, in uint8: x itself where it is. The result has the shape of x."""

    def cast(self, dtype: Any) -> Tensor:
        """x, of any shape, in another dtype: always a new tensor; floating-point to integer drops the fraction."""

    def cast_(self, dtype: Any) -> Tensor:
        """`cast` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def cauchy_(self, loc: Any = 0, scale: Any = 1, name: str | None = None) -> Tensor:
        """Fill x in place with numbers of the Cauchy distribution of `loc` and `scale`, numbers, and return it."""

    def cdist(self, y: Tensor, p: builtins.float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary', name: str | None = None) -> Tensor:
        """The p-norm of the difference of each row of x [..., n, k] and each row of y [..., m, k]: a tensor [..., n, m]."""

    def cdouble(self) -> Tensor:
        """x, of any shape and dtype, in complex128: x itself where it is. The result has the shape of x."""

    def ceil(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The smallest integer not below x. x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."""

    def ceil_(self, name: str | None = None) -> Tensor:
        """`ceil` in place: writes into x, whose shape and dtype stay, and returns it."""

    def cfloat(self) -> Tensor:
        """x, of any shape and dtype, in complex64: x itself where it is. The result has the shape of x."""

    def char(self) -> Tensor:
        """x, of any shape and dtype, in int8: x itself where it is. The result has the shape of x."""

    def cholesky(self, upper: builtins.bool = False, name: str | None = None) -> Tensor:
        """The lower triangular L with x = L @ L.T of symmetric positive definite matrices; its transpose where `upper`."""

    def cholesky_inverse(self, upper: builtins.bool = False, name: str | None = None) -> Tensor:
        """The inverse of A, where x [..., n, n] is the Cholesky factor of A, upper triangular where `upper`; in the dtype of x."""

    def cholesky_solve(self, y: Tensor, upper: builtins.bool = False, name: str | None = None) -> Tensor:
        """The z with A @ z = x, where y is the Cholesky factor of A, upper triangular where `upper`."""

    def chunk(self, chunks: builtins.int, axis: builtins.int = 0, name: str | None = None) -> list[Tensor]:
        """x in `chunks` parts of equal length along `axis`: a list of views, in the dtype of x and otherwise in its shape."""

    def clamp(self, min: Any = None, max: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The values of x, of any shape, moved into [min, max]; either bound may be None. The result has the shape of x."""

    def clamp_(self, min: Any = None, max: Any = None, name: str | None = None) -> Tensor:
        """`clip` in place: writes into x, whose shape and dtype stay, and returns it. DTypeError: x of integers, a bound a float."""

    def clear_grad(self, set_to_zero: builtins.bool = True) -> None:
        """Set `x.grad`, of whatever shape and dtype x is, to zeros, or to None where not `set_to_zero`."""

    def clear_gradient(self, set_to_zero: builtins.bool = True) -> None:
        """Set `x.grad`, of whatever shape and dtype x is, to zeros, or to None where not `set_to_zero`."""

    def clip(self, min: Any = None, max: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The values of x, of any shape, moved into [min, max]; either bound may be None. The result has the shape of x."""

    def clip_(self, min: Any = None, max: Any = None, name: str | None = None) -> Tensor:
        """`clip` in place: writes into x, whose shape and dtype stay, and returns it. DTypeError: x of integers, a bound a float."""

    def clone(self, name: str | None = None) -> Tensor:
        """A copy of x, of its shape and dtype, through which gradients flow."""

    def combinations(self, r: builtins.int = 2, with_replacement: builtins.bool = False, name: str | None = None) -> Tensor:
        """Every choice of `r` elements of the vector x, in the order of their places, as rows of a matrix [choices, r] in its dtype."""

    def complex128(self) -> Tensor:
        """x, of any shape and dtype, in complex128: x itself where it is. The result has the shape of x."""

    def complex64(self) -> Tensor:
        """x, of any shape and dtype, in complex64: x itself where it is. The result has the shape of x."""

    def concat(self, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The tensors of the list `x`, of one shape but for `axis`, one after the other along `axis`; dtypes are promoted."""

    def cond(self, p: Any = None, name: str | None = None) -> Tensor:
        """How much a matrix x [..., n, n] magnifies errors: its norm times that of its inverse, a tensor [...] in its dtype."""

    def conj(self, name: str | None = None) -> Tensor:
        """The conjugate of x; a copy of real numbers. The result has the shape and dtype of x."""

    def contiguous(self, *_: Any, **__: Any) -> Tensor:
        """x itself, shape and dtype: tensors live on the CPU, and no caller sees in which order its elements lie."""

    def copy_(self, other: Tensor, blocking: builtins.bool = True) -> Tensor:
        """Write `other` into x, which is returned; `other` is broadcast to the shape of x and takes its dtype."""

    def copysign(self, y: Any, name: str | None = None) -> Tensor:
        """The size of x with the sign of y, a Tensor or a number, element by element; of real numbers."""

    def copysign_(self, y: Any, name: str | None = None) -> Tensor:
        """`copysign` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def corrcoef(self, rowvar: builtins.bool = True, name: str | None = None) -> Tensor:
        """The covariances of x divided by the standard deviations, so that they lie in [-1, 1]. As `cov`: x, rowvar, the result."""

    def cos(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The cosine, x in radians. Element by element."""

    def cos_(self, name: str | None = None) -> Tensor:
        """`cos` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def cosh(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The hyperbolic cosine. Element by element."""

    def cosh_(self, name: str | None = None) -> Tensor:
        """`cosh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def count_nonzero(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """How many elements over `axis` aren't 0 (or False): an int64 tensor."""

    def cov(self, rowvar: builtins.bool = True, ddof: builtins.bool = True, fweights: Tensor | None = None, aweights: Tensor | None = None, name: str | None = None) -> Tensor:
        """How the rows of x (columns where not `rowvar`) vary together: the mean product of their distances from their means."""

    def cpu(self) -> Tensor:
        """x itself, shape and dtype: tensors live on the CPU."""

    def crop(self, shape: Any = None, offsets: Any = None, name: str | None = None) -> Tensor:
        """The part of x that has `shape` (-1 or None: up to the end) and begins at `offsets` (None: at the front)."""

    def cross(self, y: Tensor, axis: builtins.int = 9, name: str | None = None) -> Tensor:
        """The cross product of the vectors of length 3 along `axis` of x and y; 9 stands for the first axis of that length."""

    def cuda(self, device_id: Any = None, blocking: builtins.bool = True) -> Tensor:
        """ValueError: a tensor x, of any shape and dtype, lives on the CPU, whatever `device_id` and `blocking` say."""

    def cummax(self, axis: builtins.int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, Tensor]:
        """The largest value so far along `axis`, and where it was last."""

    def cummin(self, axis: builtins.int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, Tensor]:
        """The smallest value so far along `axis`, and where it was last."""

    def cumprod(self, dim: builtins.int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """The running product along `dim`, an int, or of x flattened where None. x, dtype and the result as in `cumsum`."""

    def cumprod_(self, dim: builtins.int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """`cumprod` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def cumsum(self, axis: builtins.int | None = None, dtype: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The running sum along `axis`, an int, or of x flattened where None."""

    def cumsum_(self, axis: builtins.int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """`cumsum` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def cumulative_trapezoid(self, x: Tensor | None = None, dx: Any = None, axis: builtins.int = -1, name: str | None = None) -> Tensor:
        """`trapezoid` up to each point but the first: the result is shorter by 1 along `axis`. Arguments as in `trapezoid`: y, x, dx."""

    @property
    def data(self) -> Tensor:
        """This tensor; what is assigned is written into it, as by `set_value`."""

    @data.setter
    def data(self, value: Tensor) -> None:
        ...

    def deg2rad(self, name: str | None = None) -> Tensor:
        """x, in degrees, in radians: a tensor of the shape and dtype of x, of the default dtype where x holds integers."""

    def det(self, name: str | None = None) -> Tensor:
        """The determinant of square matrices x [..., n, n], floats or complex numbers: a tensor [...] in their dtype."""

    def detach(self) -> Tensor:
        """x without its history: a tensor of its shape and dtype on the same memory, with stop_gradient=True."""

    def detach_(self) -> Tensor:
        """Cut x off from its history, and return it, with its shape and dtype as they were."""

    def diag(self, offset: builtins.int = 0, padding_value: Any = 0, name: str | None = None) -> Tensor:
        """Of a vector x [n], the matrix with it as diagonal number `offset`; of a matrix, that diagonal as a vector."""

    def diag_embed(self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> Tensor:
        """Matrices, on the axes `dim1` and `dim2` of the result, whose diagonals number `offset` lie along the last axis of `input`."""

    def diagflat(self, offset: builtins.int = 0, name: str | None = None) -> Tensor:
        """The matrix with the elements of x, of any shape, as diagonal number `offset`, in the dtype of x; zeros elsewhere."""

    def diagonal(self, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1, name: str | None = None) -> Tensor:
        """The diagonals of the matrices that the axes `axis1` and `axis2` of x make, as a view."""

    def diagonal_scatter(self, y: Tensor, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1, name: str | None = None) -> Tensor:
        """x with the tensor y in place of the diagonal number `offset` of its axes `axis1` and `axis2`; in the shape and dtype of x."""

    def diff(self, n: builtins.int = 1, axis: builtins.int = -1, prepend: Tensor | None = None, append: Tensor | None = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Each element minus the one before along `axis`, an int, `n` times over; for bools, whether they differ."""

    def digamma(self, name: str | None = None) -> Tensor:
        """The derivative of `lgamma`, element by element. x: a tensor of any shape, of floats; the result has its shape and dtype."""

    def digamma_(self, name: str | None = None) -> Tensor:
        """`digamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def dim(self) -> builtins.int:
        """The number of axes of x, of any shape, as an int; ConversionError where it is unknown while staging."""

    def dist(self, y: Tensor, p: Any = 2, name: str | None = None) -> Tensor:
        """The p-norm of x - y, a 0-d tensor."""

    def div(self, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted."""

    def div_(self, y: Any, name: str | None = None) -> Tensor:
        """x / y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def divide(self, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted."""

    def divide_(self, y: Any, name: str | None = None) -> Tensor:
        """x / y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def dot(self, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The inner product of two vectors x and y [n], a 0-d tensor, or of each pair of rows of two matrices [m, n], a vector [m]."""

    def double(self) -> Tensor:
        """x, of any shape and dtype, in float64: x itself where it is. The result has the shape of x."""

    def dsplit(self, num_or_indices: Any, name: str | None = None) -> list[Tensor]:
        """Views of x along the third axis, as `tensor_split` with `num_or_indices` gives them. ShapeError: fewer than 3 axes."""

    def eig(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """The eigenvalues [..., n] and, as columns, the eigenvectors [..., n, n] of square matrices x [..., n, n]; complex."""

    def eigvals(self, name: str | None = None) -> Tensor:
        """The eigenvalues of square matrices x. As `eig`, whose first result it is."""

    def eigvalsh(self, UPLO: str = 'L', name: str | None = None) -> Tensor:
        """The eigenvalues of symmetric matrices in ascending order. As `eigh`: x, UPLO; the result is the first of its two."""

    def element_size(self) -> builtins.int:
        """The number of bytes of one element of x."""

    def elu_(self, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """`elu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def empty_like(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """A tensor whose values don't matter, zeros here: the result has the shape of x and `dtype`, that of x where None."""

    def eq(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x == y, element by element."""

    def equal(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x == y, element by element."""

    def equal_(self, y: Any, name: str | None = None) -> Tensor:
        """`equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def equal_all(self, y: Tensor, name: str | None = None) -> Tensor:
        """Whether the tensors x and y, of any shapes and dtypes, have one shape and equal elements: a 0-d bool tensor."""

    def erf(self, name: str | None = None) -> Tensor:
        """The error function. Element by element."""

    def erf_(self, name: str | None = None) -> Tensor:
        """`erf` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def erfinv(self, name: str | None = None) -> Tensor:
        """The inverse of the error function. Element by element."""

    def erfinv_(self, name: str | None = None) -> Tensor:
        """`erfinv` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def exp(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """e to the power x. Element by element."""

    def exp_(self, name: str | None = None) -> Tensor:
        """`exp` in place: writes into x, whose shape and dtype stay, and returns it."""

    def expand(self, shape: Any, name: str | None = None) -> Tensor:
        """x repeated along axes of length 1 to `shape` (-1 keeps a length), without copying: the result can't be written to."""

    def expand_as(self, y: Tensor, name: str | None = None) -> Tensor:
        """x expanded, as by `expand`, to the shape of the tensor y, whose dtype doesn't matter."""

    def expm1(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """exp(x) - 1, exact near 0. Element by element."""

    def expm1_(self, name: str | None = None) -> Tensor:
        """`expm1` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def exponential_(self, lam: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """Fill x in place with exponentially distributed numbers of the rate `lam`, a number, and return it."""

    def fill_(self, value: Any) -> Tensor:
        """Write `value`, a number or a 0-d Tensor, everywhere into x, which keeps shape and dtype and is returned."""

    def fill_diagonal_(self, value: Any, offset: builtins.int = 0, wrap: builtins.bool = False, name: str | None = None) -> Tensor:
        """Write the number `value` along the main diagonal of all axes of x, which keeps its shape and dtype and is returned."""

    def fill_diagonal_tensor(self, y: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1, name: str | None = None) -> Tensor:
        """As `diagonal_scatter`: x with y in place of the diagonal number `offset` of its axes `dim1` and `dim2`."""

    def fill_diagonal_tensor_(self, y: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1, name: str | None = None) -> Tensor:
        """`fill_diagonal_tensor` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def flatten(self, start_axis: builtins.int = 0, stop_axis: builtins.int = -1, name: str | None = None) -> Tensor:
        """The axes from `start_axis` to `stop_axis` (included) of x made one; a view where memory allows, in the dtype of x."""

    def flatten_(self, start_axis: builtins.int = 0, stop_axis: builtins.int = -1, name: str | None = None) -> Tensor:
        """`flatten` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

    def flip(self, axis: Any, name: str | None = None) -> Tensor:
        """x in reverse order along each of `axis`, an int or a list of ints: a new tensor of its shape and dtype."""

    def float(self) -> Tensor:
        """x, of any shape and dtype, in float32: x itself where it is. The result has the shape of x."""

    def float16(self) -> Tensor:
        """x, of any shape and dtype, in float16: x itself where it is. The result has the shape of x."""

    def float32(self) -> Tensor:
        """x, of any shape and dtype, in float32: x itself where it is. The result has the shape of x."""

    def float64(self) -> Tensor:
        """x, of any shape and dtype, in float64: x itself where it is. The result has the shape of x."""

    def floor(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The largest integer not above x. x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."""

    def floor_(self, name: str | None = None) -> Tensor:
        """`floor` in place: writes into x, whose shape and dtype stay, and returns it."""

    def floor_divide(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x // y, element by element: the quotient rounded down; not of complex numbers."""

    def floor_divide_(self, y: Any, name: str | None = None) -> Tensor:
        """x // y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def floor_mod(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x % y, element by element, with the sign of y; not of complex numbers."""

    def floor_mod_(self, y: Any, name: str | None = None) -> Tensor:
        """x % y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def fmax(self, y: Any, name: str | None = None) -> Tensor:
        """The larger of x and y, element by element; where one of them is nan, the other one."""

    def fmin(self, y: Any, name: str | None = None) -> Tensor:
        """The smaller of x and y, element by element; where one of them is nan, the other one."""

    def frac(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The fraction of x, with its sign; 0 for integers."""

    def frac_(self, name: str | None = None) -> Tensor:
        """`frac` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def frexp(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """The mantissa, in [0.5, 1), and the exponent with x = mantissa * 2 ** exponent, both in the shape and dtype of x."""

    def full_like(self, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
        """`fill_value`, a number, its text or a 0-d Tensor, everywhere: the result has the shape of x and `dtype`, that of x if None."""

    def gammaln(self, name: str | None = None) -> Tensor:
        """The logarithm of the absolute value of the gamma function. Element by element."""

    def gammaln_(self, name: str | None = None) -> Tensor:
        """`lgamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def gather(self, index: Tensor, axis: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The slices of x along `axis` (None: 0) that `index` names, in the dtype of x."""

    def gather_nd(self, index: Tensor, name: str | None = None) -> Tensor:
        """index, integers [..., k]: each row of k numbers names a slice of x by its first k axes; result [..., *x.shape[k:]]."""

    def gcd(self, y: Any, name: str | None = None) -> Tensor:
        """The greatest common divisor of integers."""

    def gcd_(self, y: Any, name: str | None = None) -> Tensor:
        """`gcd` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def ge(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x >= y, element by element."""

    def geometric_(self, probs: Any, name: str | None = None) -> Tensor:
        """Fill x in place with the number of trials up to the first success, of the probability `probs`, a number, and return it."""

    def get_device(self) -> builtins.int:
        """-1, which stands for the CPU."""

    def gradient(self) -> Any:
        """`x.grad` as a NumPy array of the shape and dtype of x, or None."""

    def greater(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x > y, element by element."""

    def greater_equal(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x >= y, element by element."""

    def greater_equal_(self, y: Any, name: str | None = None) -> Tensor:
        """`greater_equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def greater_than(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x > y, element by element."""

    def greater_than_(self, y: Any, name: str | None = None) -> Tensor:
        """`greater_than` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def gt(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x > y, element by element."""

    def half(self) -> Tensor:
        """x, of any shape and dtype, in float16: x itself where it is. The result has the shape of x."""

    def hardtanh_(self, min: builtins.float = -1.0, max: builtins.float = 1.0, name: str | None = None) -> Tensor:
        """`hardtanh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def heaviside(self, y: Tensor, name: str | None = None) -> Tensor:
        """0 where x < 0, y where x is 0, 1 where x > 0."""

    def histogram(self, bins: builtins.int = 100, min: builtins.float = 0.0, max: builtins.float = 0.0, weight: Tensor | None = None, density: builtins.bool = False, name: str | None = None) -> Tensor:
        """How many values of `input`, of any shape, lie in each of `bins` equal parts of [min, max]: an int64 vector [bins]."""

    def histogram_bin_edges(self, bins: builtins.int = 100, min: builtins.float = 0.0, max: builtins.float = 0.0, name: str | None = None) -> Tensor:
        """Where the parts begin and end that `histogram` of input, bins, min and max counts: a float32 tensor [bins + 1]."""

    def householder_product(self, tau: Tensor, name: str | None = None) -> Tensor:
        """The first columns of the product of the reflections I - tau[i] * v[i] @ v[i].T, v[i] column i of x below its 1."""

    def hsplit(self, num_or_indices: Any, name: str | None = None) -> list[Tensor]:
        """Views of x along the second axis, of a vector along its only one, as `tensor_split` with `num_or_indices` gives them."""

    def hypot(self, y: Any, name: str | None = None) -> Tensor:
        """sqrt(x * x + y * y) of real numbers, without overflow."""

    def hypot_(self, y: Any, name: str | None = None) -> Tensor:
        """`hypot` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def imag(self, name: str | None = None) -> Tensor:
        """The imaginary part of x: a tensor of its shape, float32 of complex64, float64 of complex128. Of real numbers, zeros."""

    def increment(self, value: Any = 1.0, name: str | None = None) -> Tensor:
        """Add the number `value` to x in place; x, of any shape and number dtype, is returned."""

    def index_add(self, index: Tensor, axis: builtins.int, value: Tensor, alpha: Any = 1, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x with the slices of `value`, times `alpha`, added to its slices along `axis` that the integer vector `index` names."""

    def index_add_(self, index: Tensor, axis: builtins.int, value: Tensor, alpha: Any = 1, name: str | None = None) -> Tensor:
        """`index_add` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def index_fill(self, index: Tensor, axis: builtins.int, value: Any, name: str | None = None) -> Tensor:
        """x with `value`, a number or a 0-d Tensor, everywhere in the slices along `axis` that the integer vector `index` names."""

    def index_fill_(self, index: Tensor, axis: builtins.int, value: Any, name: str | None = None) -> Tensor:
        """`index_fill` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def index_put(self, indices: Any, value: Tensor, accumulate: builtins.bool = False, name: str | None = None) -> Tensor:
        """x with the tensor `value` put, or with `accumulate` added, at x[indices]: a tuple of integer tensors or bool masks."""

    def index_put_(self, indices: Any, value: Tensor, accumulate: builtins.bool = False, name: str | None = None) -> Tensor:
        """`index_put` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def index_sample(self, index: Tensor) -> Tensor:
        """For each row of a matrix x [n, m] the elements at the places that the same row of the integer matrix `index` [n, k] names."""

    def index_select(self, index: Tensor, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The slices of x along `axis` that the integer vector `index` names, in the dtype of x: as long there as the vector."""

    def inner(self, y: Tensor, name: str | None = None) -> Tensor:
        """The inner products over the last axes: x [..., k] and y [..., k] give [*x.shape[:-1], *y.shape[:-1]]; dtypes are promoted."""

    def int(self) -> Tensor:
        """x, of any shape and dtype, in int32: x itself where it is. The result has the shape of x."""

    def int16(self) -> Tensor:
        """x, of any shape and dtype, in int16: x itself where it is. The result has the shape of x."""

    def int32(self) -> Tensor:
        """x, of any shape and dtype, in int32: x itself where it is. The result has the shape of x."""

    def int64(self) -> Tensor:
        """x, of any shape and dtype, in int64: x itself where it is. The result has the shape of x."""

    def int8(self) -> Tensor:
        """x, of any shape and dtype, in int8: x itself where it is. The result has the shape of x."""

    def inverse(self, name: str | None = None) -> Tensor:
        """The inverse of square matrices x [..., n, n], floats or complex numbers: a tensor of their shape and dtype."""

    def is_complex(self) -> builtins.bool:
        """Whether the dtype of x, of any shape, is complex64 or complex128: a bool."""

    def is_contiguous(self) -> builtins.bool:
        """Whether the elements of x, of any shape, lie in memory in row-major order: a bool. StagedValueError while recording."""

    @property
    def is_cuda(self) -> builtins.bool:
        """False: tensors live on the CPU."""

    def is_dense(self) -> builtins.bool:
        """True: every element is kept."""

    def is_dist(self) -> builtins.bool:
        """False: tensors are dense, and lie in one process."""

    def is_empty(self, name: str | None = None) -> Tensor:
        """Whether x, of any shape, has no elements: a 0-d bool tensor."""

    def is_floating_point(self) -> builtins.bool:
        """Whether the dtype of x, of any shape, is float16, bfloat16, float32 or float64: a bool."""

    def is_integer(self) -> builtins.bool:
        """Whether the dtype of x, of any shape, is an integer one, bool being none: a bool."""

    @property
    def is_leaf(self) -> builtins.bool:
        """Whether x was made by the user rather than by an operator on the tape."""

    def is_same_shape(self, y: Tensor) -> builtins.bool:
        """Whether the tensors x and y, of any dtypes, have one shape: a bool."""

    def is_selected_rows(self) -> builtins.bool:
        """False: tensors are dense, and lie in one process."""

    def is_sparse(self) -> builtins.bool:
        """False: tensors are dense, and lie in one process."""

    def is_sparse_coo(self) -> builtins.bool:
        """False: tensors are dense, and lie in one process."""

    def is_sparse_csr(self) -> builtins.bool:
        """False: tensors are dense, and lie in one process."""

    def is_tensor(self) -> builtins.bool:
        """Whether x is a Tensor: a bool."""

    def isclose(self, y: Any, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False, name: str | None = None) -> Tensor:
        """Whether |x - y| <= atol + rtol * |y|, element by element: a bool tensor of the shape to which x and y broadcast."""

    def isfinite(self, name: str | None = None) -> Tensor:
        """Whether x is neither infinite nor nan, element by element."""

    def isin(self, test_x: Tensor, assume_unique: builtins.bool = False, invert: builtins.bool = False, name: str | None = None) -> Tensor:
        """Whether each element of x is one of the tensor `test_x`; with `invert`, whether it isn't: a bool tensor of the shape of x."""

    def isinf(self, name: str | None = None) -> Tensor:
        """Whether x is infinite, element by element."""

    def isnan(self, name: str | None = None) -> Tensor:
        """Whether x is nan, element by element."""

    def isneginf(self, name: str | None = None) -> Tensor:
        """Whether x, a tensor of any shape and dtype, is -inf, element by element: a bool tensor of its shape."""

    def isposinf(self, name: str | None = None) -> Tensor:
        """Whether x, a tensor of any shape and dtype, is inf, element by element: a bool tensor of its shape."""

    def isreal(self, name: str | None = None) -> Tensor:
        """Whether the imaginary part of x is 0, element by element: a bool tensor of the shape of x, which has any dtype."""

    def istft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: Tensor | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool = True, length: builtins.int | None = None, return_complex: builtins.bool = False, name: str | None = None) -> Tensor:
        """The signal, of `length` elements, whose spectra over time come nearest to x, in the least-squares sense."""

    def item(self, *index: builtins.int) -> Any:
        """The only element of x, or the one at `index`, as a Python number; a single index counts through all elements."""

    @property
    def itemsize(self) -> builtins.int:
        """The bytes of one element."""

    def kron(self, y: Tensor, name: str | None = None) -> Tensor:
        """The Kronecker product, each element of x times the whole of y: [n, m] and [k, l] give [n * k, m * l]."""

    def kthvalue(self, k: builtins.int, axis: builtins.int | None = None, keepdim: builtins.bool = False, name: str | None = None) -> tuple[Tensor, Tensor]:
        """The k-th smallest value along `axis` (the last where None), and its int64 index."""

    def lcm(self, y: Any, name: str | None = None) -> Tensor:
        """The least common multiple of integers."""

    def lcm_(self, y: Any, name: str | None = None) -> Tensor:
        """`lcm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def ldexp(self, y: Tensor, name: str | None = None) -> Tensor:
        """x * 2 ** y, element by element. x, y: tensors whose shapes broadcast; y is cast to the dtype of x, which the result has."""

    def ldexp_(self, y: Tensor, name: str | None = None) -> Tensor:
        """`ldexp` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def le(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x <= y, element by element."""

    def leaky_relu_(self, negative_slope: builtins.float = 0.01, name: str | None = None) -> Tensor:
        """`leaky_relu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def lerp(self, y: Tensor, weight: Any, name: str | None = None) -> Tensor:
        """x + weight * (y - x): between x and y for a weight between 0 and 1."""

    def lerp_(self, y: Tensor, weight: Any, name: str | None = None) -> Tensor:
        """`lerp` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def less(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x < y, element by element."""

    def less_(self, y: Any, name: str | None = None) -> Tensor:
        """`less_than` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def less_equal(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x <= y, element by element."""

    def less_equal_(self, y: Any, name: str | None = None) -> Tensor:
        """`less_equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def less_than(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x < y, element by element."""

    def less_than_(self, y: Any, name: str | None = None) -> Tensor:
        """`less_than` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def lgamma(self, name: str | None = None) -> Tensor:
        """The logarithm of the absolute value of the gamma function. Element by element."""

    def lgamma_(self, name: str | None = None) -> Tensor:
        """`lgamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def log(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The natural logarithm. Element by element."""

    def log10(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm to base 10. Element by element."""

    def log10_(self, name: str | None = None) -> Tensor:
        """`log10` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def log1p(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """log(1 + x), exact near 0. Element by element."""

    def log1p_(self, name: str | None = None) -> Tensor:
        """`log1p` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def log2(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The logarithm to base 2. Element by element."""

    def log2_(self, name: str | None = None) -> Tensor:
        """`log2` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def log_(self, name: str | None = None) -> Tensor:
        """`log` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def log_normal_(self, mean: Any = 1.0, std: Any = 2.0, name: str | None = None) -> Tensor:
        """Fill x in place with exp of normally distributed numbers, and return it; its shape and floating dtype stay."""

    def logaddexp(self, y: Any, name: str | None = None) -> Tensor:
        """log(exp(x) + exp(y)) of real numbers, without overflow."""

    def logcumsumexp(self, axis: builtins.int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """log(cumsum(exp(x))) along `axis`, an int, or of x flattened where None, without overflow; of real numbers."""

    def logical_and(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether both x and y are true (not 0), element by element."""

    def logical_and_(self, y: Any, name: str | None = None) -> Tensor:
        """`logical_and` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def logical_not(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether x is false (0), element by element."""

    def logical_not_(self, name: str | None = None) -> Tensor:
        """`logical_not` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def logical_or(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether x or y is true (not 0), element by element."""

    def logical_or_(self, y: Any, name: str | None = None) -> Tensor:
        """`logical_or` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def logical_xor(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Whether just one of x and y is true (not 0), element by element."""

    def logical_xor_(self, y: Any, name: str | None = None) -> Tensor:
        """`logical_xor` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def logit(self, eps: builtins.float | None = None, name: str | None = None) -> Tensor:
        """log(x / (1 - x)); x is moved into [eps, 1 - eps] first where `eps` is given, and else nan outside [0, 1]."""

    def logit_(self, eps: builtins.float | None = None, name: str | None = None) -> Tensor:
        """`logit` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def logsumexp(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """log(sum(exp(x))) over `axis`, without overflow, in the dtype of x; integers are cast to the default dtype."""

    def long(self) -> Tensor:
        """x, of any shape and dtype, in int64: x itself where it is. The result has the shape of x."""

    def lstsq(self, y: Tensor, rcond: builtins.float | None = None, driver: str | None = None, name: str | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The z for which x @ z is nearest to y, the squared errors, the rank, the singular values."""

    def lt(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x < y, element by element."""

    def lu(self, pivot: builtins.bool = True, get_infos: builtins.bool = False, name: str | None = None) -> tuple:
        """(factors, pivots), and with `get_infos` the number of the first pivot that is 0, or 0: L and U of x in one matrix."""

    def lu_solve(self, lu: Tensor, pivots: Tensor, trans: str = 'N', name: str | None = None) -> Tensor:
        """The X [..., n, k] of A X = b, for the factors `lu` and `pivots` that the function `lu` gives of A [..., n, n]."""

    def lu_unpack(self, y: Tensor, unpack_ludata: builtins.bool = True, unpack_pivots: builtins.bool = True, name: str | None = None) -> tuple:
        """(P, L, U) of the factors `x` [..., n, m] and the pivots `y` that `lu` gives: P @ L @ U is what was taken apart."""

    @property
    def mT(self) -> Tensor:
        """This tensor with its last two axes exchanged, as a view."""

    def masked_fill(self, mask: Tensor, value: Any, name: str | None = None) -> Tensor:
        """x with `value`, a number or a 0-d tensor, where the bool tensor `mask` holds; shapes broadcast. In the dtype of x."""

    def masked_fill_(self, mask: Tensor, value: Any, name: str | None = None) -> Tensor:
        """`masked_fill` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def masked_scatter(self, mask: Tensor, value: Tensor, name: str | None = None) -> Tensor:
        """x with the first elements of the tensor `value`, in order, where the bool tensor `mask` (expanded to the shape of x) holds."""

    def masked_scatter_(self, mask: Tensor, value: Tensor, name: str | None = None) -> Tensor:
        """`masked_scatter` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def masked_select(self, mask: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The elements of x where the bool tensor `mask` (expanded to the shape of x) holds, as a vector in the dtype of x."""

    def matmul(self, y: Tensor, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product of matrices, or of stacks of them: [..., n, k] and [..., k, m] give [..., n, m]; the other axes broadcast."""

    def matrix_power(self, n: builtins.int, name: str | None = None) -> Tensor:
        """x @ x @ ... `n` times, for matrices x [..., m, m]; of the inverse where n is negative; the identity where it is 0."""

    def matrix_transpose(self, name: str | None = None) -> Tensor:
        """x with its last two axes exchanged: a view [..., m, n] of [..., n, m], in the dtype of x."""

    def max(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The largest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

    def maximum(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The larger of x and y, element by element; nan where either is nan."""

    def mean(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The mean over `axis`, in the dtype of x; integers and bools are cast to the default dtype."""

    def median(self, axis: Any = None, keepdim: builtins.bool = False, mode: str = 'avg', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
        """The middle value along `axis`, of all elements where None; nan where there is a nan. Of two middle values the mean."""

    def min(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The smallest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

    def minimum(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The smaller of x and y, element by element; nan where either is nan."""

    def mm(self, mat2: Tensor, name: str | None = None) -> Tensor:
        """The product of `input` [..., n, k] and `mat2` [..., k, m], of shape [..., n, m]: as `matmul` without transposes."""

    def mod(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x % y, element by element, with the sign of y; not of complex numbers."""

    def mod_(self, y: Any, name: str | None = None) -> Tensor:
        """x % y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def mode(self, axis: builtins.int = -1, keepdim: builtins.bool = False, name: str | None = None) -> tuple[Tensor, Tensor]:
        """The commonest value along `axis`, the smallest of several such, and the last int64 index that it has."""

    def moveaxis(self, source: Any, destination: Any, name: str | None = None) -> Tensor:
        """The axes `source` of x moved to the places `destination`; the others keep their order. A view, in the dtype of x."""

    def msort(self, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The values of `input` in order along the first axis: a tensor of its shape and dtype."""

    def mul(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x * y, element by element."""

    def mul_(self, y: Any, name: str | None = None) -> Tensor:
        """x * y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def multi_dot(self, name: str | None = None) -> Tensor:
        """The product of the matrices of the list `x`, in the order that takes the fewest multiplications; vectors at the ends."""

    def multigammaln(self, p: builtins.int, name: str | None = None) -> Tensor:
        """The logarithm of the gamma function of `p` dimensions, element by element, for x > (p - 1) / 2."""

    def multigammaln_(self, p: builtins.int, name: str | None = None) -> Tensor:
        """`multigammaln` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def multinomial(self, num_samples: builtins.int = 1, replacement: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """`num_samples` places of the vector x [n], or of each row of a matrix [m, n], drawn in proportion to the weights there."""

    def multiplex(self, index: Tensor, name: str | None = None) -> Tensor:
        """Row i of the result is row i of the tensor number index[i] of the list `inputs`, tensors of one shape; dtypes are promoted."""

    def multiply(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x * y, element by element."""

    def multiply_(self, y: Any, name: str | None = None) -> Tensor:
        """x * y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def mv(self, vec: Tensor, name: str | None = None) -> Tensor:
        """A matrix times a vector: x [n, k] and vec [k] give [n]; dtypes are promoted. ShapeError: other shapes."""

    def nan_to_num(self, nan: builtins.float = 0.0, posinf: builtins.float | None = None, neginf: builtins.float | None = None, name: str | None = None) -> Tensor:
        """x with numbers in place of nan, inf and -inf; where None is given, the largest and the smallest number of the dtype."""

    def nan_to_num_(self, nan: builtins.float = 0.0, posinf: builtins.float | None = None, neginf: builtins.float | None = None, name: str | None = None) -> Tensor:
        """`nan_to_num` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def nanmean(self, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The mean over `axis` of what isn't nan, nan where all are. Arguments and result as in `mean`: x, axis, keepdim."""

    def nanmedian(self, axis: Any = None, keepdim: builtins.bool = False, mode: str = 'avg', name: str | None = None) -> Any:
        """The middle value of those that aren't nan. Arguments and result as in `median`: x, axis, keepdim, mode."""

    def nanquantile(self, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: str = 'linear') -> Tensor:
        """`quantile` of the values that aren't nan; nan where all are. As `quantile`: x, q, axis, keepdim, interpolation."""

    def nansum(self, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The sum over `axis`, nan counting as 0."""

    def narrow(self, axis: builtins.int, start: Any, length: Any) -> Tensor:
        """`length` places of the axis `axis` of x from `start` on, as a view in the dtype of x; the other lengths of its shape stay."""

    @property
    def ndim(self) -> builtins.int:
        """The number of axes of x, of any shape, as an int; ConversionError where it is unknown while staging."""

    def ndimension(self) -> builtins.int:
        """The number of axes of x, of any shape, as an int; ConversionError where it is unknown while staging."""

    def ne(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x != y, element by element."""

    def neg(self, name: str | None = None) -> Tensor:
        """-x. Element by element."""

    def neg_(self, name: str | None = None) -> Tensor:
        """`neg` in place: writes into x, whose shape and dtype stay, and returns it."""

    def negative(self, name: str | None = None) -> Tensor:
        """-x. Element by element."""

    def new_empty(self, size: Any, *, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False) -> Tensor:
        """A tensor of the shape `size` whose values don't matter: zeros here."""

    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False) -> Tensor:
        """`fill_value`, a number, everywhere, of shape `size`, in the dtype of this tensor unless `dtype` is given."""

    def new_ones(self, size: Any, *, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False) -> Tensor:
        """Ones of the shape `size`."""

    def new_zeros(self, size: Any, *, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False) -> Tensor:
        """Zeros of the shape `size`."""

    def nextafter(self, y: Any, name: str | None = None) -> Tensor:
        """The next real number after x on the way to y."""

    def nonzero(self, as_tuple: builtins.bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
        """int64 [n, rank]: where the n nonzero elements of x, of any dtype, are; with `as_tuple`, one vector [n] for each axis."""

    def norm(self, p: Any = None, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The p-norm over `axis`, or over all elements: the Euclidean one for None and "fro". Over two axes, that of matrices."""

    def normal_(self, mean: Any = 0.0, std: Any = 1.0, name: str | None = None) -> Tensor:
        """Fill x in place with normally distributed numbers, and return it; its shape and floating dtype stay."""

    def not_equal(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x != y, element by element."""

    def not_equal_(self, y: Any, name: str | None = None) -> Tensor:
        """`not_equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def numel(self, name: str | None = None) -> Tensor:
        """The number of elements of x, of any dtype, as a 0-d int64 Tensor."""

    def ones_like(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """Ones: the result has the shape of x and `dtype`, that of x where None."""

    def outer(self, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """Every element of x times every element of y: [n] and [m] give [n, m]; other shapes are flattened, dtypes are promoted."""

    def permute(self, *dims: Any) -> Tensor:
        """As `transpose` of `input`; the axes `dims` may be given one by one, or as a list. The result is a view."""

    def pin_memory(self, device_id: Any = None, blocking: builtins.bool = True) -> Tensor:
        """ValueError: a tensor x, of any shape and dtype, lives on the CPU, whatever `device_id` and `blocking` say."""

    def pinv(self, rcond: Any = 1e-15, hermitian: builtins.bool = False, name: str | None = None) -> Tensor:
        """The pseudo-inverse [..., m, n] of x [..., n, m]: singular values up to `rcond` times the largest count as 0."""

    @property
    def place(self) -> CPUPlace:
        """Where the tensor lives: always the CPU."""

    def polar(self, angle: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The complex numbers with the distance `abs` from 0, in the direction `angle` (radians), two tensors of floats."""

    def polygamma(self, n: builtins.int, name: str | None = None) -> Tensor:
        """The derivative number `n` of `digamma`, element by element; from n = 2 on nan for negative x."""

    def polygamma_(self, n: builtins.int, name: str | None = None) -> Tensor:
        """`polygamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def positive(self, name: str | None = None) -> Tensor:
        """x itself, shape and dtype, which must be a tensor of numbers. DTypeError: a tensor of bools."""

    def pow(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x to the power y, element by element."""

    def pow_(self, y: Any, name: str | None = None) -> Tensor:
        """x to the power y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def prod(self, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The product over `axis`, in the dtype of x, or `dtype`; of integers and bools int64. Arguments as in `sum`."""

    def put_along_axis(self, indices: Tensor, values: Any, axis: builtins.int, reduce: str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> Tensor:
        """`arr` with `values` put at one place for each index along `axis`; or added, multiplied ..., with what is there or without."""

    def put_along_axis_(self, indices: Tensor, values: Any, axis: builtins.int, reduce: str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> Tensor:
        """`put_along_axis` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def qr(self, mode: str = 'reduced', name: str | None = None) -> Any:
        """Q [..., n, k] with orthogonal columns and the upper triangular R [..., k, m] with x [..., n, m] = Q @ R, k = min(n, m)."""

    def quantile(self, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: str = 'linear', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The value below which the part `q` of the values along `axis` lies; nan where there is a nan."""

    def rad2deg(self, name: str | None = None) -> Tensor:
        """x, in radians, in degrees: a tensor of the shape and dtype of x, of the default dtype where x holds integers."""

    def randint_like(self, low: Any = 0, high: Any = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """Integers from `low` up to but not including `high`, as by `randint`."""

    def random_(self, from_: builtins.int = 0, to: builtins.int | None = None) -> Tensor:
        """Fill x in place with integers from `from_` up to but not including `to`, and return it; its shape and dtype stay."""

    def rank(self) -> Tensor:
        """The number of axes of `input` as a 0-d int32 Tensor. ConversionError where it is unknown while staging."""

    def ravel(self) -> Tensor:
        """`input`, of any shape, as a vector: a view where memory allows, in its dtype."""

    def real(self, name: str | None = None) -> Tensor:
        """The real part of x: a tensor of its shape, float32 of complex64, float64 of complex128. A copy of real numbers."""

    def reciprocal(self, name: str | None = None) -> Tensor:
        """1 / x. Element by element."""

    def reciprocal_(self, name: str | None = None) -> Tensor:
        """`reciprocal` in place: writes into x, whose shape and dtype stay, and returns it."""

    def reduce_as(self, target: Tensor, name: str | None = None) -> Tensor:
        """x summed to the shape of the tensor `target`, which would broadcast to that of x."""

    def register_hook(self, hook: Callable) -> HookHandle | RecordedHandle:
        """Call `hook(gradient)` when the gradient of `x` is known; what it returns, unless None, takes the gradient's place."""

    def relu(self, name: str | None = None) -> Tensor:
        """max(x, 0), element by element, in the shape and dtype of x."""

    def relu_(self, name: str | None = None) -> Tensor:
        """max(x, 0), written into x, which keeps its shape and dtype and is returned."""

    def remainder(self, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x % y, element by element, with the sign of y; not of complex numbers."""

    def remainder_(self, y: Any, name: str | None = None) -> Tensor:
        """x % y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def renorm(self, p: builtins.float, axis: builtins.int, max_norm: builtins.float) -> Tensor:
        """x with its slices along `axis` whose p-norm is above `max_norm` made shorter, to that norm."""

    def renorm_(self, p: builtins.float, axis: builtins.int, max_norm: builtins.float) -> Tensor:
        """`renorm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def repeat(self, *repeats: Any) -> Tensor:
        """As `tile`, of `input`; the counts `repeats` may be given one by one. The result has the dtype of input."""

    def repeat_interleave(self, repeats: builtins.int, axis: builtins.int | None = None, name: str | None = None) -> Tensor:
        """Each slice of x along `axis` (None: each element of x flattened) `repeats` times in a row, in the dtype of x."""

    @property
    def requires_grad(self) -> builtins.bool:
        """Whether gradients flow into this tensor: not `stop_gradient`."""

    @requires_grad.setter
    def requires_grad(self, value: builtins.bool) -> None:
        ...

    def requires_grad_(self, requires_grad: builtins.bool = True) -> Tensor:
        """Set whether gradients flow into this tensor (`requires_grad`), and return it, with its shape and dtype as they were."""

    def reshape(self, shape: Any, name: str | None = None) -> Tensor:
        """x with another shape: one length may be -1 (what is left), a 0 keeps the length of x at that place."""

    def reshape_(self, shape: Any, name: str | None = None) -> Tensor:
        """`reshape` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

    def reshape_as(self, other: Tensor) -> Tensor:
        """x with the shape of the tensor `other`, which has as many elements; a view where memory allows, in the dtype of x."""

    def resize_(self, shape: Any, fill_zero: builtins.bool = False) -> Tensor:
        """Give x another shape and memory of its own, with its elements in order, then zeros; x, of the same dtype, is returned."""

    def retain_grads(self) -> None:
        """Keep the gradient of `x`, of any shape and a floating or complex dtype, in `x.grad` also where `x` is no leaf."""

    def reverse(self, axis: Any, name: str | None = None) -> Tensor:
        """As `flip`: x in reverse order along each of `axis`."""

    def roll(self, shifts: Any, axis: Any = None, name: str | None = None) -> Tensor:
        """x moved by `shifts` along `axis`, what leaves at the end coming back in front; without `axis`, x is flattened for it."""

    def rot90(self, k: builtins.int = 1, axes: Any = (0, 1), name: str | None = None) -> Tensor:
        """x turned `k` times by 90 degrees, from the first of two `axes` towards the second, in the dtype of x."""

    def round(self, decimals: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x, of any shape, rounded to `decimals` places, halves to even; the result has the shape and dtype of x."""

    def round_(self, name: str | None = None) -> Tensor:
        """`round` in place, to 0 places: writes into x, whose shape and dtype stay, and returns it."""

    def rsqrt(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """1 / sqrt(x). Element by element."""

    def rsqrt_(self, name: str | None = None) -> Tensor:
        """`rsqrt` in place: writes into x, whose shape and dtype stay, and returns it."""

    def scale(self, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: builtins.bool = True, act: str | None = None, name: str | None = None) -> Tensor:
        """scale * x + bias, or scale * (x + bias) where not `bias_after_scale`; the result has the shape and the dtype of x."""

    def scale_(self, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: builtins.bool = True, act: str | None = None, name: str | None = None) -> Tensor:
        """`scale` in place: writes into x, whose shape and dtype stay, and returns it. With `act`, a new tensor is returned."""

    def scatter(self, index: Tensor, updates: Tensor, overwrite: builtins.bool = True, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x with the rows that `index` (integers [n]) names replaced by those of `updates` [n, ...]; in the shape and dtype of x."""

    def scatter_(self, index: Tensor, updates: Tensor, overwrite: builtins.bool = True, name: str | None = None) -> Tensor:
        """`scatter` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def scatter_add(self, dim: builtins.int, index: Tensor, src: Tensor) -> Tensor:
        """`input` with the elements of `src` added at the places `index` along `dim`, as `scatter_reduce` does."""

    def scatter_add_(self, dim: builtins.int, index: Tensor, src: Tensor) -> Tensor:
        """`scatter_add` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def scatter_nd(self, updates: Tensor, shape: Any, name: str | None = None) -> Tensor:
        """Zeros of `shape` with the tensor `updates` added at the slices that the rows of `index` name, as in `gather_nd`."""

    def scatter_nd_add(self, index: Tensor, updates: Tensor, name: str | None = None) -> Tensor:
        """x with `updates` added at the slices that the rows of `index` name, as in `gather_nd`; in the shape and dtype of x."""

    def scatter_reduce(self, dim: builtins.int, index: Tensor, src: Tensor, reduce: str, *, include_self: builtins.bool = True) -> Tensor:
        """`input` with the elements of `src` reduced ("sum", "prod", "mean", "amin", "amax") into the places `index` along `dim`."""

    def searchsorted(self, values: Tensor, out_int32: builtins.bool = False, right: builtins.bool = False, name: str | None = None) -> Tensor:
        """Where each of `values` belongs in the ordered row `sorted_sequence`: in front of equal ones, or with `right` behind."""

    def select(self, axis: builtins.int, index: Any) -> Tensor:
        """The part of x at the place `index`, an int, of the axis `axis`, as a view without that axis, in the dtype of x."""

    def select_scatter(self, values: Tensor, axis: builtins.int, index: Any, name: str | None = None) -> Tensor:
        """x with the tensor `values` at the place `index`, an int, of the axis `axis`; values have the shape of x without that axis."""

    def set_value(self, value: Any) -> None:
        """Write `value` into x, which keeps its memory, shape and dtype and stays what it is on the tape."""

    def sgn(self, name: str | None = None) -> Tensor:
        """x / |x|, and 0 at 0; of real numbers the sign. x has any shape and dtype but bool; the result has both."""

    def short(self) -> Tensor:
        """x, of any shape and dtype, in int16: x itself where it is. The result has the shape of x."""

    def sigmoid(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """1 / (1 + exp(-x)). Element by element."""

    def sigmoid_(self, name: str | None = None) -> Tensor:
        """`sigmoid` in place: writes into x, whose shape and dtype stay, and returns it."""

    def sign(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """-1, 0 or 1. Element by element."""

    def signbit(self, name: str | None = None) -> Tensor:
        """Whether x is negative, -0.0 included. Element by element."""

    def sin(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sine, x in radians. Element by element."""

    def sin_(self, name: str | None = None) -> Tensor:
        """`sin` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def sinc(self, name: str | None = None) -> Tensor:
        """sin(pi * x) / (pi * x), and 1 at 0."""

    def sinc_(self, name: str | None = None) -> Tensor:
        """`sinc` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def sinh(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The hyperbolic sine. Element by element."""

    def sinh_(self, name: str | None = None) -> Tensor:
        """`sinh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    @property
    def size(self) -> builtins.int:
        """The number of elements as an int (staged where a length is)."""

    def slice(self, axes: Any, starts: Any, ends: Any) -> Tensor:
        """input[starts[i]:ends[i]] along each of `axes`, as a view, in the dtype of `input`."""

    def slice_scatter(self, value: Tensor, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Tensor:
        """x with the tensor `value` at x[starts[i]:ends[i]:strides[i]] along each of `axes`."""

    def slogdet(self, name: str | None = None) -> Tensor:
        """The sign of the determinant, and the logarithm of its absolute value, along a new first axis."""

    def softmax(self, axis: builtins.int = -1, dtype: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """exp(x) divided by its sum along `axis`, in the shape and dtype of x; integers become the default dtype."""

    def softmax_(self, axis: builtins.int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
        """`softmax` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def solve(self, y: Tensor, left: builtins.bool = True, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The z with x @ z = y (z @ x = y where not `left`), in the shape of y."""

    def sort(self, axis: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool = False, name: str | None = None) -> Tensor:
        """The values of x in order along `axis`, an int; from the largest on where `descending`."""

    def split(self, num_or_sections: Any, axis: builtins.int = 0, name: str | None = None) -> list[Tensor]:
        """Views of x along `axis`, as a list: an int `num_or_sections` of equal length, or of the lengths in a list."""

    def split_with_sizes(self, split_sizes: Any, dim: builtins.int = 0) -> list[Tensor]:
        """Views of the lengths `split_sizes` along the axis `dim`, a list of tensors of otherwise the shape and dtype of this one."""

    def sqrt(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The square root. Element by element."""

    def sqrt_(self, name: str | None = None) -> Tensor:
        """`sqrt` in place: writes into x, whose shape and dtype stay, and returns it."""

    def square(self, name: str | None = None) -> Tensor:
        """x * x. Element by element."""

    def square_(self, name: str | None = None) -> Tensor:
        """`square` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def squeeze(self, axis: Any = None, name: str | None = None) -> Tensor:
        """x without the axes of length 1: all of them, or those in `axis`, an int or a list of ints (longer ones stay)."""

    def squeeze_(self, axis: Any = None, name: str | None = None) -> Tensor:
        """`squeeze` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

    def stack(self, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The tensors of the list `x`, all of one shape, along a new axis at the place `axis` of the result; dtypes are promoted."""

    def stanh(self, scale_a: builtins.float = 0.67, scale_b: builtins.float = 1.7159, name: str | None = None) -> Tensor:
        """scale_b * tanh(scale_a * x), the two scales being numbers."""

    def std(self, axis: Any = None, unbiased: builtins.bool = True, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The standard deviation over `axis`: the square root of the variance. Arguments and result as in `var`, with `unbiased`."""

    def stft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: Tensor | None = None, center: builtins.bool = True, pad_mode: str = 'reflect', normalized: builtins.bool = False, onesided: builtins.bool | None = None, name: str | None = None) -> Tensor:
        """The spectra of the frames of a signal x [n] or [batch, n]: complex [..., n_fft // 2 + 1, frames], or n_fft of them."""

    def stride(self, dim: builtins.int | None = None) -> Any:
        """How many elements of this tensor, of any shape and dtype, lie between neighbours along each axis, a list of ints."""

    def strided_slice(self, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Tensor:
        """x[starts[i]:ends[i]:strides[i]] along each of `axes`, as a view, in the dtype of x."""

    @property
    def strides(self) -> list[builtins.int]:
        """How many elements lie between neighbours along each axis, as `stride()` says."""

    def sub(self, y: Any, name: str | None = None, *, alpha: Any = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x - alpha * y, element by element."""

    def sub_(self, y: Any, name: str | None = None) -> Tensor:
        """x - y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def subtract(self, y: Any, name: str | None = None, *, alpha: Any = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x - alpha * y, element by element."""

    def subtract_(self, y: Any, name: str | None = None) -> Tensor:
        """x - y in place. Writes into x, whose shape and dtype stay, and returns it."""

    def sum(self, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The sum over `axis`, in the dtype of x, or `dtype`; of integers and bools int64."""

    def swapaxes(self, axis0: builtins.int, axis1: builtins.int, name: str | None = None) -> Tensor:
        """x with its axes `axis0` and `axis1` exchanged: a view, in the dtype of x."""

    def swapdims(self, dim0: builtins.int, dim1: builtins.int, name: str | None = None) -> Tensor:
        """x with its axes `dim0` and `dim1` exchanged, as by `swapaxes`."""

    def t(self, name: str | None = None) -> Tensor:
        """The transpose of a matrix `input` as a view in its dtype: [n, m] gives [m, n]; a vector or a 0-d tensor as it is."""

    def t_(self, name: str | None = None) -> Tensor:
        """`t` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

    def take(self, index: Tensor, mode: str = 'raise', name: str | None = None) -> Tensor:
        """The elements of x, flattened, at the integer places `index`: a tensor of the shape of index, in the dtype of x."""

    def take_along_axis(self, indices: Tensor, axis: builtins.int, broadcast: builtins.bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """One element of `arr` for each index along `axis`: a tensor of the shape of `indices`, in the dtype of arr."""

    def take_along_dim(self, indices: Tensor, axis: builtins.int, broadcast: builtins.bool = True) -> Tensor:
        """As `take_along_axis`: arr, indices, axis and `broadcast`."""

    def tan(self, name: str | None = None) -> Tensor:
        """The tangent, x in radians. Element by element."""

    def tan_(self, name: str | None = None) -> Tensor:
        """`tan` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def tanh(self, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The hyperbolic tangent. Element by element."""

    def tanh_(self, name: str | None = None) -> Tensor:
        """`tanh` in place: writes into x, whose shape and dtype stay, and returns it."""

    def tensor_split(self, num_or_indices: Any, axis: builtins.int = 0, name: str | None = None) -> list[Tensor]:
        """Views of x along `axis`, as a list: as many as an int `num_or_indices` says, or the parts between the indices in a list."""

    def tensordot(self, y: Tensor, axes: Any = 2, name: str | None = None) -> Tensor:
        """The sum of products over the last `axes` axes of x and the first ones of y, or over the axes in a list, or in two lists."""

    def thresholded_relu_(self, threshold: builtins.float = 1.0, value: builtins.float = 0.0, name: str | None = None) -> Tensor:
        """`thresholded_relu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def tile(self, repeat_times: Any, name: str | None = None) -> Tensor:
        """x repeated repeat_times[i] times along axis i, in the dtype of x."""

    def to(self, *args: Any, **kwargs: Any) -> Tensor:
        """x in another dtype: given as such, or by another tensor; x itself where it has that dtype. The shape stays."""

    def to_dense(self, *_: Any, **__: Any) -> Tensor:
        """x itself, shape and dtype: tensors live on the CPU, and no caller sees in which order its elements lie."""

    def tolist(self) -> Any:
        """The values of x as nested Python lists of numbers; one number where x has no axes. While recording, they are staged."""

    def topk(self, k: builtins.int | Tensor, axis: builtins.int | None = None, largest: builtins.bool = True, sorted: builtins.bool = True, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, Tensor]:
        """The k largest (where not `largest`, smallest) values along `axis` (the last where None), in order, and their indices."""

    def trace(self, offset: builtins.int = 0, axis1: builtins.int = 0, axis2: builtins.int = 1, name: str | None = None) -> Tensor:
        """The sum of the diagonal number `offset` of the axes `axis1` and `axis2` of x."""

    def transpose(self, perm: Any, name: str | None = None) -> Tensor:
        """Axis i of the result is axis perm[i] of x: a view, in the dtype of x."""

    def transpose_(self, perm: Any, name: str | None = None) -> Tensor:
        """`transpose` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

    def trapezoid(self, x: Tensor | None = None, dx: Any = None, axis: builtins.int = -1, name: str | None = None) -> Tensor:
        """The area under the line through the points of `y` along `axis`, which are `dx` (1 where None) apart, or at `x`."""

    def tril(self, diagonal: Any = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The lower triangle of the matrices x [..., n, m], up to `diagonal` (0 the main one, 1 above it); zeros elsewhere."""

    def tril_(self, diagonal: Any = 0, name: str | None = None) -> Tensor:
        """`tril` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def triu(self, diagonal: Any = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """The upper triangle of the matrices x [..., n, m], from `diagonal` (0 the main one, 1 above it) on; zeros elsewhere."""

    def triu_(self, diagonal: Any = 0, name: str | None = None) -> Tensor:
        """`triu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def true_divide(self, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
        """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted."""

    def trunc(self, name: str | None = None) -> Tensor:
        """x without its fraction. x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."""

    def trunc_(self, name: str | None = None) -> Tensor:
        """`trunc` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

    def type_as(self, other: Tensor) -> Tensor:
        """x in the dtype of `other`: x itself where it has it. The shape stays."""

    def uint8(self) -> Tensor:
        """x, of any shape and dtype, in uint8: x itself where it is. The result has the shape of x."""

    def unbind(self, axis: builtins.int = 0) -> list[Tensor]:
        """The slices of `input` along `axis`, without that axis: a list of views in its dtype."""

    def unflatten(self, axis: builtins.int, shape: Any, name: str | None = None) -> Tensor:
        """The axis `axis` of x made several, of the lengths `shape`, one of which may be -1."""

    def unfold(self, axis: builtins.int, size: builtins.int, step: builtins.int, name: str | None = None) -> Tensor:
        """The windows of `size` elements of x along `axis`, `step` apart: their number stands in its place, `size` comes last."""

    def uniform_(self, min: Any = 0.0, max: Any = 1.0, seed: builtins.int = 0, name: str | None = None) -> Tensor:
        """Fill x in place with numbers spread evenly over [min, max), and return it; its shape and floating dtype stay."""

    def unique(self, return_index: builtins.bool = False, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: builtins.int | None = None, dtype: Any = 'int64', sorted: builtins.bool = True, name: str | None = None) -> Any:
        """The different values of x, a vector in order, or slices along `axis`; with what else is asked for, as a tuple."""

    def unique_consecutive(self, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, axis: builtins.int | None = None, dtype: Any = 'int64', name: str | None = None) -> Any:
        """x without what equals the element before, flattened or along `axis`; with what else is asked for, as a tuple."""

    def unsqueeze(self, axis: Any, name: str | None = None) -> Tensor:
        """x with axes of length 1 at the places `axis`, an int or a list of ints, of the result: a view, in the dtype of x."""

    def unsqueeze_(self, axis: Any, name: str | None = None) -> Tensor:
        """`unsqueeze` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

    def unstack(self, axis: builtins.int = 0, num: builtins.int | None = None) -> list[Tensor]:
        """As `unbind`, of x; `num`, where given, must be the length of the `axis`: ShapeError."""

    def value(self, *_: Any, **__: Any) -> Tensor:
        """x itself, shape and dtype: tensors live on the CPU, and no caller sees in which order its elements lie."""

    def vander(self, n: builtins.int | None = None, increasing: builtins.bool = False, name: str | None = None) -> Tensor:
        """The matrix [length, n] whose columns are the powers n - 1 ... 0 of a vector x, or 0 ... n - 1 where `increasing`."""

    def var(self, axis: Any = None, unbiased: builtins.bool = True, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
        """The variance over `axis`: the mean squared distance from the mean, over n - 1 where `unbiased`, else over n."""

    def vecdot(self, y: Tensor, axis: builtins.int = -1, name: str | None = None) -> Tensor:
        """The inner products of the vectors along `axis` of x and y; shapes broadcast, dtypes are promoted."""

    def view(self, shape_or_dtype: Any, name: str | None = None) -> Tensor:
        """x with another shape, as `reshape` to `shape_or_dtype`, which is a shape. TypeError: a dtype, which Paddle takes, too."""

    def view_as(self, other: Tensor) -> Tensor:
        """x with the shape of the tensor `other`, which has as many elements; a view where memory allows, in the dtype of x."""

    def view_as_complex(self) -> Tensor:
        """As `as_complex` of `input`: the result is a copy."""

    def view_as_real(self) -> Tensor:
        """As `as_real` of `input`: the result is a copy."""

    def vsplit(self, num_or_indices: Any, name: str | None = None) -> list[Tensor]:
        """Views of x along the first axis, as `tensor_split` with `num_or_indices` gives them. ShapeError: fewer than 2 axes."""

    def where(self, x: Any = None, y: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
        """x where `condition` (bool) holds, y elsewhere; shapes broadcast, dtypes are promoted. With `condition` alone, as `nonzero`."""

    def where_(self, x: Tensor, y: Any, name: str | None = None) -> Tensor:
        """`where` in place: written into x, which keeps its shape and dtype and is returned; `condition` and y as there."""

    def zero_(self) -> Tensor:
        """Write 0 everywhere into x, which keeps shape and dtype and is returned."""

    def zeros_like(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """Zeros: the result has the shape of x and `dtype`, that of x where None."""
