"""The names of dy2st.jit.api. Written by `python tests/support/stubs.py`."""

from dy2st.jit.loading.load import load as load
from dy2st.jit.loading.translated_layer import TranslatedLayer as TranslatedLayer
from dy2st.jit.saving.save import save as save
from dy2st.jit.static.conversion import not_to_static as not_to_static
from dy2st.jit.static.conversion import to_static as to_static
from dy2st.jit.static.static_function import StaticFunction as StaticFunction
from dy2st.jit.static.switch import enable_to_static as enable_to_static
from dy2st.runtime.convert.calls.skipped import ignore_module as ignore_module
