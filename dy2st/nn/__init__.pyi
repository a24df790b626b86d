"""The names of dy2st.nn. Written by `python tests/support/stubs.py`."""

from dy2st.nn import before as before
from dy2st.nn import call_types as call_types
from dy2st.nn import clip as clip
from dy2st.nn import containers as containers
from dy2st.nn import functional as functional
from dy2st.nn import hooks as hooks
from dy2st.nn import initializer as initializer
from dy2st.nn import layer as layer
from dy2st.nn import layer_names as layer_names
from dy2st.nn import layers as layers
from dy2st.nn import names as names
from dy2st.nn import parameter as parameter
from dy2st.nn import paths as paths
from dy2st.nn import settings as settings
from dy2st.nn import summary as summary
from dy2st.nn import tree as tree
from dy2st.nn import utils as utils
from dy2st.nn.clip import ClipGradByGlobalNorm as ClipGradByGlobalNorm
from dy2st.nn.clip import ClipGradByNorm as ClipGradByNorm
from dy2st.nn.clip import ClipGradByValue as ClipGradByValue
from dy2st.nn.containers import LayerDict as LayerDict
from dy2st.nn.containers import LayerDict as _LayerDict
from dy2st.nn.containers import LayerList as LayerList
from dy2st.nn.containers import LayerList as _LayerList
from dy2st.nn.containers import ParameterDict as ParameterDict
from dy2st.nn.containers import ParameterList as ParameterList
from dy2st.nn.containers import Sequential as Sequential
from dy2st.nn.layer import Layer as Layer
from dy2st.nn.layer import Layer as _Layer
from dy2st.nn.layers.activation import ELU as ELU
from dy2st.nn.layers.activation import GELU as GELU
from dy2st.nn.layers.activation import Hardsigmoid as Hardsigmoid
from dy2st.nn.layers.activation import Hardswish as Hardswish
from dy2st.nn.layers.activation import LeakyReLU as LeakyReLU
from dy2st.nn.layers.activation import LogSoftmax as LogSoftmax
from dy2st.nn.layers.activation import ReLU as ReLU
from dy2st.nn.layers.activation import ReLU6 as ReLU6
from dy2st.nn.layers.activation import Sigmoid as Sigmoid
from dy2st.nn.layers.activation import Silu as Silu
from dy2st.nn.layers.activation import Silu as _Silu
from dy2st.nn.layers.activation import Softmax as Softmax
from dy2st.nn.layers.activation import Softplus as Softplus
from dy2st.nn.layers.activation import Swish as Swish
from dy2st.nn.layers.activation import Tanh as Tanh
from dy2st.nn.layers.adaptive_pooling import AdaptiveAvgPool1D as AdaptiveAvgPool1D
from dy2st.nn.layers.adaptive_pooling import AdaptiveAvgPool2D as AdaptiveAvgPool2D
from dy2st.nn.layers.adaptive_pooling import AdaptiveAvgPool3D as AdaptiveAvgPool3D
from dy2st.nn.layers.adaptive_pooling import AdaptiveMaxPool1D as AdaptiveMaxPool1D
from dy2st.nn.layers.adaptive_pooling import AdaptiveMaxPool1D as _AdaptiveMaxPool1D
from dy2st.nn.layers.adaptive_pooling import AdaptiveMaxPool2D as AdaptiveMaxPool2D
from dy2st.nn.layers.adaptive_pooling import AdaptiveMaxPool2D as _AdaptiveMaxPool2D
from dy2st.nn.layers.attention import MultiHeadAttention as MultiHeadAttention
from dy2st.nn.layers.cells import GRUCell as GRUCell
from dy2st.nn.layers.cells import LSTMCell as LSTMCell
from dy2st.nn.layers.cells import RNNCellBase as RNNCellBase
from dy2st.nn.layers.cells import SimpleRNNCell as SimpleRNNCell
from dy2st.nn.layers.common import AlphaDropout as AlphaDropout
from dy2st.nn.layers.common import Dropout as Dropout
from dy2st.nn.layers.common import Dropout2D as Dropout2D
from dy2st.nn.layers.common import Dropout3D as Dropout3D
from dy2st.nn.layers.common import Embedding as Embedding
from dy2st.nn.layers.common import FeatureAlphaDropout as FeatureAlphaDropout
from dy2st.nn.layers.conv import Conv1D as Conv1D
from dy2st.nn.layers.conv import Conv1D as _Conv1D
from dy2st.nn.layers.conv import Conv1DTranspose as Conv1DTranspose
from dy2st.nn.layers.conv import Conv2D as Conv2D
from dy2st.nn.layers.conv import Conv2D as _Conv2D
from dy2st.nn.layers.conv import Conv2DTranspose as Conv2DTranspose
from dy2st.nn.layers.conv import Conv3D as Conv3D
from dy2st.nn.layers.conv import Conv3D as _Conv3D
from dy2st.nn.layers.curves import CELU as CELU
from dy2st.nn.layers.curves import Hardshrink as Hardshrink
from dy2st.nn.layers.curves import Hardtanh as Hardtanh
from dy2st.nn.layers.curves import LogSigmoid as LogSigmoid
from dy2st.nn.layers.curves import Mish as Mish
from dy2st.nn.layers.curves import SELU as SELU
from dy2st.nn.layers.curves import Softshrink as Softshrink
from dy2st.nn.layers.curves import Softsign as Softsign
from dy2st.nn.layers.curves import Tanhshrink as Tanhshrink
from dy2st.nn.layers.curves import ThresholdedReLU as ThresholdedReLU
from dy2st.nn.layers.gates import GLU as GLU
from dy2st.nn.layers.gates import Maxout as Maxout
from dy2st.nn.layers.gates import PReLU as PReLU
from dy2st.nn.layers.gates import RReLU as RReLU
from dy2st.nn.layers.gates import Softmax2D as Softmax2D
from dy2st.nn.layers.group_norms import GroupNorm as GroupNorm
from dy2st.nn.layers.group_norms import InstanceNorm1D as InstanceNorm1D
from dy2st.nn.layers.group_norms import InstanceNorm2D as InstanceNorm2D
from dy2st.nn.layers.group_norms import InstanceNorm3D as InstanceNorm3D
from dy2st.nn.layers.group_norms import LocalResponseNorm as LocalResponseNorm
from dy2st.nn.layers.group_norms import SpectralNorm as SpectralNorm
from dy2st.nn.layers.linear import Bilinear as Bilinear
from dy2st.nn.layers.linear import Flatten as Flatten
from dy2st.nn.layers.linear import Identity as Identity
from dy2st.nn.layers.linear import Linear as Linear
from dy2st.nn.layers.linear import Unflatten as Unflatten
from dy2st.nn.layers.loss import BCELoss as BCELoss
from dy2st.nn.layers.loss import BCEWithLogitsLoss as BCEWithLogitsLoss
from dy2st.nn.layers.loss import CrossEntropyLoss as CrossEntropyLoss
from dy2st.nn.layers.loss import L1Loss as L1Loss
from dy2st.nn.layers.loss import MSELoss as MSELoss
from dy2st.nn.layers.loss import NLLLoss as NLLLoss
from dy2st.nn.layers.loss import SmoothL1Loss as SmoothL1Loss
from dy2st.nn.layers.loss_likelihood import CTCLoss as CTCLoss
from dy2st.nn.layers.loss_likelihood import GaussianNLLLoss as GaussianNLLLoss
from dy2st.nn.layers.loss_likelihood import KLDivLoss as KLDivLoss
from dy2st.nn.layers.loss_likelihood import PoissonNLLLoss as PoissonNLLLoss
from dy2st.nn.layers.loss_margin import CosineEmbeddingLoss as CosineEmbeddingLoss
from dy2st.nn.layers.loss_margin import CosineSimilarity as CosineSimilarity
from dy2st.nn.layers.loss_margin import HingeEmbeddingLoss as HingeEmbeddingLoss
from dy2st.nn.layers.loss_margin import MarginRankingLoss as MarginRankingLoss
from dy2st.nn.layers.loss_margin import MultiLabelMarginLoss as MultiLabelMarginLoss
from dy2st.nn.layers.loss_margin import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from dy2st.nn.layers.loss_margin import MultiMarginLoss as MultiMarginLoss
from dy2st.nn.layers.loss_margin import PairwiseDistance as PairwiseDistance
from dy2st.nn.layers.loss_margin import SoftMarginLoss as SoftMarginLoss
from dy2st.nn.layers.loss_margin import TripletMarginLoss as TripletMarginLoss
from dy2st.nn.layers.loss_margin import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from dy2st.nn.layers.norm import BatchNorm as BatchNorm
from dy2st.nn.layers.norm import BatchNorm1D as BatchNorm1D
from dy2st.nn.layers.norm import BatchNorm2D as BatchNorm2D
from dy2st.nn.layers.norm import BatchNorm3D as BatchNorm3D
from dy2st.nn.layers.norm import LayerNorm as LayerNorm
from dy2st.nn.layers.norm import SyncBatchNorm as SyncBatchNorm
from dy2st.nn.layers.padding import CircularPad1D as CircularPad1D
from dy2st.nn.layers.padding import CircularPad1D as _CircularPad1D
from dy2st.nn.layers.padding import CircularPad2D as CircularPad2D
from dy2st.nn.layers.padding import CircularPad2D as _CircularPad2D
from dy2st.nn.layers.padding import CircularPad3D as CircularPad3D
from dy2st.nn.layers.padding import CircularPad3D as _CircularPad3D
from dy2st.nn.layers.padding import ConstantPad1D as ConstantPad1D
from dy2st.nn.layers.padding import ConstantPad1D as _ConstantPad1D
from dy2st.nn.layers.padding import ConstantPad2D as ConstantPad2D
from dy2st.nn.layers.padding import ConstantPad2D as _ConstantPad2D
from dy2st.nn.layers.padding import ConstantPad3D as ConstantPad3D
from dy2st.nn.layers.padding import ConstantPad3D as _ConstantPad3D
from dy2st.nn.layers.padding import Pad1D as Pad1D
from dy2st.nn.layers.padding import Pad2D as Pad2D
from dy2st.nn.layers.padding import Pad3D as Pad3D
from dy2st.nn.layers.padding import ReflectionPad1D as ReflectionPad1D
from dy2st.nn.layers.padding import ReflectionPad1D as _ReflectionPad1D
from dy2st.nn.layers.padding import ReflectionPad2D as ReflectionPad2D
from dy2st.nn.layers.padding import ReflectionPad2D as _ReflectionPad2D
from dy2st.nn.layers.padding import ReflectionPad3D as ReflectionPad3D
from dy2st.nn.layers.padding import ReflectionPad3D as _ReflectionPad3D
from dy2st.nn.layers.padding import ReplicationPad1D as ReplicationPad1D
from dy2st.nn.layers.padding import ReplicationPad1D as _ReplicationPad1D
from dy2st.nn.layers.padding import ReplicationPad2D as ReplicationPad2D
from dy2st.nn.layers.padding import ReplicationPad2D as _ReplicationPad2D
from dy2st.nn.layers.padding import ReplicationPad3D as ReplicationPad3D
from dy2st.nn.layers.padding import ReplicationPad3D as _ReplicationPad3D
from dy2st.nn.layers.padding import ZeroPad1D as ZeroPad1D
from dy2st.nn.layers.padding import ZeroPad2D as ZeroPad2D
from dy2st.nn.layers.padding import ZeroPad3D as ZeroPad3D
from dy2st.nn.layers.pooling import AvgPool1D as AvgPool1D
from dy2st.nn.layers.pooling import AvgPool2D as AvgPool2D
from dy2st.nn.layers.pooling import AvgPool3D as AvgPool3D
from dy2st.nn.layers.pooling import LPPool1D as LPPool1D
from dy2st.nn.layers.pooling import LPPool1D as _LPPool1D
from dy2st.nn.layers.pooling import LPPool2D as LPPool2D
from dy2st.nn.layers.pooling import LPPool2D as _LPPool2D
from dy2st.nn.layers.pooling import MaxPool1D as MaxPool1D
from dy2st.nn.layers.pooling import MaxPool2D as MaxPool2D
from dy2st.nn.layers.pooling import MaxPool3D as MaxPool3D
from dy2st.nn.layers.pooling import MaxUnPool1D as MaxUnPool1D
from dy2st.nn.layers.pooling import MaxUnPool2D as MaxUnPool2D
from dy2st.nn.layers.recurrent import BiRNN as BiRNN
from dy2st.nn.layers.recurrent import GRU as GRU
from dy2st.nn.layers.recurrent import LSTM as LSTM
from dy2st.nn.layers.recurrent import RNN as RNN
from dy2st.nn.layers.recurrent import SimpleRNN as SimpleRNN
from dy2st.nn.layers.transformer import Transformer as Transformer
from dy2st.nn.layers.transformer import TransformerDecoder as TransformerDecoder
from dy2st.nn.layers.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from dy2st.nn.layers.transformer import TransformerEncoder as TransformerEncoder
from dy2st.nn.layers.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from dy2st.nn.layers.vision import ChannelShuffle as ChannelShuffle
from dy2st.nn.layers.vision import Fold as Fold
from dy2st.nn.layers.vision import PixelShuffle as PixelShuffle
from dy2st.nn.layers.vision import PixelUnshuffle as PixelUnshuffle
from dy2st.nn.layers.vision import Unfold as Unfold
from dy2st.nn.layers.vision import Upsample as Upsample
from dy2st.nn.layers.vision import UpsamplingBilinear2D as UpsamplingBilinear2D
from dy2st.nn.layers.vision import UpsamplingNearest2D as UpsamplingNearest2D
from dy2st.nn.parameter import ParamAttr as ParamAttr
from dy2st.nn.parameter import Parameter as Parameter

AdaptiveMaxPool1d = _AdaptiveMaxPool1D

AdaptiveMaxPool2d = _AdaptiveMaxPool2D

CircularPad1d = _CircularPad1D

CircularPad2d = _CircularPad2D

CircularPad3d = _CircularPad3D

ConstantPad1d = _ConstantPad1D

ConstantPad2d = _ConstantPad2D

ConstantPad3d = _ConstantPad3D

Conv1d = _Conv1D

Conv2d = _Conv2D

Conv3d = _Conv3D

LPPool1d = _LPPool1D

LPPool2d = _LPPool2D

Module = _Layer

ModuleDict = _LayerDict

ModuleList = _LayerList

ReflectionPad1d = _ReflectionPad1D

ReflectionPad2d = _ReflectionPad2D

ReflectionPad3d = _ReflectionPad3D

ReplicationPad1d = _ReplicationPad1D

ReplicationPad2d = _ReplicationPad2D

ReplicationPad3d = _ReplicationPad3D

SiLU = _Silu
