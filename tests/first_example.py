"""Runs the first example of a page, word for word: `python tests/first_example.py docs/onnx.md`.

It needs dy2st and the extra of the page, and no package for tests. The example consists of all Python blocks up to the first
one with an output; another output than that on the page is an error.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import types
from pathlib import Path

from support.doc_blocks import examples


def run_first_example(page: Path) -> str:
    """The output of the first example of a page. AssertionError: the page shows another one, or none."""
    module = types.ModuleType("page")
    sys.modules["page"] = module
    for example in examples(page):
        file = Path(example.file).absolute()
        file.write_text(example.text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(example.text, str(file), "exec"), vars(module))
        if example.expected is not None:
            found = printed.getvalue()
            assert found.split() == example.expected.split(), f"{page} shows\n{example.expected}\nand the output is\n{found}"
            return found
    raise AssertionError(f"{page} shows no output")


if __name__ == "__main__":
    page = Path(sys.argv[1]).absolute()
    os.chdir(tempfile.mkdtemp())
    print(run_first_example(page), end="")
