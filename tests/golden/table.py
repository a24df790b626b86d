"""Counts what rewriting adds to the twelve functions. `python -m golden.table`, in the folder tests, writes the page's table."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

from support.sections import with_section

from dy2st.transformers import transpile
from golden.counting import counts
from golden.twelve import TWELVE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rewritten-code.md"
FIELD = json.loads((Path(__file__).parent / "field.json").read_text(encoding="utf-8"))
COMMAND = "cd tests && python -m golden.table"
HEAD = ("| function | calls of the runtime | lines | characters |\n|---|---|---|---|\n"
        "| | dy2st / Paddle / AutoGraph | yours → the same | yours → the same |\n")
Counts = tuple[int, int, int]
REFUSED = ("–",) * 3


def row(name: str, yours: Counts, others: list) -> str:
    """The calls of the runtime, the lines and the characters that each of the others makes of yours."""
    runtime, lines, characters = (" / ".join(str(each[k]) for each in others) for k in range(3))
    return f"| {name} | {runtime} | {yours[1]} → {lines} | {yours[2]} → {characters} |\n"


def table() -> str:
    """The table: a row for each function, and the sum of those that all rewrite."""
    rows = []
    for function in TWELVE:
        name = function.__name__
        field = [FIELD[which]["counts"][name] or REFUSED for which in ("paddle", "autograph")]
        rows.append((name, counts(inspect.getsource(function), "_jst"), [counts(transpile(function).source, "_jst"), *field]))
    of_all = [[yours, *others] for _, yours, others in rows if REFUSED not in others]
    yours, *others = ([sum(column) for column in zip(*each)] for each in zip(*of_all))
    return HEAD + "".join(row(f"`{name}`", *both) for name, *both in rows) + row(f"{len(of_all)} that all rewrite", yours, others)


def page() -> str:
    """The page with the table as it is now."""
    return with_section(PAGE.read_text(encoding="utf-8"), COMMAND, table())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(table())
