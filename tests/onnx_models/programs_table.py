"""Which programs and models of `tests/programs` have no ONNX form, and why: writes that list into `docs/onnx.md`.

python tests/onnx_models/programs_table.py
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "onnx.md"
START, END = "<!-- written by `python tests/onnx_models/programs_table.py` -->\n", "<!-- end of the programs -->\n"


def outcomes() -> Iterator[tuple[str, str]]:
    """The name of each program, and why it is refused, or ""; an AssertionError for one that gives other values."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        tests = [sys.executable, "-m", "pytest", "-q", str(HERE / "test_exported_programs.py"), f"--junitxml={report}"]
        subprocess.run(tests, check=False, stdout=subprocess.DEVNULL, cwd=HERE.parents[1])
        for case in ElementTree.parse(report).iter("testcase"):
            skipped = case.find("skipped")
            assert case.find("failure") is None and case.find("error") is None, f"{case.get('name')} differs"
            yield _title(str(case.get("name"))), "" if skipped is None else str(skipped.get("message"))


def _title(name: str) -> str:
    """`test_algorithms_test_agrees_with_plain_python[nms]` is `algorithms: nms`."""
    module, _, rest = name.removeprefix("test_").partition("_test_")
    case = re.search(r"\[(.*)\]", name)
    return f"{module.partition('[')[0]}: {case[1] if case else rest.replace('_', ' ')}"


def table() -> str:
    """The section, between its marks."""
    found = dict(outcomes())
    refused = {name: why.removeprefix("refused: ") for name, why in found.items() if why}
    count = len(found) - len(refused)
    share = f"{count} ({count / len(found):.0%}) are exported and agree with plain Python"
    head = f"\nOf {len(found)} programs and models of `tests/programs`, {share}.\n"
    rows = [f"| {name} | {_without_place(why)} |" for name, why in sorted(refused.items())]
    return "\n".join([head, "| not exported | because |", "|---|---|", *rows, ""])


def _without_place(why: str) -> str:
    """The reason without the file of this machine."""
    return re.sub(r"^\S+?([\w.]+:\d+): ", r"\1: ", why).replace("|", "\\|")


def written(page: str) -> str:
    """The page with the section as it is now."""
    before, _, rest = page.partition(START)
    return f"{before}{START}{table()}{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
