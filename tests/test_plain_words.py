"""The pages that users read are in short sentences: prose, not tables, code, or what a command writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_docs import PAGES

LIMIT = 30  # words; a piece of code is one
GENERATED = re.compile(r"^<!-- written.*?(?:^<!-- end[^\n]*$|(?=^#)|\Z)", re.M | re.S)
CODE = re.compile(r"^```.*?^```$", re.M | re.S)
BLOCK = re.compile(r"\n\s*\n|\n(?=- |\d+\. |\||#)")
SENTENCE = re.compile(r"(?<=[.!?:;])[*)]* ")


def sentences(text: str) -> list[str]:
    """The sentences of a page, and their parts between colons and semicolons."""
    found = []
    for block in BLOCK.split(GENERATED.sub("", CODE.sub("", text))):
        if not block.lstrip("\n").startswith(("    ", "|", "#")):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(block.split()))
            found += SENTENCE.split(re.sub(r"`[^`]*`", "Code", words))
    return [sentence for sentence in found if sentence]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_sentence_is_long(page: Path):
    assert [s for s in sentences(page.read_text(encoding="utf-8")) if len(s.split()) > LIMIT] == []


def test_what_a_sentence_is():
    text = "# Head of words\n\nOne `a b c`: [two words](x.md). Three\nfour.\n\n- five\n- six\n\n| seven |\n\n```\neight\n```\n"
    assert sentences(text) == ["One Code:", "two words.", "Three four.", "- five", "- six"]
