"""`dy2st.jit.api`: what models import from `paddle.jit.api`. Re-exports only."""

from .conversion import ignore_module, not_to_static, to_static  # noqa: F401
from .loading import load  # noqa: F401
from .save_hooks import _clear_save_pre_hooks, _register_save_pre_hook, _remove_save_pre_hook  # noqa: F401
from .saving import save  # noqa: F401
from .static_function import StaticFunction, enable_to_static  # noqa: F401
from .translated_layer import TranslatedLayer  # noqa: F401
