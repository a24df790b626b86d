"""An LRU cache of at most `limits.programs` entries, which threads may share."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

from ...config import limits

Key = TypeVar("Key")
Value = TypeVar("Value")


class LRUCache(Generic[Key, Value]):
    """A mapping that keeps the entries that were used last. Each method holds the lock, so none meets a change of another thread.

    The lock is reentrant: Python's collector may run code in the middle of a method, and that code may call a Program.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._entries: dict[Key, Value] = {}  # least recently used first

    def get_or_create(self, key: Key, create: Callable[[], Value]) -> Value:
        """The value of an entry, which `create` gives if there is none. Threads that ask for one key create one value."""
        with self._lock:
            value = self._entries.pop(key) if key in self._entries else create()
            self.put(key, value)
            return value

    def put(self, key: Key, value: Value) -> list[tuple[Key, Value]]:
        """Add an entry, or replace its value. Returns the entries that are evicted for it."""
        with self._lock:
            self._entries.pop(key, None)
            self._entries[key] = value
            excess = max(0, len(self._entries) - limits.programs)
            return [(old, self._entries.pop(old)) for old in list(self._entries)[:excess]]

    def touch(self, key: Key) -> None:
        """Mark an entry as used now; nothing if another thread has evicted it."""
        with self._lock:
            if key in self._entries:
                self._entries[key] = self._entries.pop(key)

    def items(self) -> list[tuple[Key, Value]]:
        """The entries of this moment, least recently used first."""
        with self._lock:
            return list(self._entries.items())

    def keys(self) -> list[Key]:
        """The keys of this moment, least recently used first."""
        with self._lock:
            return list(self._entries)

    def values(self) -> list[Value]:
        """The values of this moment, least recently used first."""
        with self._lock:
            return list(self._entries.values())
