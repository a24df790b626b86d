"""What is done to the parameters of a layer, under Paddle's names."""

from .gradients import clip_grad_norm_, clip_grad_value_  # noqa: F401
from .reparametrised import remove_weight_norm, spectral_norm, weight_norm  # noqa: F401
from .vectors import parameters_to_vector, vector_to_parameters  # noqa: F401
