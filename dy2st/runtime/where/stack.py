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
from threading import Lock

FRAMES = 10 if sys.version_info >= (3, 11) else 4  # of a call; before Python 3.11, each takes room on the stack of C

_lock = Lock()
_users_limit: list[int] = []  # what the limit was before, once for each that stages


@contextmanager
def deepened() -> Iterator[None]:
    """Let the stack be `FRAMES` times as deep for a while."""
    with _lock:
        if not _users_limit:
            sys.setrecursionlimit(sys.getrecursionlimit() * FRAMES)
        _users_limit.append(sys.getrecursionlimit() // FRAMES)
    try:
        yield
    finally:
        with _lock:
            limit = _users_limit.pop()
            if not _users_limit:
                sys.setrecursionlimit(limit)
