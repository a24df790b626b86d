"""Python blocks of the pages in `docs/`, with the outputs that the pages show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


class Example(NamedTuple):
    """A Python block: the word behind `python`, the name of its file, its source, the output on the page or None."""

    word: str
    file: str
    text: str
    expected: str | None


def examples(page: Path) -> Iterator[Example]:
    """The Python blocks of a page. `# model.py` on the first line names the file; mistakes and cures are in `net.py`."""
    blocks = [(m[1], m[2].strip(), m[3]) for m in BLOCK.finditer(page.read_text(encoding="utf-8"))]
    for k, (language, word, text) in enumerate(blocks):
        if language == "python":
            name = re.match(r"# (\w+\.py)\n", text)
            follows = blocks[k + 1 : k + 2]
            expected = follows[0][2] if follows and follows[0][0] == "text" else None
            yield Example(word, name[1] if name else "net.py" if word else f"block_{k}.py", text, expected)
