"""What C keeps of an object from outside, such as the bytes of a buffer: no attribute tells it, so a guard asks the object.

Each kind says it in its own way. A Program that has read such an object, in whatever way, is staged again when that has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import pytree
from ...pytree import module_of
from ..heap.identity import same_object


def _read(file: Any) -> tuple:
    return () if file.closed else (file.getvalue(), file.tell())


def _mapped(file: Any) -> tuple:
    return () if file.closed else (file[:], file.tell())


def _digest(digest: Any) -> bytes:
    return digest.digest(64) if digest.name.lower().startswith("shake") else digest.digest()


def _tree(element: Any) -> list:
    return [(part.tag, part.text, part.tail, part.items(), len(part)) for part in element.iter()]


def _spelled(state: Any) -> object:
    """The state of a generator of NumPy: nested dicts of texts, numbers and arrays."""
    return pytree.mapped(state, lambda part: isinstance(part, np.ndarray), lambda array: array.tobytes())


LIBRARIES = ("_hashlib", "_blake2", "_md5", "_sha1", "_sha2", "_sha256", "_sha512")
DIGESTS = {"HASH", "HASHXOF", "HMAC", "blake2b", "blake2s", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
# By the name of a class and the module it is of: what one of its objects keeps, to be compared by ==.
SAYING: dict[tuple[str, str], Callable[[Any], object]] = {
    ("bytearray", "builtins"): bytes,
    ("memoryview", "builtins"): bytes,
    ("array", "array"): lambda items: (items.typecode, items.tobytes()),
    ("StringIO", "_io"): _read,
    ("BytesIO", "_io"): _read,
    ("mmap", "mmap"): _mapped,
    ("SimpleQueue", "_queue"): lambda jobs: jobs.qsize(),
    ("count", "itertools"): repr,
    ("Context", "decimal"): repr,
    ("Element", "xml.etree.ElementTree"): _tree,
    ("Random", "_random"): lambda numbers: numbers.getstate(),
    ("Generator", "numpy.random._generator"): lambda numbers: _spelled(numbers.bit_generator.state),
    ("BitGenerator", "numpy.random.bit_generator"): lambda numbers: _spelled(numbers.state),
    ("RandomState", "numpy.random.mtrand"): lambda numbers: _spelled(numbers.get_state(legacy=False)),
    **{(kind, "_ctypes"): bytes for kind in ("_SimpleCData", "Array", "Structure", "Union")},
    **{(kind, library): _digest for kind in DIGESTS for library in LIBRARIES},
    ("HMAC", "hmac"): _digest,
}
# The same, of those that keep objects, which are told from one another as constants are.
HOLDING: dict[tuple[str, str], Callable[[Any], tuple]] = {
    ("ContextVar", "_contextvars"): lambda variable: (variable.get(None),),
    ("BaseException", "builtins"): lambda error: error.args,
    ("mappingproxy", "builtins"): lambda view: (*view.keys(), *view.values()),
    ("cell", "builtins"): lambda cell: () if cell == type(cell)() else (cell.cell_contents,),
}


NAMES = frozenset(name for name, _ in (*SAYING, *HOLDING))


class Said:
    """What an object kept, as it says itself."""

    def __init__(self, container: object):
        self.container = container
        self.said, self.held = _said(container), held_by_c(container)

    def still(self, new: object) -> bool:
        """Whether the same object keeps the same."""
        if new is not self.container or _said(new) != self.said:
            return False
        held = held_by_c(new)
        return len(held) == len(self.held) and all(map(same_object, held, self.held))


def says(value: object) -> bool:
    """Whether C keeps something of an object, which that can be asked for."""
    return _kind(value) is not None


def held_by_c(value: object) -> tuple:
    """The objects that C keeps in an object, which it tells."""
    return _asked(HOLDING, value) or ()


def _said(value: object) -> object:
    return _asked(SAYING, value)


def _asked(known: dict, value: object) -> Any:
    """What the way of its class gives for an object; None where it has none, or can't tell, as a view that was released."""
    kind = _kind(value)
    try:
        return known[kind](value) if kind in known else None
    except (ValueError, NotImplementedError):
        return None


def _kind(value: object) -> tuple[str, str] | None:
    """The class among those above that an object is of. Nearly all values are of none: their classes' names tell that first."""
    for base in type(value).__mro__:
        if base.__name__ in NAMES:
            kind = base.__name__, module_of(base)
            if kind in SAYING or kind in HOLDING:
                return kind
    return None
