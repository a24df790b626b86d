"""The names of dy2st.framework. Written by `python tests/support/stubs.py`."""

from dy2st.api.autograd import grad as grad
from dy2st.api.flags import get_flags as get_flags
from dy2st.api.flags import set_flags as set_flags
from dy2st.api.modes import CPUPlace as CPUPlace
from dy2st.api.modes import CUDAPinnedPlace as CUDAPinnedPlace
from dy2st.api.modes import CUDAPlace as CUDAPlace
from dy2st.api.modes import disable_static as disable_static
from dy2st.api.modes import in_dynamic_mode as _in_dynamic_mode
from dy2st.api.modes import in_dynamic_mode as in_dynamic_mode
from dy2st.api.modes import set_default_dtype as set_default_dtype
from dy2st.dtypes import get_default_dtype as get_default_dtype
from dy2st.nn.parameter import ParamAttr as ParamAttr
from dy2st.nn.parameter import Parameter as Parameter
from dy2st.nn.parameter import Parameter as _Parameter
from dy2st.runtime.tensors.grad_mode import no_grad as no_grad
from dy2st.runtime.tensors.random_state import get_rng_state as get_rng_state
from dy2st.runtime.tensors.random_state import seed as seed
from dy2st.runtime.tensors.random_state import set_rng_state as set_rng_state
from dy2st.state_files import load as load
from dy2st.state_files import save as save

EagerParamBase = _Parameter

in_dygraph_mode = _in_dynamic_mode

in_dynamic_or_pir_mode = _in_dynamic_mode
