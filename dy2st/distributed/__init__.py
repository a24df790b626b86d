"""`dy2st.distributed`: of Paddle's, what a model file for one process uses."""

from . import fleet

__all__ = ["fleet"]
