"""What docs/security.md says of limits and tests is so."""

import re
from pathlib import Path

from dy2st.config import FileLimits

TESTS = Path(__file__).resolve().parents[1]
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")


def test_the_limits_are_those_of_the_package():
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", PAGE, re.M))
    assert {name: int(value.replace(",", "")) for name, value in rows.items()} == vars(FileLimits())


def test_what_a_limit_is_of_stands_in_its_class_too():
    for name, meaning in re.findall(r"^\| `(\w+)` \| [\d,]+ \| (.*) \|$", PAGE, re.M):
        assert f"{name}: {meaning}." in FileLimits.__doc__


def test_every_row_names_a_test():
    named = re.findall(r"\| `([\w/]+\.py)::(\w+)` \|$", PAGE, re.M)
    assert len(named) == sum(table.partition("\n\n")[0].count("\n") - 1 for table in PAGE.split("| attempt |")[1:])
    for file, test in named:
        assert f"def {test}(" in (TESTS / file).read_text(encoding="utf-8"), f"{file} has no {test}"
