# ruff: noqa: F401
"""`dy2st.base`: what models import from `paddle.base`. Re-exports only."""

from . import framework
from .api.modes import CPUPlace, CUDAPinnedPlace, CUDAPlace, in_dynamic_mode
from .nn import ParamAttr
from .runtime.tensor import Tensor

Variable = Tensor
