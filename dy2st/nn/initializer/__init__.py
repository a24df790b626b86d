"""How parameters start, under Paddle's names."""

from .distributions import (  # noqa: F401
    Assign,
    Constant,
    Initializer,
    KaimingNormal,
    KaimingUniform,
    Normal,
    TruncatedNormal,
    Uniform,
    XavierNormal,
    XavierUniform,
    calculate_gain,
    fans,
)
from .everywhere import set_global_initializer  # noqa: F401
from .patterns import Bilinear, Dirac, Orthogonal  # noqa: F401
