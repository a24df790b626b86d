"""How long a text of rewritten code is, and how often it names its runtime."""

from __future__ import annotations

import ast
import re
import textwrap


def counts(text: str, runtime: str) -> tuple[int, int, int]:
    """How often a text names the runtime, its lines and its characters, whatever its comments and the width of its lines."""
    plain = ast.unparse(ast.parse(textwrap.dedent(text)))
    lines = [line for line in plain.splitlines() if line]
    return len(re.findall(rf"\b{runtime}\.", plain)), len(lines), len("".join(lines))
