# ruff: noqa: F401
"""`dy2st.framework`: what models import from `paddle.framework`. Re-exports only."""

from .api.autograd import grad, no_grad
from .api.flags import get_flags, set_flags
from .api.modes import CPUPlace, CUDAPinnedPlace, CUDAPlace, disable_static, in_dynamic_mode
from .api.random import get_rng_state, seed, set_rng_state
from .dtypes import get_default_dtype, set_default_dtype
from .nn import ParamAttr, Parameter
from .state_files import load, save

in_dynamic_or_pir_mode = in_dygraph_mode = in_dynamic_mode
EagerParamBase = Parameter
