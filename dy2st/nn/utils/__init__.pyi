"""The names of dy2st.nn.utils. Written by `python tests/support/stubs.py`."""

from dy2st.nn.utils import gradients as gradients
from dy2st.nn.utils import reparametrised as reparametrised
from dy2st.nn.utils import vectors as vectors
from dy2st.nn.utils.gradients import clip_grad_norm_ as clip_grad_norm_
from dy2st.nn.utils.gradients import clip_grad_value_ as clip_grad_value_
from dy2st.nn.utils.reparametrised import remove_weight_norm as remove_weight_norm
from dy2st.nn.utils.reparametrised import spectral_norm as spectral_norm
from dy2st.nn.utils.reparametrised import weight_norm as weight_norm
from dy2st.nn.utils.vectors import parameters_to_vector as parameters_to_vector
from dy2st.nn.utils.vectors import vector_to_parameters as vector_to_parameters
