"""Names that are given once in this process, `linear_0.w_0`, `linear_1.w_0`: Paddle's `utils.unique_name`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class GeneratedName(str):
    """A name that counts what was built before in this process: good for telling tensors apart in it, and kept out of files."""


class Names:
    """What names were made so far. prefix: what all of them begin with."""

    def __init__(self, prefix: str = ""):
        self.prefix = prefix
        self._made: Counter[str] = Counter()

    def generate(self, key: str) -> GeneratedName:
        """`key` with the number of names that were made of it."""
        self._made[key] += 1
        return GeneratedName(f"{self.prefix}{key}_{self._made[key] - 1}")


_names = Names()


def generate(key: str) -> GeneratedName:
    """`key` with the number of names that this process has made of it: a str.

    >>> dy2st.utils.unique_name.generate("seldom"), dy2st.utils.unique_name.generate("seldom")
    ('seldom_0', 'seldom_1')
    """
    return _names.generate(key)


def copied(name: str) -> GeneratedName:
    """What a copy of a tensor of this name is called."""
    return GeneratedName(f"{name}{generate('_deepcopy')}")


def switch(new_generator: Names | None = None) -> Names:
    """Go on with the `Names` that an earlier call has given, or anew where None. Those until now are the result."""
    global _names
    before, _names = _names, new_generator or Names()
    return before


@contextmanager
def guard(new_generator: str | None = None) -> Iterator[None]:
    """Names begin anew inside, as they do in a new process; `new_generator` is what all of them begin with, if anything.

    >>> with dy2st.utils.unique_name.guard():
    ...     name = dy2st.nn.Linear(1, 1).weight.name
    """
    before = switch(Names(new_generator or ""))
    try:
        yield
    finally:
        switch(before)


def in_words(class_name: str) -> str:
    """How the names of a class's layers begin: `BatchNorm1D` gives `batch_norm1d`."""
    parted = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", class_name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", parted).lower()
