"""Models of PyTorch's in JAX, loaded where no torch is, each against torch: counted in `docs/jax.md`.

python tests/on_jax/pytorch_table.py [--each N] [--minutes N] [PART...]

It takes an environment with torch and jax. --each: one of so many models is tried. --minutes: none is begun after so many.
PART: of the models' names; then it only prints.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from argparse import ArgumentParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from from_torch.forms import by_engine
from from_torch.zoo import cases
from support.sections import cell, write_section


def outcome(case) -> str:
    """"right", or the reason why it isn't."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            by_engine(case, Path(folder), "jax")
        except Exception as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0][:300]}" if str(error) else type(error).__name__
    return "right"


def main() -> None:
    """Try the models that are asked for, print a line for each, and write the page where all may be tried."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    asked = parser.parse_args()
    end, found = time.monotonic() + 60 * asked.minutes, {}
    chosen = [*cases(asked.parts)]
    for case in chosen[:: asked.each]:
        if time.monotonic() < end:
            found[case.name] = outcome(case)
            print(f"{case.name}: {found[case.name]}", flush=True)
    if not asked.parts:
        write_section("jax.md", "python tests/on_jax/pytorch_table.py", section(found, len(chosen)))


def section(found: dict[str, str], count: int) -> str:
    """What the page says."""
    right = sum(words == "right" for words in found.values())
    told = f"Of {count} models of torchvision, timm and transformers, {len(found)} were tried: {right} are right in JAX."
    others = [f"| {name} | {cell(words)} |" for name, words in found.items() if words != "right"]
    return "\n".join(["", told, *(["", "| not right | because |", "|---|---|", *others] if others else []), "", ""])


if __name__ == "__main__":
    main()
