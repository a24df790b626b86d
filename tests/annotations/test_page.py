"""docs/types.md: type checkers say of its example what the page says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "types.md").read_text(encoding="utf-8")
SOURCE = re.search(r"```python\n(# typed\.py\n.*?)```", PAGE, re.S)[1]
MISTAKES = re.findall(r"^\| `(.*?)` \| `(.*?)` \|$", PAGE, re.M)


def said(checker, file):
    return subprocess.run([sys.executable, "-m", checker, str(file)], cwd=ROOT, capture_output=True, text=True).stdout


@pytest.fixture
def typed(tmp_path):
    file = tmp_path / "typed.py"
    file.write_text(SOURCE)
    return file


@pytest.mark.parametrize("checker, none", [("mypy", "Success: no issues found"), ("pyright", "0 errors, 0 warnings")])
def test_nothing_is_said_of_the_example(checker, none, typed):
    pytest.importorskip(checker, reason=f"{checker} comes with the extra 'dev'")
    assert none in said(checker, typed)


def test_mypy_says_of_each_mistake_what_the_page_says(typed):
    pytest.importorskip("mypy", reason="mypy comes with the extra 'dev'")
    typed.write_text(SOURCE + "".join(f"{line}\n" for line, _ in MISTAKES))
    found = re.findall(r"^\S*typed\.py:(\d+): error: (.*)  \[[\w-]+\]$", said("mypy", typed), re.M)
    first = SOURCE.count("\n") + 1
    assert found == [(str(first + i), text) for i, (_, text) in enumerate(MISTAKES)] and len(MISTAKES) == 6
