# ruff: noqa: F401
"""The names that `dy2st.nn` offers, and at the end those of PyTorch's that Paddle has beside its own."""


from . import functional, initializer, settings, utils
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from .containers import LayerDict, LayerList, ParameterDict, ParameterList, Sequential
from .layer import Layer
from .layers.activation import (
    ELU,
    GELU,
    Hardsigmoid,
    Hardswish,
    LeakyReLU,
    LogSoftmax,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Silu,
    Softmax,
    Softplus,
    Swish,
    Tanh,
)
from .layers.adaptive_pooling import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveAvgPool3D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
)
from .layers.attention import MultiHeadAttention
from .layers.cells import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from .layers.common import AlphaDropout, Dropout, Dropout2D, Dropout3D, Embedding, FeatureAlphaDropout
from .layers.conv import Conv1D, Conv1DTranspose, Conv2D, Conv2DTranspose, Conv3D
from .layers.curves import (
    CELU,
    SELU,
    Hardshrink,
    Hardtanh,
    LogSigmoid,
    Mish,
    Softshrink,
    Softsign,
    Tanhshrink,
    ThresholdedReLU,
)
from .layers.gates import GLU, Maxout, PReLU, RReLU, Softmax2D
from .layers.group_norms import (
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    InstanceNorm3D,
    LocalResponseNorm,
    SpectralNorm,
)
from .layers.linear import Bilinear, Flatten, Identity, Linear, Unflatten
from .layers.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from .layers.loss_likelihood import CTCLoss, GaussianNLLLoss, KLDivLoss, PoissonNLLLoss
from .layers.loss_margin import (
    CosineEmbeddingLoss,
    CosineSimilarity,
    HingeEmbeddingLoss,
    MarginRankingLoss,
    MultiLabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    PairwiseDistance,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from .layers.norm import BatchNorm, BatchNorm1D, BatchNorm2D, BatchNorm3D, LayerNorm, SyncBatchNorm
from .layers.padding import (
    CircularPad1D,
    CircularPad2D,
    CircularPad3D,
    ConstantPad1D,
    ConstantPad2D,
    ConstantPad3D,
    Pad1D,
    Pad2D,
    Pad3D,
    ReflectionPad1D,
    ReflectionPad2D,
    ReflectionPad3D,
    ReplicationPad1D,
    ReplicationPad2D,
    ReplicationPad3D,
    ZeroPad1D,
    ZeroPad2D,
    ZeroPad3D,
)
from .layers.pooling import (
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    LPPool1D,
    LPPool2D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    MaxUnPool1D,
    MaxUnPool2D,
)
from .layers.recurrent import GRU, LSTM, RNN, BiRNN, SimpleRNN
from .layers.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from .layers.vision import (
    ChannelShuffle,
    Fold,
    PixelShuffle,
    PixelUnshuffle,
    Unfold,
    Upsample,
    UpsamplingBilinear2D,
    UpsamplingNearest2D,
)
from .parameter import ParamAttr, Parameter

Module, ModuleList, ModuleDict = Layer, LayerList, LayerDict
Conv1d, Conv2d, Conv3d = Conv1D, Conv2D, Conv3D
AdaptiveMaxPool1d, AdaptiveMaxPool2d, LPPool1d, LPPool2d = AdaptiveMaxPool1D, AdaptiveMaxPool2D, LPPool1D, LPPool2D
CircularPad1d, CircularPad2d, CircularPad3d = CircularPad1D, CircularPad2D, CircularPad3D
ConstantPad1d, ConstantPad2d, ConstantPad3d = ConstantPad1D, ConstantPad2D, ConstantPad3D
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = ReflectionPad1D, ReflectionPad2D, ReflectionPad3D
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = ReplicationPad1D, ReplicationPad2D, ReplicationPad3D
