# ruff: noqa: F401
"""Classes of Python's `collections`, and views of dicts, written in Python: they are converted as the user's are.

While staging, `deque()` gives an object of the `deque` that is written here. One of Python's comes in from outside, and a
result is one of Python's again. Their code says `collections.deque`, as a user's would. `list`, `dict`, `set` and `tuple` are
written here for the user's classes that derive from them (`subclasses`).
"""

from ..where.user_code import FOLDER
from . import counter, dataclass_values, deque, enums, lists, mappings, ranges, sets, slices, sorting, tuples
from .base import BASES, CLASSES, PYTHONS, Written, all_python, to_python
from .callables import Kept, kept_class, opened, taken_apart
from .subclasses import base_of, is_overridden, refresh, twin_of, why_no_twin
from .views import DictView, view_of
