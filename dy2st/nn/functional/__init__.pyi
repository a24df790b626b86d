"""The names of dy2st.nn.functional. Written by `python tests/support/stubs.py`."""

from dy2st.api.creation import one_hot as one_hot
from dy2st.api.manipulation import flatten as flatten
from dy2st.nn.functional import activation as activation
from dy2st.nn.functional import attention as attention
from dy2st.nn.functional import common as common
from dy2st.nn.functional import conv as conv
from dy2st.nn.functional import conv_transpose as conv_transpose
from dy2st.nn.functional import curves as curves
from dy2st.nn.functional import distance as distance
from dy2st.nn.functional import gates as gates
from dy2st.nn.functional import grids as grids
from dy2st.nn.functional import group_norms as group_norms
from dy2st.nn.functional import lengths as lengths
from dy2st.nn.functional import loss as loss
from dy2st.nn.functional import loss_ctc as loss_ctc
from dy2st.nn.functional import loss_likelihood as loss_likelihood
from dy2st.nn.functional import loss_margin as loss_margin
from dy2st.nn.functional import norm as norm
from dy2st.nn.functional import pooling as pooling
from dy2st.nn.functional import pooling_lines as pooling_lines
from dy2st.nn.functional import pooling_max as pooling_max
from dy2st.nn.functional import resize as resize
from dy2st.nn.functional import sequences as sequences
from dy2st.nn.functional import shuffles as shuffles
from dy2st.nn.functional import windows as windows
from dy2st.nn.functional.activation import elu as elu
from dy2st.nn.functional.activation import gelu as gelu
from dy2st.nn.functional.activation import hardsigmoid as hardsigmoid
from dy2st.nn.functional.activation import hardswish as hardswish
from dy2st.nn.functional.activation import leaky_relu as leaky_relu
from dy2st.nn.functional.activation import log_softmax as log_softmax
from dy2st.nn.functional.activation import relu as relu
from dy2st.nn.functional.activation import relu6 as relu6
from dy2st.nn.functional.activation import relu_ as relu_
from dy2st.nn.functional.activation import silu as silu
from dy2st.nn.functional.activation import softplus as softplus
from dy2st.nn.functional.activation import swish as swish
from dy2st.nn.functional.attention import scaled_dot_product_attention as scaled_dot_product_attention
from dy2st.nn.functional.common import alpha_dropout as alpha_dropout
from dy2st.nn.functional.common import bilinear as bilinear
from dy2st.nn.functional.common import dropout as dropout
from dy2st.nn.functional.common import dropout1d as dropout1d
from dy2st.nn.functional.common import dropout2d as dropout2d
from dy2st.nn.functional.common import dropout3d as dropout3d
from dy2st.nn.functional.common import embedding as embedding
from dy2st.nn.functional.common import feature_alpha_dropout as feature_alpha_dropout
from dy2st.nn.functional.common import linear as linear
from dy2st.nn.functional.common import pad as pad
from dy2st.nn.functional.common import zeropad2d as zeropad2d
from dy2st.nn.functional.conv import conv1d as conv1d
from dy2st.nn.functional.conv import conv2d as conv2d
from dy2st.nn.functional.conv import conv3d as conv3d
from dy2st.nn.functional.conv_transpose import conv1d_transpose as conv1d_transpose
from dy2st.nn.functional.conv_transpose import conv2d_transpose as conv2d_transpose
from dy2st.nn.functional.curves import celu as celu
from dy2st.nn.functional.curves import hardshrink as hardshrink
from dy2st.nn.functional.curves import hardtanh as hardtanh
from dy2st.nn.functional.curves import log_sigmoid as _log_sigmoid
from dy2st.nn.functional.curves import log_sigmoid as log_sigmoid
from dy2st.nn.functional.curves import mish as mish
from dy2st.nn.functional.curves import selu as selu
from dy2st.nn.functional.curves import softshrink as softshrink
from dy2st.nn.functional.curves import softsign as softsign
from dy2st.nn.functional.curves import tanhshrink as tanhshrink
from dy2st.nn.functional.curves import thresholded_relu as thresholded_relu
from dy2st.nn.functional.distance import cosine_similarity as cosine_similarity
from dy2st.nn.functional.distance import pairwise_distance as pairwise_distance
from dy2st.nn.functional.gates import glu as glu
from dy2st.nn.functional.gates import gumbel_softmax as gumbel_softmax
from dy2st.nn.functional.gates import maxout as maxout
from dy2st.nn.functional.gates import prelu as prelu
from dy2st.nn.functional.gates import rrelu as rrelu
from dy2st.nn.functional.gates import swiglu as swiglu
from dy2st.nn.functional.grids import affine_grid as affine_grid
from dy2st.nn.functional.grids import grid_sample as grid_sample
from dy2st.nn.functional.group_norms import group_norm as group_norm
from dy2st.nn.functional.group_norms import instance_norm as instance_norm
from dy2st.nn.functional.group_norms import local_response_norm as local_response_norm
from dy2st.nn.functional.group_norms import rms_norm as rms_norm
from dy2st.nn.functional.loss import binary_cross_entropy as binary_cross_entropy
from dy2st.nn.functional.loss import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from dy2st.nn.functional.loss import cross_entropy as cross_entropy
from dy2st.nn.functional.loss import kl_div as kl_div
from dy2st.nn.functional.loss import l1_loss as l1_loss
from dy2st.nn.functional.loss import mse_loss as mse_loss
from dy2st.nn.functional.loss import nll_loss as nll_loss
from dy2st.nn.functional.loss import smooth_l1_loss as smooth_l1_loss
from dy2st.nn.functional.loss_ctc import ctc_loss as ctc_loss
from dy2st.nn.functional.loss_likelihood import dice_loss as dice_loss
from dy2st.nn.functional.loss_likelihood import gaussian_nll_loss as gaussian_nll_loss
from dy2st.nn.functional.loss_likelihood import log_loss as log_loss
from dy2st.nn.functional.loss_likelihood import npair_loss as npair_loss
from dy2st.nn.functional.loss_likelihood import poisson_nll_loss as poisson_nll_loss
from dy2st.nn.functional.loss_likelihood import sigmoid_focal_loss as sigmoid_focal_loss
from dy2st.nn.functional.loss_likelihood import softmax_with_cross_entropy as softmax_with_cross_entropy
from dy2st.nn.functional.loss_likelihood import square_error_cost as square_error_cost
from dy2st.nn.functional.loss_margin import cosine_embedding_loss as cosine_embedding_loss
from dy2st.nn.functional.loss_margin import hinge_embedding_loss as hinge_embedding_loss
from dy2st.nn.functional.loss_margin import margin_ranking_loss as margin_ranking_loss
from dy2st.nn.functional.loss_margin import multi_label_margin_loss as multi_label_margin_loss
from dy2st.nn.functional.loss_margin import multi_label_soft_margin_loss as multi_label_soft_margin_loss
from dy2st.nn.functional.loss_margin import multi_margin_loss as multi_margin_loss
from dy2st.nn.functional.loss_margin import soft_margin_loss as soft_margin_loss
from dy2st.nn.functional.loss_margin import triplet_margin_loss as triplet_margin_loss
from dy2st.nn.functional.loss_margin import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
from dy2st.nn.functional.norm import batch_norm as batch_norm
from dy2st.nn.functional.norm import layer_norm as layer_norm
from dy2st.nn.functional.pooling import adaptive_avg_pool2d as adaptive_avg_pool2d
from dy2st.nn.functional.pooling import avg_pool2d as avg_pool2d
from dy2st.nn.functional.pooling import lp_pool2d as lp_pool2d
from dy2st.nn.functional.pooling import max_pool2d as max_pool2d
from dy2st.nn.functional.pooling_lines import adaptive_avg_pool1d as adaptive_avg_pool1d
from dy2st.nn.functional.pooling_lines import adaptive_avg_pool3d as adaptive_avg_pool3d
from dy2st.nn.functional.pooling_lines import avg_pool1d as avg_pool1d
from dy2st.nn.functional.pooling_lines import avg_pool3d as avg_pool3d
from dy2st.nn.functional.pooling_lines import lp_pool1d as lp_pool1d
from dy2st.nn.functional.pooling_lines import max_pool1d as max_pool1d
from dy2st.nn.functional.pooling_lines import max_pool3d as max_pool3d
from dy2st.nn.functional.pooling_max import adaptive_max_pool1d as adaptive_max_pool1d
from dy2st.nn.functional.pooling_max import adaptive_max_pool2d as adaptive_max_pool2d
from dy2st.nn.functional.pooling_max import max_unpool1d as max_unpool1d
from dy2st.nn.functional.pooling_max import max_unpool2d as max_unpool2d
from dy2st.nn.functional.resize import interpolate as interpolate
from dy2st.nn.functional.resize import upsample as upsample
from dy2st.nn.functional.sequences import label_smooth as label_smooth
from dy2st.nn.functional.sequences import sequence_mask as sequence_mask
from dy2st.nn.functional.sequences import temporal_shift as temporal_shift
from dy2st.nn.functional.shuffles import channel_shuffle as channel_shuffle
from dy2st.nn.functional.shuffles import fold as fold
from dy2st.nn.functional.shuffles import pixel_shuffle as pixel_shuffle
from dy2st.nn.functional.shuffles import pixel_unshuffle as pixel_unshuffle
from dy2st.nn.functional.shuffles import unfold as unfold
from dy2st.runtime.tensors.tensor import Tensor
from typing import Any

def elu_(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """`elu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def hardtanh_(x: Tensor, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Tensor:
    """`hardtanh` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def leaky_relu_(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Tensor:
    """`leaky_relu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

logsigmoid = _log_sigmoid

def normalize(x: Tensor, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """x divided by its p-norm along `axis`, or by `epsilon` where that is larger, in the shape and dtype of x."""

def sigmoid(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """1 / (1 + exp(-x)). Element by element."""

def softmax(x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """exp(x) divided by its sum along `axis`, in the shape and dtype of x; integers become the default dtype."""

def softmax_(x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
    """`softmax` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""

def tanh(x: Tensor, name: str | None = None, *, out: Tensor | tuple[Tensor, ...] | None = None) -> Tensor:
    """The hyperbolic tangent. Element by element."""

def tanh_(x: Tensor, name: str | None = None) -> Tensor:
    """`tanh` in place: writes into x, whose shape and dtype stay, and returns it."""

def thresholded_relu_(x: Tensor, threshold: float = 1.0, value: float = 0.0, name: str | None = None) -> Tensor:
    """`thresholded_relu` in place: the result goes into the first tensor, which is returned; the other arguments are the same."""
