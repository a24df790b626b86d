"""How deep Python's stack may be: a call of the user's takes several frames of the runtime while it is staged.

    def visit(node):                    # 300 calls inside each other are no matter to Python,
        for child in node.children:     # and take 5,000 frames with the loops around them
            visit(child)

The limit is one for all threads: the first of those that stage raises it, the last takes that back.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock, get_ident

FRAMES = 10 if sys.version_info >= (3, 11) else 4  # of a call; before Python 3.11, each takes room on the stack of C

_lock = RLock()  # an interrupted thread may still hold it
_users_limit = [0]  # what the limit was before
_staging: list[int] = []  # the thread of each recording that goes on


@contextmanager
def deepened() -> Iterator[None]:
    """Let the stack be `FRAMES` times as deep for a while."""
    before = depth()
    try:
        with _lock:
            if not _staging:
                _users_limit[0] = sys.getrecursionlimit()
            _staging.append(get_ident())
            sys.setrecursionlimit(_users_limit[0] * FRAMES)
        yield
    finally:
        leave(before)


def depth() -> int:
    """How many recordings go on in this thread."""
    return _staging.count(get_ident())


def leave(before: int) -> None:
    """End the recordings of this thread but the first `before`; the limit is the user's again when there are none."""
    with _lock:
        while depth() > before:
            _staging.remove(get_ident())
        if not _staging and _users_limit[0]:
            sys.setrecursionlimit(_users_limit[0])
            _users_limit[0] = 0
