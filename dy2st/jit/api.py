"""`dy2st.jit.api`: what models import from `paddle.jit.api`. Re-exports only."""

from .conversion import not_to_static, to_static  # noqa: F401
from .loading import load  # noqa: F401
from .saving import save  # noqa: F401
from .static_function import StaticFunction, enable_to_static  # noqa: F401
from .translated_layer import TranslatedLayer  # noqa: F401
