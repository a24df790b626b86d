"""Layers, containers, initializers and functions of neural networks, under Paddle's names."""

from . import functional, initializer, settings, utils  # noqa: F401
from .clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue  # noqa: F401
from .containers import LayerDict, LayerList, ParameterDict, ParameterList, Sequential  # noqa: F401
from .layer import Layer  # noqa: F401
from .layers.activation import (  # noqa: F401
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
from .layers.adaptive_pooling import (  # noqa: F401
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveAvgPool3D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
)
from .layers.attention import MultiHeadAttention  # noqa: F401
from .layers.cells import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell  # noqa: F401
from .layers.common import AlphaDropout, Dropout, Dropout2D, Dropout3D, Embedding, FeatureAlphaDropout  # noqa: F401
from .layers.conv import Conv1D, Conv1DTranspose, Conv2D, Conv2DTranspose, Conv3D  # noqa: F401
from .layers.curves import (  # noqa: F401
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
from .layers.gates import GLU, Maxout, PReLU, RReLU, Softmax2D  # noqa: F401
from .layers.group_norms import (  # noqa: F401
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    InstanceNorm3D,
    LocalResponseNorm,
    SpectralNorm,
)
from .layers.linear import Bilinear, Flatten, Identity, Linear, Unflatten  # noqa: F401
from .layers.loss import (  # noqa: F401
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from .layers.loss_likelihood import CTCLoss, GaussianNLLLoss, KLDivLoss, PoissonNLLLoss  # noqa: F401
from .layers.loss_margin import (  # noqa: F401
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
from .layers.norm import BatchNorm, BatchNorm1D, BatchNorm2D, BatchNorm3D, LayerNorm, SyncBatchNorm  # noqa: F401
from .layers.padding import (  # noqa: F401
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
from .layers.pooling import (  # noqa: F401
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
from .layers.recurrent import GRU, LSTM, RNN, BiRNN, SimpleRNN  # noqa: F401
from .layers.transformer import (  # noqa: F401
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from .layers.vision import (  # noqa: F401
    ChannelShuffle,
    Fold,
    PixelShuffle,
    PixelUnshuffle,
    Unfold,
    Upsample,
    UpsamplingBilinear2D,
    UpsamplingNearest2D,
)
from .other_names import *  # noqa: F403
from .parameter import ParamAttr, Parameter  # noqa: F401
from .paths import offer as _offer_paths

_offer_paths()
