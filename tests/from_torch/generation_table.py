"""Which ways of generating text give torch's tokens, family by family: into `docs/cookbook/generate.md`.

python tests/from_torch/generation_table.py [FILE]

FILE keeps the cells as lines of JSON: a run that was cut short goes on from there. Run it where dy2st is installed: the folder
`transformers` of the repository must not be on the path.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.generation import CELLS, WAYS, compare, static_way
from support.sections import write_section

COUNTS = (12, 24)


def told_of(family: str, way: str) -> dict:
    """A cell as it is kept."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        told = compare(family, way, Path(folder), COUNTS[0])
    row = {"family": family, "way": way, **vars(told), "seconds": round(time.perf_counter() - began, 1), "grows": False}
    if told.operations and not told.refused:
        longer = static_way(family, way, COUNTS[1]).forward.concrete_program
        row["grows"] = len(list(longer.program.walk())) != told.operations
    return row


def text_of(row: dict | None) -> str:
    """What the table says of a cell."""
    if row is None:
        return ""
    if row["wrong"]:
        return "**wrong**"
    if row["refused"]:
        return "refused"
    return ("right" if not row["of_onnx"] else "right, not in ONNX") + (", grows" if row["grows"] else "")


def section(rows: dict[tuple[str, str], dict]) -> str:
    """The lines in Markdown."""
    right = [row for row in rows.values() if text_of(row) == "right"]
    head = f"Of {len(rows)} cells {len(right)} are right in every form, with Programs as long for 24 tokens as for 12."
    lines = [head, "", f"| | {' | '.join(WAYS)} |", "|---|" + "---|" * len(WAYS)]
    for family in dict.fromkeys(family for family, _ in rows):
        lines.append(f"| {family} | " + " | ".join(text_of(rows.get((family, way))) for way in WAYS) + " |")
    reasons = sorted({_reason(row["refused"] or row["of_onnx"]) for row in rows.values() if row["refused"] or row["of_onnx"]})
    told = ["", "What is refused, and why:", "", *(f"- {reason}" for reason in reasons)] if reasons else []
    return "\n".join([*lines, *told])


def _reason(text: str) -> str:
    """A refusal without the folder in which a library is installed."""
    return re.sub(r"\S*site-packages/", "", text.splitlines()[0]).replace("<", "&lt;")


def main(kept: str = "") -> None:
    """Run all cells, and write the section."""
    path = Path(kept) if kept else None
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    rows = {(row["family"], row["way"]): row for row in map(json.loads, lines)}
    for family, way in CELLS:
        if (family, way) not in rows:
            row = rows[family, way] = told_of(family, way)
            print(f"{family}, {way}: {text_of(row)} {row['seconds']} s", flush=True)
            if path:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    write_section("cookbook/generate.md", "python tests/from_torch/generation_table.py", section(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
