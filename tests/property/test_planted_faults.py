"""The comparison of random functions can fail: each of these faults, planted in the code, is caught by it."""

from __future__ import annotations

import itertools
import re
import traceback
from pathlib import Path

import pytest
from property import faults
from property.compare import compare
from property.faults import FAULTS
from property.generate import write_module
from support.sampling import sampled

TRIES = 120  # random functions at most, of those that the fault can show in


def is_caught(text: str) -> bool:
    """Whether the comparison fails, in words or by an error of the damaged code; that a patch doesn't fit is no such error."""
    try:
        return bool(compare(text).difference)
    except Exception as error:
        innermost = traceback.extract_tb(error.__traceback__)[-1]
        return innermost.filename != faults.__file__ and "argument" not in str(error)


@pytest.fixture
def little_memory():
    """A damaged Program may grow for ever: a MemoryError tells, before the machine does."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (4 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(sorted(FAULTS), 32))
def test_a_planted_fault_is_caught(name, monkeypatch, little_memory):
    plant, pattern, seed = FAULTS[name]
    plant(monkeypatch)
    texts = (text for text in map(write_module, itertools.count(seed)) if re.search(pattern, text[text.index("def f(") :]))
    assert any(map(is_caught, itertools.islice(texts, TRIES))), f"{name} goes unnoticed in {TRIES} random functions"
