"""Extras: the commands that messages and pages name install what this repository has, and nothing from an index."""

import re
from pathlib import Path

from dy2st.extras import how_to_install

ROOT = Path(__file__).parent.parent
TEXTS = [path for part in ("dy2st", "docs", "examples", "benchmarks", "tests") for path in sorted((ROOT / part).rglob("*"))
         if path.suffix in (".py", ".pyi", ".md", ".html") and "node_modules" not in path.parts]  # fmt: skip
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
# dy2st, or an extra of it, as the name of a package that an installer is to find.
OFFERED = re.compile(r"""(pip3?|pipx|uv|poetry|conda) +(install|add)( +[^\s'"`]+)*? +['"]?dy2st(?![\w/-])""")


def extras():
    """The names of the extras in pyproject.toml."""
    table = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]\n")[2]
    return set(re.findall(r"^(\w+) = \[", table.partition("\n[")[0], re.M))


def test_i_06_nothing_offers_dy2st_from_a_package_index():
    assert all(map(OFFERED.search, ("pip install 'dy2st[onnx]'", "uv add dy2st", "pip install -U dy2st==1")))
    assert not OFFERED.search("pip install '.[onnx]' in a clone of dy2st")
    texts = {path: path.read_text(encoding="utf-8") for path in [*TEXTS, *PAGES] if path != Path(__file__)}
    assert [path for path, text in texts.items() if OFFERED.search(text)] == []


def test_i_06_every_extra_that_is_named_exists():
    named = set()
    for path in [*TEXTS, *PAGES]:
        text = path.read_text(encoding="utf-8")
        named.update(*(group.split(",") for group in re.findall(r"pip install (?:-e )?'\.\[([\w,]+)\]'", text)))
        named.update(re.findall(r"""how_to_install\(["'](\w+)["']\)""", text))
    assert {"torch", "onnx", "jax", "cli", "test"} <= named <= extras()
    assert how_to_install("torch") == "pip install '.[torch]' in a clone of dy2st"
