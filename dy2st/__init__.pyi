"""The names of dy2st. Written by `python tests/support/stubs.py`."""

from dy2st import amp as amp
from dy2st import annotations as annotations
from dy2st import api as api
from dy2st import autograd as autograd
from dy2st import base as base
from dy2st import callbacks as callbacks
from dy2st import cli as cli
from dy2st import config as config
from dy2st import converted_code as converted_code
from dy2st import device as device
from dy2st import distributed as distributed
from dy2st import dtypes as dtypes
from dy2st import errors as errors
from dy2st import extras as extras
from dy2st import fft as fft
from dy2st import framework as framework
from dy2st import func as func
from dy2st import garbage as garbage
from dy2st import graphs as graphs
from dy2st import hapi as hapi
from dy2st import io as io
from dy2st import ir as ir
from dy2st import jax as jax
from dy2st import jit as jit
from dy2st import late as late
from dy2st import linalg as linalg
from dy2st import metric as metric
from dy2st import nn as nn
from dy2st import onnx as onnx
from dy2st import ops as ops
from dy2st import optimizer as optimizer
from dy2st import pages as pages
from dy2st import passes as passes
from dy2st import progress as progress
from dy2st import python_library as python_library
from dy2st import pytree as pytree
from dy2st import regularizer as regularizer
from dy2st import runtime as runtime
from dy2st import saving as saving
from dy2st import signal as signal
from dy2st import silenced as silenced
from dy2st import state_files as state_files
from dy2st import static as static
from dy2st import tables as tables
from dy2st import torch as torch
from dy2st import traced_module as traced_module
from dy2st import transformers as transformers
from dy2st import undo as undo
from dy2st import utils as utils
from dy2st import version as version
from dy2st import viewer as viewer
from dy2st.amp import autocast as autocast
from dy2st.amp import get_autocast_dtype as _get_autocast_dtype
from dy2st.amp import get_autocast_dtype as get_autocast_dtype
from dy2st.amp import is_autocast_enabled as is_autocast_enabled
from dy2st.api.assembling import add_n as add_n
from dy2st.api.assembling import atleast_1d as atleast_1d
from dy2st.api.assembling import atleast_2d as atleast_2d
from dy2st.api.assembling import atleast_3d as atleast_3d
from dy2st.api.assembling import block_diag as block_diag
from dy2st.api.assembling import broadcast_shape as broadcast_shape
from dy2st.api.assembling import broadcast_shapes as broadcast_shapes
from dy2st.api.assembling import broadcast_tensors as broadcast_tensors
from dy2st.api.assembling import cartesian_prod as cartesian_prod
from dy2st.api.assembling import column_stack as column_stack
from dy2st.api.assembling import combinations as combinations
from dy2st.api.assembling import dstack as dstack
from dy2st.api.assembling import hstack as hstack
from dy2st.api.assembling import vstack as _vstack
from dy2st.api.assembling import vstack as vstack
from dy2st.api.attributes import numel as numel
from dy2st.api.attributes import rank as rank
from dy2st.api.attributes import shape as shape
from dy2st.api.attributes import tolist as tolist
from dy2st.api.autograd import grad as grad
from dy2st.api.compare import allclose as allclose
from dy2st.api.compare import equal_all as equal_all
from dy2st.api.compare import is_complex as is_complex
from dy2st.api.compare import is_floating_point as is_floating_point
from dy2st.api.compare import is_integer as is_integer
from dy2st.api.compare import is_tensor as is_tensor
from dy2st.api.compare import isclose as isclose
from dy2st.api.compare import where_ as where_
from dy2st.api.complex_numbers import angle as angle
from dy2st.api.complex_numbers import as_complex as as_complex
from dy2st.api.complex_numbers import as_real as as_real
from dy2st.api.complex_numbers import conj as conj
from dy2st.api.complex_numbers import imag as imag
from dy2st.api.complex_numbers import isreal as isreal
from dy2st.api.complex_numbers import real as real
from dy2st.api.complex_numbers import sgn as sgn
from dy2st.api.complex_numbers import view_as_complex as view_as_complex
from dy2st.api.complex_numbers import view_as_real as view_as_real
from dy2st.api.conversions import is_empty as is_empty
from dy2st.api.counting import bincount as bincount
from dy2st.api.counting import histogram as histogram
from dy2st.api.counting import histogram_bin_edges as histogram_bin_edges
from dy2st.api.counting import isin as isin
from dy2st.api.counting import searchsorted as searchsorted
from dy2st.api.counting import unique as unique
from dy2st.api.counting import unique_consecutive as unique_consecutive
from dy2st.api.creation import arange as arange
from dy2st.api.creation import assign as assign
from dy2st.api.creation import clone as clone
from dy2st.api.creation import empty as empty
from dy2st.api.creation import empty_like as empty_like
from dy2st.api.creation import eye as eye
from dy2st.api.creation import full as full
from dy2st.api.creation import full_like as full_like
from dy2st.api.creation import linspace as linspace
from dy2st.api.creation import one_hot as one_hot
from dy2st.api.creation import ones as ones
from dy2st.api.creation import ones_like as ones_like
from dy2st.api.creation import to_tensor as to_tensor
from dy2st.api.creation import zeros as zeros
from dy2st.api.creation import zeros_like as zeros_like
from dy2st.api.diagonals import diag as diag
from dy2st.api.diagonals import diag_embed as diag_embed
from dy2st.api.diagonals import diagflat as diagflat
from dy2st.api.diagonals import diagonal_scatter as diagonal_scatter
from dy2st.api.diagonals import trace as trace
from dy2st.api.diagonals import tril_indices as tril_indices
from dy2st.api.diagonals import triu_indices as triu_indices
from dy2st.api.distributions import bernoulli_ as bernoulli_
from dy2st.api.distributions import binomial as binomial
from dy2st.api.distributions import cauchy_ as cauchy_
from dy2st.api.distributions import geometric_ as geometric_
from dy2st.api.distributions import log_normal as log_normal
from dy2st.api.distributions import log_normal_ as log_normal_
from dy2st.api.distributions import poisson as poisson
from dy2st.api.distributions import rand_like as rand_like
from dy2st.api.distributions import randn_like as randn_like
from dy2st.api.distributions import standard_gamma as standard_gamma
from dy2st.api.dlpack import from_dlpack as from_dlpack
from dy2st.api.dlpack import to_dlpack as to_dlpack
from dy2st.api.factors import eigvalsh as eigvalsh
from dy2st.api.flags import get_flags as get_flags
from dy2st.api.flags import set_flags as set_flags
from dy2st.api.gathering import gather_nd as gather_nd
from dy2st.api.gathering import masked_fill as masked_fill
from dy2st.api.gathering import scatter_nd_add as scatter_nd_add
from dy2st.api.joining import chunk as chunk
from dy2st.api.joining import flip as flip
from dy2st.api.joining import meshgrid as meshgrid
from dy2st.api.joining import repeat_interleave as repeat_interleave
from dy2st.api.joining import roll as roll
from dy2st.api.joining import split as split
from dy2st.api.joining import tile as tile
from dy2st.api.joining import unbind as unbind
from dy2st.api.joining import unstack as unstack
from dy2st.api.limits import finfo as finfo
from dy2st.api.limits import iinfo as iinfo
from dy2st.api.linalg import addmm as addmm
from dy2st.api.linalg import inner as inner
from dy2st.api.linalg import mm as mm
from dy2st.api.linalg import mv as mv
from dy2st.api.making import as_tensor as as_tensor
from dy2st.api.making import asarray as asarray
from dy2st.api.making import from_numpy as from_numpy
from dy2st.api.making import increment as increment
from dy2st.api.making import logspace as logspace
from dy2st.api.making import range as range
from dy2st.api.manipulation import broadcast_to as broadcast_to
from dy2st.api.manipulation import expand as expand
from dy2st.api.manipulation import expand_as as expand_as
from dy2st.api.manipulation import flatten as flatten
from dy2st.api.manipulation import moveaxis as moveaxis
from dy2st.api.manipulation import reshape as reshape
from dy2st.api.manipulation import reshape_as as _reshape_as
from dy2st.api.manipulation import reshape_as as reshape_as
from dy2st.api.manipulation import squeeze as squeeze
from dy2st.api.manipulation import swapaxes as swapaxes
from dy2st.api.manipulation import t as t
from dy2st.api.manipulation import transpose as transpose
from dy2st.api.manipulation import unsqueeze as unsqueeze
from dy2st.api.manipulation import view as view
from dy2st.api.math import atan2 as atan2
from dy2st.api.math import cast as cast
from dy2st.api.math import clip_ as _clip_
from dy2st.api.math import clip_ as clip_
from dy2st.api.math import round_ as round_
from dy2st.api.math import scale as scale
from dy2st.api.math import scale_ as scale_
from dy2st.api.memory import as_strided as as_strided
from dy2st.api.memory import diagonal as diagonal
from dy2st.api.memory import narrow as narrow
from dy2st.api.memory import select as select
from dy2st.api.modes import CPUPlace as CPUPlace
from dy2st.api.modes import CUDAPinnedPlace as CUDAPinnedPlace
from dy2st.api.modes import CUDAPlace as CUDAPlace
from dy2st.api.modes import disable_signal_handler as disable_signal_handler
from dy2st.api.modes import disable_static as disable_static
from dy2st.api.modes import enable_static as enable_static
from dy2st.api.modes import get_device as _get_device
from dy2st.api.modes import get_device as get_device
from dy2st.api.modes import in_dynamic_mode as in_dynamic_mode
from dy2st.api.modes import is_compiled_with_cuda as _is_compiled_with_cuda
from dy2st.api.modes import is_compiled_with_cuda as is_compiled_with_cuda
from dy2st.api.modes import is_compiled_with_custom_device as is_compiled_with_custom_device
from dy2st.api.modes import set_default_dtype as set_default_dtype
from dy2st.api.modes import set_device as _set_device
from dy2st.api.modes import set_device as set_device
from dy2st.api.modes import set_printoptions as set_printoptions
from dy2st.api.norms import dist as dist
from dy2st.api.norms import norm as norm
from dy2st.api.order import kthvalue as kthvalue
from dy2st.api.order import mode as mode
from dy2st.api.order import nanmedian as nanmedian
from dy2st.api.order import nanquantile as nanquantile
from dy2st.api.pairs import bitwise_left_shift as bitwise_left_shift
from dy2st.api.pairs import bitwise_right_shift as bitwise_right_shift
from dy2st.api.pairs import copysign as copysign
from dy2st.api.pairs import heaviside as heaviside
from dy2st.api.pairs import ldexp as ldexp
from dy2st.api.pairs import lerp as lerp
from dy2st.api.parts import crop as crop
from dy2st.api.parts import dsplit as dsplit
from dy2st.api.parts import hsplit as hsplit
from dy2st.api.parts import permute as permute
from dy2st.api.parts import ravel as ravel
from dy2st.api.parts import reverse as reverse
from dy2st.api.parts import rot90 as rot90
from dy2st.api.parts import swapdims as swapdims
from dy2st.api.parts import tensor_split as tensor_split
from dy2st.api.parts import unflatten as unflatten
from dy2st.api.parts import unfold as unfold
from dy2st.api.parts import vsplit as vsplit
from dy2st.api.picking import argwhere as argwhere
from dy2st.api.picking import index_sample as index_sample
from dy2st.api.picking import multiplex as multiplex
from dy2st.api.picking import reduce_as as reduce_as
from dy2st.api.picking import shard_index as shard_index
from dy2st.api.picking import take as take
from dy2st.api.picking import take_along_dim as take_along_dim
from dy2st.api.placing import index_fill as index_fill
from dy2st.api.placing import index_put as index_put
from dy2st.api.placing import masked_scatter as masked_scatter
from dy2st.api.placing import put_along_axis as put_along_axis
from dy2st.api.placing import scatter_add as scatter_add
from dy2st.api.placing import scatter_nd as scatter_nd
from dy2st.api.placing import scatter_reduce as scatter_reduce
from dy2st.api.placing import select_scatter as select_scatter
from dy2st.api.placing import slice_scatter as slice_scatter
from dy2st.api.products import baddbmm as baddbmm
from dy2st.api.products import cdist as cdist
from dy2st.api.products import cross as cross
from dy2st.api.products import einsum as einsum
from dy2st.api.products import kron as kron
from dy2st.api.products import matrix_transpose as matrix_transpose
from dy2st.api.products import pdist as pdist
from dy2st.api.products import renorm as renorm
from dy2st.api.products import tensordot as tensordot
from dy2st.api.products import vander as vander
from dy2st.api.products import vecdot as vecdot
from dy2st.api.random import bernoulli as bernoulli
from dy2st.api.random import gaussian as gaussian
from dy2st.api.random import normal_ as normal_
from dy2st.api.random import rand as rand
from dy2st.api.random import randint as randint
from dy2st.api.random import randint_like as randint_like
from dy2st.api.random import randn as _randn
from dy2st.api.random import randn as randn
from dy2st.api.random import randperm as randperm
from dy2st.api.random import uniform as uniform
from dy2st.api.random import uniform_ as uniform_
from dy2st.api.reduce import argsort as argsort
from dy2st.api.reduce import cumprod as cumprod
from dy2st.api.reduce import mean as mean
from dy2st.api.reduce import sort as sort
from dy2st.api.reduce import std as std
from dy2st.api.reduce import var as var
from dy2st.api.running import count_nonzero as count_nonzero
from dy2st.api.running import cumulative_trapezoid as cumulative_trapezoid
from dy2st.api.running import logcumsumexp as logcumsumexp
from dy2st.api.running import nanmean as nanmean
from dy2st.api.running import nansum as nansum
from dy2st.api.running import trapezoid as trapezoid
from dy2st.api.slicing import slice as slice
from dy2st.api.slicing import strided_slice as strided_slice
from dy2st.api.solving import cholesky as cholesky
from dy2st.api.solving import inv as _inv
from dy2st.api.special import deg2rad as deg2rad
from dy2st.api.special import digamma as digamma
from dy2st.api.special import frexp as frexp
from dy2st.api.special import isneginf as isneginf
from dy2st.api.special import isposinf as isposinf
from dy2st.api.special import logit as logit
from dy2st.api.special import multigammaln as multigammaln
from dy2st.api.special import nan_to_num as nan_to_num
from dy2st.api.special import polygamma as polygamma
from dy2st.api.special import positive as positive
from dy2st.api.special import rad2deg as rad2deg
from dy2st.api.special import sinc as sinc
from dy2st.api.special import stanh as stanh
from dy2st.api.windows import bartlett_window as bartlett_window
from dy2st.api.windows import blackman_window as blackman_window
from dy2st.api.windows import hamming_window as hamming_window
from dy2st.api.windows import hann_window as hann_window
from dy2st.api.windows import kaiser_window as kaiser_window
from dy2st.dtypes import DType
from dy2st.dtypes import DType as _DType
from dy2st.dtypes import get_default_dtype as get_default_dtype
from dy2st.hapi.model import Model as Model
from dy2st.nn.parameter import ParamAttr as ParamAttr
from dy2st.nn.summary import create_parameter as create_parameter
from dy2st.nn.summary import summary as summary
from dy2st.runtime.tensors.grad_mode import enable_grad as enable_grad
from dy2st.runtime.tensors.grad_mode import is_grad_enabled as is_grad_enabled
from dy2st.runtime.tensors.grad_mode import no_grad as no_grad
from dy2st.runtime.tensors.grad_mode import set_grad_enabled as set_grad_enabled
from dy2st.runtime.tensors.random_state import get_rng_state as get_rng_state
from dy2st.runtime.tensors.random_state import seed as _seed
from dy2st.runtime.tensors.random_state import seed as seed
from dy2st.runtime.tensors.random_state import set_rng_state as set_rng_state
from dy2st.runtime.tensors.tensor import Tensor as Tensor
from dy2st.state_files import load as load
from dy2st.state_files import save as save
from typing import Any
import builtins

def abs(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The absolute value, element by element; of complex numbers the distance from 0."""

def abs_(x: Tensor, name: str | None = None) -> Tensor:
    """`abs` in place: writes into x, whose shape and dtype stay, and returns it."""

def acos(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse cosine, in radians. Element by element."""

def acos_(x: Tensor, name: str | None = None) -> Tensor:
    """`acos` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def acosh(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse hyperbolic cosine. Element by element."""

def acosh_(x: Tensor, name: str | None = None) -> Tensor:
    """`acosh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def add(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x + alpha * y, element by element."""

def add_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x + y in place. Writes into x, whose shape and dtype stay, and returns it."""

def addmm_(input: Tensor, x: Tensor, y: Tensor, beta: builtins.float = 1.0, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
    """`addmm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def all(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether every element over `axis` is true (not 0): a bool tensor."""

def amax(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The largest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

def amin(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The smallest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

def any(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether some element over `axis` is true (not 0): a bool tensor."""

def argmax(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """Where the first largest value along `axis` is."""

def argmin(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """Where the first smallest value along `axis` is."""

def asin(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse sine, in radians. Element by element."""

def asin_(x: Tensor, name: str | None = None) -> Tensor:
    """`asin` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def asinh(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine. Element by element."""

def asinh_(x: Tensor, name: str | None = None) -> Tensor:
    """`asinh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def atan(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse tangent, in radians. Element by element."""

def atan_(x: Tensor, name: str | None = None) -> Tensor:
    """`atan` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def atanh(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inverse hyperbolic tangent. Element by element."""

def atanh_(x: Tensor, name: str | None = None) -> Tensor:
    """`atanh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def baddbmm_(input: Tensor, x: Tensor, y: Tensor, beta: builtins.float = 1.0, alpha: builtins.float = 1.0, name: str | None = None) -> Tensor:
    """`baddbmm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

bfloat16: DType

def bitwise_and(x: Any, y: Any, out: None = None, name: str | None = None) -> Tensor:
    """x & y, bit by bit."""

def bitwise_and_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`bitwise_and` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bitwise_invert(x: Tensor, out: None = None, name: str | None = None) -> Tensor:
    """~x, bit by bit."""

def bitwise_invert_(x: Tensor, name: str | None = None) -> Tensor:
    """`bitwise_not` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bitwise_left_shift_(x: Tensor, y: Tensor, is_arithmetic: builtins.bool = True, name: str | None = None) -> Tensor:
    """`bitwise_left_shift` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bitwise_not(x: Tensor, out: None = None, name: str | None = None) -> Tensor:
    """~x, bit by bit."""

def bitwise_not_(x: Tensor, name: str | None = None) -> Tensor:
    """`bitwise_not` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bitwise_or(x: Any, y: Any, out: None = None, name: str | None = None) -> Tensor:
    """x | y, bit by bit."""

def bitwise_or_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`bitwise_or` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bitwise_right_shift_(x: Tensor, y: Tensor, is_arithmetic: builtins.bool = True, name: str | None = None) -> Tensor:
    """`bitwise_right_shift` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bitwise_xor(x: Any, y: Any, out: None = None, name: str | None = None) -> Tensor:
    """x ^ y, bit by bit."""

def bitwise_xor_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`bitwise_xor` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def bmm(x: Tensor, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The products of two stacks of matrices: x [b, n, k] and y [b, k, m] give [b, n, m]; dtypes are promoted."""

bool: DType

def bucketize(x: Tensor, sorted_sequence: Tensor, out_int32: builtins.bool = False, right: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Where each element of x, of any shape, belongs in the ordered vector `sorted_sequence`."""

def cast_(x: Tensor, dtype: Any) -> Tensor:
    """`cast` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def cat(x: Any, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors of the list `x`, of one shape but for `axis`, one after the other along `axis`; dtypes are promoted."""

cdouble: DType

def ceil(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The smallest integer not below x. x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."""

def ceil_(x: Tensor, name: str | None = None) -> Tensor:
    """`ceil` in place: writes into x, whose shape and dtype stay, and returns it."""

cfloat: DType

def clamp(x: Tensor, min: Any = None, max: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The values of x, of any shape, moved into [min, max]; either bound may be None. The result has the shape of x."""

clamp_ = _clip_

def clip(x: Tensor, min: Any = None, max: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The values of x, of any shape, moved into [min, max]; either bound may be None. The result has the shape of x."""

def complex(real: Tensor, imag: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """real + i * imag, for two tensors of floats; shapes broadcast. The result is complex64, or complex128 of float64."""

complex128: DType

complex64: DType

def concat(x: Any, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors of the list `x`, of one shape but for `axis`, one after the other along `axis`; dtypes are promoted."""

def concatenate(x: Any, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors of the list `x`, of one shape but for `axis`, one after the other along `axis`; dtypes are promoted."""

def copysign_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """`copysign` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def cos(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The cosine, x in radians. Element by element."""

def cos_(x: Tensor, name: str | None = None) -> Tensor:
    """`cos` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def cosh(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic cosine. Element by element."""

def cosh_(x: Tensor, name: str | None = None) -> Tensor:
    """`cosh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def cummax(x: Tensor, axis: builtins.int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, Tensor]:
    """The largest value so far along `axis`, and where it was last."""

def cummin(x: Tensor, axis: builtins.int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, Tensor]:
    """The smallest value so far along `axis`, and where it was last."""

def cumprod_(x: Tensor, dim: builtins.int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """`cumprod` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def cumsum(x: Tensor, axis: builtins.int | None = None, dtype: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The running sum along `axis`, an int, or of x flattened where None."""

def cumsum_(x: Tensor, axis: builtins.int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """`cumsum` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def diff(x: Tensor, n: builtins.int = 1, axis: builtins.int = -1, prepend: Tensor | None = None, append: Tensor | None = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Each element minus the one before along `axis`, an int, `n` times over; for bools, whether they differ."""

def digamma_(x: Tensor, name: str | None = None) -> Tensor:
    """`digamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def div(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted."""

def div_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x / y in place. Writes into x, whose shape and dtype stay, and returns it."""

def divide(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted."""

def divide_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x / y in place. Writes into x, whose shape and dtype stay, and returns it."""

def dot(x: Tensor, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The inner product of two vectors x and y [n], a 0-d tensor, or of each pair of rows of two matrices [m, n], a vector [m]."""

double: DType

dtype = _DType

e: builtins.float

def eq(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x == y, element by element."""

def equal(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x == y, element by element."""

def equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def erf(x: Tensor, name: str | None = None) -> Tensor:
    """The error function. Element by element."""

def erf_(x: Tensor, name: str | None = None) -> Tensor:
    """`erf` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def erfinv(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse of the error function. Element by element."""

def erfinv_(x: Tensor, name: str | None = None) -> Tensor:
    """`erfinv` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def exp(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """e to the power x. Element by element."""

def exp_(x: Tensor, name: str | None = None) -> Tensor:
    """`exp` in place: writes into x, whose shape and dtype stay, and returns it."""

def expm1(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """exp(x) - 1, exact near 0. Element by element."""

def expm1_(x: Tensor, name: str | None = None) -> Tensor:
    """`expm1` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def fill_diagonal_tensor_(x: Tensor, y: Tensor, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1, name: str | None = None) -> Tensor:
    """`fill_diagonal_tensor` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def flatten_(x: Tensor, start_axis: builtins.int = 0, stop_axis: builtins.int = -1, name: str | None = None) -> Tensor:
    """`flatten` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

float: DType

float16: DType

float32: DType

float64: DType

def floor(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The largest integer not above x. x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."""

def floor_(x: Tensor, name: str | None = None) -> Tensor:
    """`floor` in place: writes into x, whose shape and dtype stay, and returns it."""

def floor_divide(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x // y, element by element: the quotient rounded down; not of complex numbers."""

def floor_divide_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x // y in place. Writes into x, whose shape and dtype stay, and returns it."""

def floor_mod(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x % y, element by element, with the sign of y; not of complex numbers."""

def floor_mod_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x % y in place. Writes into x, whose shape and dtype stay, and returns it."""

def fmax(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of x and y, element by element; where one of them is nan, the other one."""

def fmin(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of x and y, element by element; where one of them is nan, the other one."""

def frac(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The fraction of x, with its sign; 0 for integers."""

def frac_(x: Tensor, name: str | None = None) -> Tensor:
    """`frac` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def gammaln(x: Tensor, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function. Element by element."""

def gammaln_(x: Tensor, name: str | None = None) -> Tensor:
    """`lgamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def gather(x: Tensor, index: Tensor, axis: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The slices of x along `axis` (None: 0) that `index` names, in the dtype of x."""

def gcd(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The greatest common divisor of integers."""

def gcd_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`gcd` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def ge(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x >= y, element by element."""

def ger(x: Tensor, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Every element of x times every element of y: [n] and [m] give [n, m]; other shapes are flattened, dtypes are promoted."""

get_autocast_cpu_dtype = _get_autocast_dtype

get_default_device = _get_device

def greater(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x > y, element by element."""

def greater_equal(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x >= y, element by element."""

def greater_equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`greater_equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def greater_than(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x > y, element by element."""

def greater_than_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`greater_than` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def gt(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x > y, element by element."""

half: DType

def hypot(x: Any, y: Any, name: str | None = None) -> Tensor:
    """sqrt(x * x + y * y) of real numbers, without overflow."""

def hypot_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`hypot` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def index_add(x: Tensor, index: Tensor, axis: builtins.int, value: Tensor, alpha: Any = 1, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x with the slices of `value`, times `alpha`, added to its slices along `axis` that the integer vector `index` names."""

def index_add_(x: Tensor, index: Tensor, axis: builtins.int, value: Tensor, alpha: Any = 1, name: str | None = None) -> Tensor:
    """`index_add` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def index_fill_(x: Tensor, index: Tensor, axis: builtins.int, value: Any, name: str | None = None) -> Tensor:
    """`index_fill` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def index_put_(x: Tensor, indices: Any, value: Tensor, accumulate: builtins.bool = False, name: str | None = None) -> Tensor:
    """`index_put` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def index_select(x: Tensor, index: Tensor, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The slices of x along `axis` that the integer vector `index` names, in the dtype of x: as long there as the vector."""

inf: builtins.float

int: DType

int16: DType

int32: DType

int64: DType

int8: DType

inverse = _inv

is_compiled_with_cinn = _is_compiled_with_cuda

is_compiled_with_distribute = _is_compiled_with_cuda

is_compiled_with_ipu = _is_compiled_with_cuda

is_compiled_with_rocm = _is_compiled_with_cuda

is_compiled_with_xpu = _is_compiled_with_cuda

def isfinite(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x is neither infinite nor nan, element by element."""

def isinf(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x is infinite, element by element."""

def isnan(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x is nan, element by element."""

def lcm(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The least common multiple of integers."""

def lcm_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`lcm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def ldexp_(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """`ldexp` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def le(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x <= y, element by element."""

def lerp_(x: Tensor, y: Tensor, weight: Any, name: str | None = None) -> Tensor:
    """`lerp` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def less(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x < y, element by element."""

def less_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`less_than` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def less_equal(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x <= y, element by element."""

def less_equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`less_equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def less_than(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x < y, element by element."""

def less_than_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`less_than` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def lgamma(x: Tensor, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function. Element by element."""

def lgamma_(x: Tensor, name: str | None = None) -> Tensor:
    """`lgamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def log(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The natural logarithm. Element by element."""

def log10(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm to base 10. Element by element."""

def log10_(x: Tensor, name: str | None = None) -> Tensor:
    """`log10` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def log1p(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """log(1 + x), exact near 0. Element by element."""

def log1p_(x: Tensor, name: str | None = None) -> Tensor:
    """`log1p` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def log2(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The logarithm to base 2. Element by element."""

def log2_(x: Tensor, name: str | None = None) -> Tensor:
    """`log2` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def log_(x: Tensor, name: str | None = None) -> Tensor:
    """`log` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def logaddexp(x: Any, y: Any, name: str | None = None) -> Tensor:
    """log(exp(x) + exp(y)) of real numbers, without overflow."""

def logical_and(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether both x and y are true (not 0), element by element."""

def logical_and_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`logical_and` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def logical_not(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether x is false (0), element by element."""

def logical_not_(x: Tensor, name: str | None = None) -> Tensor:
    """`logical_not` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def logical_or(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether x or y is true (not 0), element by element."""

def logical_or_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`logical_or` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def logical_xor(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Whether just one of x and y is true (not 0), element by element."""

def logical_xor_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`logical_xor` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def logit_(x: Tensor, eps: builtins.float | None = None, name: str | None = None) -> Tensor:
    """`logit` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def logsumexp(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """log(sum(exp(x))) over `axis`, without overflow, in the dtype of x; integers are cast to the default dtype."""

long: DType

def lt(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x < y, element by element."""

manual_seed = _seed

def masked_fill_(x: Tensor, mask: Tensor, value: Any, name: str | None = None) -> Tensor:
    """`masked_fill` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def masked_scatter_(x: Tensor, mask: Tensor, value: Tensor, name: str | None = None) -> Tensor:
    """`masked_scatter` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def masked_select(x: Tensor, mask: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The elements of x where the bool tensor `mask` (expanded to the shape of x) holds, as a vector in the dtype of x."""

def matmul(x: Tensor, y: Tensor, transpose_x: builtins.bool = False, transpose_y: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product of matrices, or of stacks of them: [..., n, k] and [..., k, m] give [..., n, m]; the other axes broadcast."""

def max(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
    """The largest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

def maximum(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The larger of x and y, element by element; nan where either is nan."""

def median(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, mode: str = 'avg', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """The middle value along `axis`, of all elements where None; nan where there is a nan. Of two middle values the mean."""

def min(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, name: str | None = None) -> Tensor:
    """The smallest value over `axis`, in the dtype of x. The elements equal to it share the gradient evenly."""

def minimum(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The smaller of x and y, element by element; nan where either is nan."""

def mod(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x % y, element by element, with the sign of y; not of complex numbers."""

def mod_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x % y in place. Writes into x, whose shape and dtype stay, and returns it."""

def msort(input: Tensor, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The values of `input` in order along the first axis: a tensor of its shape and dtype."""

def mul(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x * y, element by element."""

def mul_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x * y in place. Writes into x, whose shape and dtype stay, and returns it."""

def multigammaln_(x: Tensor, p: builtins.int, name: str | None = None) -> Tensor:
    """`multigammaln` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def multinomial(x: Tensor, num_samples: builtins.int = 1, replacement: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """`num_samples` places of the vector x [n], or of each row of a matrix [m, n], drawn in proportion to the weights there."""

def multiply(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x * y, element by element."""

def multiply_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x * y in place. Writes into x, whose shape and dtype stay, and returns it."""

nan: builtins.float

def nan_to_num_(x: Tensor, nan: builtins.float = 0.0, posinf: builtins.float | None = None, neginf: builtins.float | None = None, name: str | None = None) -> Tensor:
    """`nan_to_num` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def ne(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x != y, element by element."""

def neg(x: Tensor, name: str | None = None) -> Tensor:
    """-x. Element by element."""

def neg_(x: Tensor, name: str | None = None) -> Tensor:
    """`neg` in place: writes into x, whose shape and dtype stay, and returns it."""

def negative(x: Tensor, name: str | None = None) -> Tensor:
    """-x. Element by element."""

newaxis: None

def nextafter(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The next real number after x on the way to y."""

def nonzero(x: Tensor, as_tuple: builtins.bool = False, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """int64 [n, rank]: where the n nonzero elements of x, of any dtype, are; with `as_tuple`, one vector [n] for each axis."""

def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """A tensor [*shape] of normally distributed numbers, [1] where None, in the default dtype."""

def not_equal(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x != y, element by element."""

def not_equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`not_equal` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def outer(x: Tensor, y: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """Every element of x times every element of y: [n] and [m] give [n, m]; other shapes are flattened, dtypes are promoted."""

pi: builtins.float

def polar(abs: Tensor, angle: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The complex numbers with the distance `abs` from 0, in the direction `angle` (radians), two tensors of floats."""

def polygamma_(x: Tensor, n: builtins.int, name: str | None = None) -> Tensor:
    """`polygamma` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def pow(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x to the power y, element by element."""

def pow_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x to the power y in place. Writes into x, whose shape and dtype stay, and returns it."""

def prod(x: Tensor, axis: Any = None, keepdim: builtins.bool = False, dtype: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The product over `axis`, in the dtype of x, or `dtype`; of integers and bools int64. Arguments as in `sum`."""

def put_along_axis_(arr: Tensor, indices: Tensor, values: Any, axis: builtins.int, reduce: str = 'assign', include_self: builtins.bool = True, broadcast: builtins.bool = True) -> Tensor:
    """`put_along_axis` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def quantile(x: Tensor, q: Any, axis: Any = None, keepdim: builtins.bool = False, interpolation: str = 'linear', name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The value below which the part `q` of the values along `axis` lies; nan where there is a nan."""

def reciprocal(x: Tensor, name: str | None = None) -> Tensor:
    """1 / x. Element by element."""

def reciprocal_(x: Tensor, name: str | None = None) -> Tensor:
    """`reciprocal` in place: writes into x, whose shape and dtype stay, and returns it."""

def remainder(x: Any, y: Any, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x % y, element by element, with the sign of y; not of complex numbers."""

def remainder_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x % y in place. Writes into x, whose shape and dtype stay, and returns it."""

def renorm_(x: Tensor, p: builtins.float, axis: builtins.int, max_norm: builtins.float) -> Tensor:
    """`renorm` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def reshape_(x: Tensor, shape: Any, name: str | None = None) -> Tensor:
    """`reshape` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

def round(x: Tensor, decimals: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x, of any shape, rounded to `decimals` places, halves to even; the result has the shape and dtype of x."""

row_stack = _vstack

def rsqrt(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """1 / sqrt(x). Element by element."""

def rsqrt_(x: Tensor, name: str | None = None) -> Tensor:
    """`rsqrt` in place: writes into x, whose shape and dtype stay, and returns it."""

def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: builtins.bool = True, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x with the rows that `index` (integers [n]) names replaced by those of `updates` [n, ...]; in the shape and dtype of x."""

def scatter_(x: Tensor, index: Tensor, updates: Tensor, overwrite: builtins.bool = True, name: str | None = None) -> Tensor:
    """`scatter` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def scatter_add_(input: Tensor, dim: builtins.int, index: Tensor, src: Tensor) -> Tensor:
    """`scatter_add` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

set_default_device = _set_device

short: DType

def sigmoid(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """1 / (1 + exp(-x)). Element by element."""

def sigmoid_(x: Tensor, name: str | None = None) -> Tensor:
    """`sigmoid` in place: writes into x, whose shape and dtype stay, and returns it."""

def sign(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """-1, 0 or 1. Element by element."""

def signbit(x: Tensor, name: str | None = None) -> Tensor:
    """Whether x is negative, -0.0 included. Element by element."""

def sin(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sine, x in radians. Element by element."""

def sin_(x: Tensor, name: str | None = None) -> Tensor:
    """`sin` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def sinc_(x: Tensor, name: str | None = None) -> Tensor:
    """`sinc` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def sinh(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic sine. Element by element."""

def sinh_(x: Tensor, name: str | None = None) -> Tensor:
    """`sinh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def sqrt(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The square root. Element by element."""

def sqrt_(x: Tensor, name: str | None = None) -> Tensor:
    """`sqrt` in place: writes into x, whose shape and dtype stay, and returns it."""

def square(x: Tensor, name: str | None = None) -> Tensor:
    """x * x. Element by element."""

def square_(x: Tensor, name: str | None = None) -> Tensor:
    """`square` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def squeeze_(x: Tensor, axis: Any = None, name: str | None = None) -> Tensor:
    """`squeeze` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

def stack(x: Any, axis: builtins.int = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The tensors of the list `x`, all of one shape, along a new axis at the place `axis` of the result; dtypes are promoted."""

standard_normal = _randn

def sub(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x - alpha * y, element by element."""

def sub_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x - y in place. Writes into x, whose shape and dtype stay, and returns it."""

def subtract(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x - alpha * y, element by element."""

def subtract_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """x - y in place. Writes into x, whose shape and dtype stay, and returns it."""

def sum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: builtins.bool = False, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The sum over `axis`, in the dtype of x, or `dtype`; of integers and bools int64."""

def t_(input: Tensor, name: str | None = None) -> Tensor:
    """`t` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

def take_along_axis(arr: Tensor, indices: Tensor, axis: builtins.int, broadcast: builtins.bool = True, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """One element of `arr` for each index along `axis`: a tensor of the shape of `indices`, in the dtype of arr."""

def tan(x: Tensor, name: str | None = None) -> Tensor:
    """The tangent, x in radians. Element by element."""

def tan_(x: Tensor, name: str | None = None) -> Tensor:
    """`tan` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def tanh(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic tangent. Element by element."""

def tanh_(x: Tensor, name: str | None = None) -> Tensor:
    """`tanh` in place: writes into x, whose shape and dtype stay, and returns it."""

def topk(x: Tensor, k: builtins.int | Tensor, axis: builtins.int | None = None, largest: builtins.bool = True, sorted: builtins.bool = True, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> tuple[Tensor, Tensor]:
    """The k largest (where not `largest`, smallest) values along `axis` (the last where None), in order, and their indices."""

def transpose_(x: Tensor, perm: Any, name: str | None = None) -> Tensor:
    """`transpose` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

def tril(x: Tensor, diagonal: Any = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The lower triangle of the matrices x [..., n, m], up to `diagonal` (0 the main one, 1 above it); zeros elsewhere."""

def tril_(x: Tensor, diagonal: Any = 0, name: str | None = None) -> Tensor:
    """`tril` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def triu(x: Tensor, diagonal: Any = 0, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The upper triangle of the matrices x [..., n, m], from `diagonal` (0 the main one, 1 above it) on; zeros elsewhere."""

def triu_(x: Tensor, diagonal: Any = 0, name: str | None = None) -> Tensor:
    """`triu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def true_divide(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x / y, element by element; integers give the default floating dtype. Shapes broadcast; dtypes are promoted."""

def trunc(x: Tensor, name: str | None = None) -> Tensor:
    """x without its fraction. x has any shape; the result has its shape and dtype. Integers and bools stay. DTypeError: complex x."""

def trunc_(x: Tensor, name: str | None = None) -> Tensor:
    """`trunc` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

uint8: DType

def unsqueeze_(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """`unsqueeze` in place: the tensor, which is returned, gets the other shape and keeps its memory and history."""

view_as = _reshape_as

def where(condition: Tensor, x: Any = None, y: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Any:
    """x where `condition` (bool) holds, y elsewhere; shapes broadcast, dtypes are promoted. With `condition` alone, as `nonzero`."""

__version__: str

def tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: builtins.bool = False, pin_memory: builtins.bool = False) -> Tensor:
    """A new Tensor of the shape and with the values of `data`, as `to_tensor` makes it, spelt as in PyTorch."""
