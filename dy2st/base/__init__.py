# ruff: noqa: F401
"""`dy2st.base`: what models import from `paddle.base`. Re-exports only."""

from .. import framework
from ..api.flags import get_flags, set_flags
from ..api.modes import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    in_dynamic_mode,
    is_compiled_with_cinn,
    is_compiled_with_cuda,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
)
from ..nn import ParamAttr
from ..runtime.tensors.tensor import Tensor
from . import dygraph

Variable = Tensor
in_dygraph_mode = in_dynamic_or_pir_mode = in_dynamic_mode
