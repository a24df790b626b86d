"""What rewritten code meets when it runs. Importing it makes Eager the default mode."""

from ..ops import dispatch as _dispatch
from .tensors.eager import EAGER as _EAGER

_dispatch.set_default_mode(_EAGER)
