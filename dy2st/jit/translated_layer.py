"""`dy2st.jit.translated_layer`: what `load` gives. Re-exports only."""

from .loading.translated_layer import TranslatedLayer  # noqa: F401
