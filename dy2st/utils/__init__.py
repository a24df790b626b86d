# ruff: noqa: F401
"""`dy2st.utils`: small helpers that model files import from `paddle.utils`. Re-exports only."""

from ..runtime.tensors import unique_names as unique_name
from . import dlpack
from .imports import try_import
from .nests import flatten, map_structure, pack_sequence_as
