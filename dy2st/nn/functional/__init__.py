"""The functions behind the layers, under Paddle's names."""

from ...api.out import give_out as _give_out
from ...runtime.tensors.call_hook import observe_public as _observe_public
from ..paths import FUNCTIONS as _FUNCTIONS
from ..paths import offer as _offer
from .activation import *  # noqa: F403
from .attention import *  # noqa: F403
from .common import *  # noqa: F403
from .conv import *  # noqa: F403
from .conv_transpose import *  # noqa: F403
from .curves import *  # noqa: F403
from .distance import *  # noqa: F403
from .gates import *  # noqa: F403
from .grids import *  # noqa: F403
from .group_norms import *  # noqa: F403
from .loss import *  # noqa: F403
from .loss_ctc import *  # noqa: F403
from .loss_likelihood import *  # noqa: F403
from .loss_margin import *  # noqa: F403
from .norm import *  # noqa: F403
from .pooling import *  # noqa: F403
from .pooling_lines import *  # noqa: F403
from .pooling_max import *  # noqa: F403
from .resize import *  # noqa: F403
from .sequences import *  # noqa: F403
from .shuffles import *  # noqa: F403

_give_out(globals())
_observe_public(globals())
_offer(__name__, _FUNCTIONS, __name__)
