"""Hand-written pages are short. The list of those that are still longer only shrinks: a page within its bound leaves it."""

from __future__ import annotations

import re
from pathlib import Path

from test_plain_words import GENERATED

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
WRITTEN = re.compile(r"\bpage is\s+written by `python ")  # in the first lines of a page that a command writes as a whole

WORDS = 1500
LONGER = {"docs/architecture.md": 3000, "docs/cli.md": 3000, "docs/errors.md": 3000, "docs/format.md": 3000}
TOO_LONG = {
    "docs/errors.md",
    "docs/format.md",
    "docs/from-pytorch.md",
    "docs/jax.md",
    "docs/onnx.md",
    "docs/python-support.md",
    "docs/security.md",
    "docs/speed.md",
    "docs/training.md",
}


def words(text: str) -> int:
    """The number of words of a page, code included, without the parts that a command writes."""
    return len(GENERATED.sub("", text).split())


def too_long() -> set[str]:
    """The pages with more words than their bound."""
    found = set()
    for page in PAGES:
        name, text = page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")
        if not WRITTEN.search(text[:1000]) and words(text) > LONGER.get(name, WORDS):
            found.add(name)
    return found


def test_pages_are_short_but_for_those_of_the_list():
    assert too_long() == TOO_LONG


def test_generated_parts_have_no_words():
    assert words("One\n\n<!-- written by `python a.py` -->\n\n| two |\n\n<!-- end -->\n\nthree `four` five.\n") == 4
