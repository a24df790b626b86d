"""The functions behind the layers, under Paddle's names."""

from .activation import *  # noqa: F403
from .common import *  # noqa: F403
from .conv import *  # noqa: F403
from .loss import *  # noqa: F403
from .norm import *  # noqa: F403
from .pooling import *  # noqa: F403
