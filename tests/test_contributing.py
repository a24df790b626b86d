"""What CONTRIBUTING.md and CHANGELOG.md say is there: files, names, the version."""

from __future__ import annotations

import re
from pathlib import Path

import dy2st

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SOURCES = [path for folder in ("dy2st", "tests") for path in (ROOT / folder).rglob("*.py")]
CODES = set(re.findall(r"`([^`\n]+)`", PAGE))
PATH = re.compile(r"(python )?([\w.-]+/)*[\w.-]+(/|\.(py|md))")


def test_every_file_that_it_names_exists():
    named = [code.removeprefix("python ").split(" ")[0] for code in CODES if PATH.match(code)]
    assert len(named) > 30
    assert [path for path in named if not exists(path)] == []


def exists(path: str) -> bool:
    """Whether a file is there: from the root, in the package, or, of a bare name, in a folder of these."""
    if "/" in path:
        return (ROOT / path).exists() or (ROOT / "dy2st" / path).exists()
    return any(file.name == path for file in SOURCES)


def test_every_name_that_it_tells_is_in_the_source():
    names = {match[1] for code in CODES if (match := re.match(r"@?(?:g\.|raise )?(\w+)\(", code))}
    names |= {code for code in CODES if re.fullmatch(r"[a-z]+_[a-z_]+", code)}
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    assert len(names) > 8
    assert [name for name in sorted(names) if not re.search(rf"\b(def|class|import) {name}\b|\b{name}\b *[=(:]", source)] == []


def test_the_changelog_begins_with_the_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", text, re.M)[1] == dy2st.__version__
