"""`dy2st.fft`: Fourier transforms, under the names of `paddle.fft`. Re-exports only."""

from .api.fourier import *  # noqa: F403
from .api.fourier import __all__ as __all__
