"""`dy2st.static`: what Paddle keeps in `paddle.static` and a model file needs."""

from .runtime.spec import InputSpec

__all__ = ["InputSpec"]
