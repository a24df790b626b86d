"""Classes of Python's `collections`, and views of dicts, written in Python: they are converted as the user's are.

While staging, `deque()` gives an object of the `deque` that is written here; one of Python's comes in from outside, and goes out
again as a result. Their code says `collections.deque`, as a user's would.
"""

from ..blocks import FOLDER
from ..written import CLASSES, FACTORIES, PYTHONS, empty, fields_of, refill, to_python
from . import counter, deque, mappings, ranges
from .views import View, view_of

NAMED = {cls.__qualname__: python for python, cls in CLASSES.items()}  # by what they are called in a Program

__all__ = [
    "CLASSES",
    "FACTORIES",
    "FOLDER",
    "NAMED",
    "PYTHONS",
    "View",
    "counter",
    "deque",
    "empty",
    "fields_of",
    "mappings",
    "ranges",
    "refill",
    "to_python",
    "view_of",
]
