"""A pause of Python's garbage collections, and what its generations tell."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collections() -> Iterator[None]:
    """For work that brings thousands of objects to life which all stay: each collection would look at all of them in vain."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def age() -> None:
    """Make all objects that there are old: what `is_young` then tells of was made after this, while collections are off."""
    gc.collect(0)


def is_young(obj: object) -> bool:
    """Whether an object that Python's collector follows was made since `age()`; looks at all that were."""
    return any(obj is young for young in gc.get_objects(generation=0))


def is_old(obj: object) -> bool:
    """Whether an object was made before `age()`, or lies in what was: takes as long as a collection of everything.

    Python's collector doesn't follow {"n": 1}, and can't tell what holds it once `gc.freeze` was called: it counts as old then.
    """
    young = {id(one) for one in gc.get_objects(generation=0)}
    if id(obj) not in young and (gc.is_tracked(obj) or gc.get_freeze_count()):
        return True
    return any(id(holder) not in young for holder in gc.get_referrers(obj))
