"""Which programs and models of `tests/programs` have no ONNX form, and why: writes that list into `docs/onnx.md`.

python tests/onnx_models/programs_table.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.sections import write_section

ROOT = Path(__file__).parents[2]


@dataclass
class Table:
    """A section of a page: what tests skip, and why. said: of the others. head: of the table."""

    page: str
    tests: Path
    command: str
    said: str
    head: str

    def write(self) -> None:
        """Write the section as it is now."""
        write_section(self.page, self.command, self.section())

    def section(self) -> str:
        """The section, between its marks."""
        found = dict(self.outcomes())
        refused = {name: why.removeprefix("refused: ") for name, why in found.items() if why}
        count = len(found) - len(refused)
        share = f"{count} ({count / len(found):.0%}) {self.said}"
        head = f"\nOf {len(found)} programs and models of `tests/programs`, {share}.\n"
        rows = [f"| {name} | {_without_place(why)} |" for name, why in sorted(refused.items())]
        return "\n".join([head, self.head, "|---|---|", *rows, ""])

    def outcomes(self) -> Iterator[tuple[str, str]]:
        """The name of each program, and why it is refused, or ""; an AssertionError for one that gives other values."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.xml"
            tests = [sys.executable, "-m", "pytest", "-q", str(self.tests), f"--junitxml={report}"]
            subprocess.run(tests, check=False, stdout=subprocess.DEVNULL, cwd=ROOT)
            for case in ElementTree.parse(report).iter("testcase"):
                skipped = case.find("skipped")
                assert case.find("failure") is None and case.find("error") is None, f"{case.get('name')} differs"
                yield _title(str(case.get("name"))), "" if skipped is None else str(skipped.get("message"))


def _title(name: str) -> str:
    """`test_algorithms_test_agrees_with_plain_python[nms]` is `algorithms: nms`."""
    module, _, rest = name.removeprefix("test_").partition("_test_")
    case = re.search(r"\[(.*)\]", name)
    return f"{module.partition('[')[0]}: {case[1] if case else rest.replace('_', ' ')}"


def _without_place(why: str) -> str:
    """The reason without the file of this machine."""
    return re.sub(r"^\S+?([\w.]+:\d+): ", r"\1: ", why).replace("|", "\\|")


if __name__ == "__main__":
    Table(
        page="onnx.md",
        tests=Path(__file__).parent / "test_exported_programs.py",
        command="python tests/onnx_models/programs_table.py",
        said="are exported and agree with plain Python",
        head="| not exported | because |",
    ).write()
