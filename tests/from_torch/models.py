"""Whole models with random weights: by torch, as a Program, loaded where no torch is, and in ONNX Runtime.

python tests/from_torch/models.py all [--outcomes FILE] [--again] [--minutes N]
python tests/from_torch/models.py PART... [--trace]

"all" writes the counts, and what isn't right with its reason, into `docs/from-pytorch.md`. Each outcome is a line of JSON in
FILE; models that have one aren't tried again, so that a run that was cut short goes on. --again tries those that weren't right.
--minutes: no model is begun after so many; 0 writes the page of what is in FILE.
PART: of the models' names; then it only prints. --trace: with the tracebacks.

Each model is compared at two sizes of batches, or of images where it takes a list of them, that are open in the Program.
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.apart import Outcome, outcome
from from_torch.forms import FORMS
from from_torch.zoo import cases
from support.sections import cell, write_section


def main() -> None:
    """Try the models that are asked for, print a line for each, and write the page where all are."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+")
    parser.add_argument("--outcomes", type=Path)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--trace", action="store_true")
    asked = parser.parse_args()
    end = time.monotonic() + 60 * asked.minutes
    is_all = asked.parts == ["all"]
    found = read(asked.outcomes)
    kept = {name for name, made in found.items() if made.is_right or not asked.again}
    chosen = [*cases([] if is_all else asked.parts)]
    for case in chosen:
        if case.name in kept or time.monotonic() >= end:
            continue
        made = found[case.name] = outcome(case)
        print(f"{made.name}: {', '.join(f'{form} {words}' for form, words in made.forms.items())} ({made.seconds} s)", flush=True)
        if asked.outcomes:
            with asked.outcomes.open("a", encoding="utf-8") as file:
                file.write(made.line() + "\n")
    print(f"{sum(made.is_right for made in found.values())} of {len(found)} right")
    if is_all:
        lines = page([found[case.name] for case in chosen if case.name in found], len(chosen))
        write_section("from-pytorch.md", "python tests/from_torch/models.py all", "\n".join(lines))


def read(path: Path | None) -> dict[str, Outcome]:
    """The last outcome of each model in a file, by its name; none where there is no file."""
    if path is None or not path.exists():
        return {}
    made = (Outcome(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines())
    return {one.name: one for one in made}


def page(outcomes: list[Outcome], count: int) -> list[str]:
    """The table of counts, and that of the models that aren't right in a form. count: how many models there are."""
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.group, []).append(one)
    lines = [f"{len(outcomes)} of {count} models were tried.", ""]
    lines += ["| models | tried | static | saved | ONNX |", "|---|---|---|---|---|"]
    for group, members in [*groups.items(), ("all", [one for members in groups.values() for one in members])]:
        counts = [sum(one.forms.get(form) == "right" for one in members) for form in FORMS]
        lines.append(" | ".join([f"| {group}", str(len(members)), *map(str, counts)]) + " |")
    lines += ["", "Those that aren't right, with the first form that isn't and the reason:"]
    lines += ["", "| model | form | reason |", "|---|---|---|"]
    for one in sorted(outcomes):
        reasons = [(form, words) for form, words in one.forms.items() if words != "right"]
        lines += [f"| {one.name} | {form} | {cell(words)} |" for form, words in reasons[:1]]
    return lines


if __name__ == "__main__":
    main()
