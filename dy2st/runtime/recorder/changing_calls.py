"""Functions of C that change what lives on, called by code of the user's that isn't converted: `log.append`, `setattr`, `print`.

Python's hooks see each such call before it happens. What only a variable of the calling function holds, nobody else can miss.
"""

from __future__ import annotations

import io
import sys
from collections import deque
from random import Random
from types import FrameType, ModuleType

import numpy as np

from ...pytree import module_of
from ..where.storing import IN_PLACE, MUTATORS

# Functions that change their argument, or the world, by their names.
CHANGING_ARGUMENTS = set(
    "heappush heappop heapify heapreplace heappushpop _heappop_max _heapify_max _heapreplace_max insort insort_left insort_right "
    "shuffle SubElement pack_into".split()
)
CHANGING = CHANGING_ARGUMENTS | set("setattr delattr setitem delitem print exec copyto put place putmask".split())
CONTAINERS = (list, dict, set, deque, np.ndarray)
# Libraries whose objects C keeps, and most of their methods change; and the methods that don't.
CHANGED_BY_METHODS = set("array bz2 codecs contextvars ctypes encodings hashlib hmac lzma mmap queue sqlite3 xml zlib".split())
BUFFERS = (bytearray, memoryview, io.StringIO, io.BytesIO)
READERS = set(
    "get keys values items most_common elements total index count copy getvalue getbuffer hex tobytes tolist cast "
    "toreadonly digest hexdigest find findall findtext iter itertext qsize empty getstate readable writable seekable tell "
    "startswith endswith split join strip lower upper replace "
    "__getitem__ __contains__ __len__ __iter__ __repr__ __eq__ __hash__ __str__ __reduce_ex__".split()
)


def keeps_state(value: object) -> bool:
    """Whether C keeps the state of an object, which most of its methods change."""
    cls = type(value)
    return issubclass(cls, BUFFERS) or (library_of(module_of(cls)) in CHANGED_BY_METHODS and not callable(value))


def library_of(module: str | None) -> str:
    """The name of the library that a module is of."""
    return (module or "").lstrip("_").partition(".")[0]


def changes_something(function: object) -> bool:
    """Whether a function of C, or a bound method, changes something, as far as its name and its object tell."""
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    if owner is None or isinstance(owner, ModuleType):
        return name in CHANGING or (name in IN_PLACE and library_of(getattr(function, "__module__", None)) == "operator")
    if isinstance(owner, CONTAINERS):
        return name in MUTATORS
    draws = isinstance(owner, Random) or module_of(type(owner)).startswith("numpy.random")
    return (draws or keeps_state(owner) or isinstance(owner, io.IOBase)) and name not in READERS


def references(frame: FrameType, function: object) -> int | None:
    """How many references there are to the object whose method is called; None if it isn't what just one variable here holds."""
    owner, names = getattr(function, "__self__", None), frame.f_code.co_varnames
    held = [name for name, value in frame.f_locals.items() if name in names and value is owner]
    return sys.getrefcount(owner) if len(held) == 1 else None


def is_part_of_new(frame: FrameType, function: object) -> bool:
    """Whether an `__init__` or the like changes the object that it makes, or what that holds."""
    code = frame.f_code
    if code.co_name not in ("__init__", "__new__", "__post_init__") or not code.co_argcount:
        return False
    owner, fields = getattr(function, "__self__", None), getattr(frame.f_locals[code.co_varnames[0]], "__dict__", {})
    is_setter = owner is None or isinstance(owner, ModuleType)
    return is_setter or owner is fields or any(value is owner for value in fields.values())
