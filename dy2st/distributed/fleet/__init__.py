"""`dy2st.distributed.fleet`."""

from . import utils
from .utils import recompute

__all__ = ["recompute", "utils"]
