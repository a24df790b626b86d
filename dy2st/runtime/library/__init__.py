"""Classes of Python's `collections`, and views of dicts, written in Python: they are converted as the user's are.

While staging, `deque()` gives an object of the `deque` that is written here; one of Python's comes in from outside, and goes out
again as a result. Their code says `collections.deque`, as a user's would.
"""

from ..where.user_code import FOLDER
from . import counter, deque, mappings, ranges
from .base import CLASSES, PYTHONS, to_python
from .views import View, view_of

__all__ = [
    "CLASSES",
    "FOLDER",
    "PYTHONS",
    "View",
    "counter",
    "deque",
    "mappings",
    "ranges",
    "to_python",
    "view_of",
]
