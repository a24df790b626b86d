"""`dy2st.jit.api`: what models import from `paddle.jit.api`. Re-exports only."""

from .loading.load import load  # noqa: F401
from .loading.translated_layer import TranslatedLayer  # noqa: F401
from .saving.hooks import _clear_save_pre_hooks, _register_save_pre_hook, _remove_save_pre_hook  # noqa: F401
from .saving.save import save  # noqa: F401
from .static.conversion import ignore_module, not_to_static, to_static  # noqa: F401
from .static.static_function import StaticFunction  # noqa: F401
from .static.switch import enable_to_static  # noqa: F401
