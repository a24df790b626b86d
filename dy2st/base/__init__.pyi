"""The names of dy2st.base. Written by `python tests/support/stubs.py`."""

from dy2st.api.flags import get_flags as get_flags
from dy2st.api.flags import set_flags as set_flags
from dy2st.api.modes import CPUPlace as CPUPlace
from dy2st.api.modes import CUDAPinnedPlace as CUDAPinnedPlace
from dy2st.api.modes import CUDAPlace as CUDAPlace
from dy2st.api.modes import in_dynamic_mode as _in_dynamic_mode
from dy2st.api.modes import in_dynamic_mode as in_dynamic_mode
from dy2st.api.modes import is_compiled_with_cuda as _is_compiled_with_cuda
from dy2st.api.modes import is_compiled_with_cuda as is_compiled_with_cuda
from dy2st.base import dygraph as dygraph
from dy2st.nn.parameter import ParamAttr as ParamAttr
from dy2st.runtime.tensors.tensor import Tensor as Tensor
from dy2st.runtime.tensors.tensor import Tensor as _Tensor

Variable = _Tensor

in_dygraph_mode = _in_dynamic_mode

in_dynamic_or_pir_mode = _in_dynamic_mode

is_compiled_with_cinn = _is_compiled_with_cuda

is_compiled_with_rocm = _is_compiled_with_cuda

is_compiled_with_xpu = _is_compiled_with_cuda
