"""What holds for the whole suite."""

from __future__ import annotations

import gc


def pytest_collection_finish():
    """The tests stay until the end: no collection of garbage is to look through them again and again."""
    gc.collect()
    gc.freeze()
