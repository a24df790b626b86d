"""Every Python block of the README and the docs runs; a text block that follows one is what it prints."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import types
from importlib.util import find_spec
from pathlib import Path

import pytest
from doc_fences import run_cure, run_mistake
from support.doc_blocks import examples

from dy2st.runtime.convert.iteration import loops

ROOT = Path(__file__).resolve().parent.parent
PAGES = [*(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING")), *sorted((ROOT / "docs").rglob("*.md"))]
UNROLLED = loops.MAX_UNROLLED  # turns of a loop without end, until it is refused: seconds, where these are enough
TURNS = 40_000
RUNNERS = {"mistake": run_mistake, "cure": run_cure}  # the word behind `python`; `doc_fences` says what they do
# Blocks run where these are installed.
EXTRAS = {"onnx": "onnxruntime", "torch": "torch", "torchvision": "torchvision", "joblib": "joblib", "jax": "jax"}
EXTRAS["transformers"] = "tokenizers"  # which comes with it: the repository has a folder of the name `transformers`


def run_block(word, file, text, module):
    """Run one block in the module of its page; what it prints."""
    file.write_text(text, encoding="utf-8")
    run = lambda: exec(compile(text, str(file), "exec"), vars(module))  # noqa: E731
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        RUNNERS[word](run, text, vars(module)) if word in RUNNERS else run()
    return printed.getvalue()


@pytest.mark.parametrize("page", [p for p in PAGES if any(examples(p))], ids=lambda p: str(p.relative_to(ROOT)))
def test_the_examples_of_a_page_run_and_print_what_it_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loops, "MAX_UNROLLED", TURNS)
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    for word, name, text, expected in examples(page):
        if any(find_spec(EXTRAS[extra]) is None for extra in word.split() if extra in EXTRAS):
            continue
        if {"torchvision", "transformers"}.intersection(word.split()) and find_spec("torchvision"):
            import from_torch.vision  # noqa: F401 - so that it can be imported beside a CPU build of torch
        printed = run_block(word, tmp_path / name, text, module)
        if expected is not None:
            expected = expected.replace(f"ran {UNROLLED} times", f"ran {TURNS} times")
            assert plain(printed, tmp_path) == plain(expected, tmp_path), f"{page.name}, {name}:\n{text}"


def plain(text, folder):
    """The lines of what is printed, without the folder of the test, in the words of Python 3.11 and later."""
    text = re.sub(r"local variable ('\w+') referenced before assignment",
                  r"cannot access local variable \1 where it is not associated with a value", text)
    return [line.rstrip() for line in text.replace(f"{folder}/", "").strip().splitlines()]


def test_the_readme_has_exactly_two_commands():
    commands = re.findall(r"^ *pip install .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert [c.strip() for c in commands] == [
        "pip install '.[examples]' && python examples/digits.py",
        "pip install '.[test]' && pytest",
    ]


def test_every_link_to_the_repository_leads_somewhere():
    """The README's begin with its address, so that they work wherever it is shown; those of the docs are relative."""
    address = re.search(r'^Repository = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]
    for page in PAGES:
        targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        ours = [re.sub(r"^/(blob|raw|tree)/main/", "", t.removeprefix(address)) for t in targets if t.startswith(address)]
        relative = [target for target in targets if "://" not in target]
        assert ours and not relative if page.name == "README.md" else not ours, f"{page.name}: {ours or relative}"
        for folder, target in [*((ROOT, target) for target in ours), *((page.parent, target) for target in relative)]:
            assert (folder / target).exists(), f"{page.name} links to {target}"


def test_the_figures_of_the_first_page_are_those_of_the_benchmarks():
    results = (ROOT / "benchmarks/RESULTS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \| ([\d.]+) \| ([\d.]+)( \*)? \|$", (ROOT / "docs/index.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) > 5
    for case, loaded, exported, star in rows:
        other = "ONNX Runtime" if star else "torch.jit.script"
        figures = {"dy2st loaded": (loaded, "torch.jit.script"), "dy2st in ONNX Runtime": (exported, other)}
        for variant, (figure, side) in figures.items():
            pattern = rf"^\| {re.escape(case)} \| {variant} at most [\d.]+ x {re.escape(side)} \| ([\d.]+) \|"
            assert re.search(pattern, results, re.M)[1] == figure, f"copy {variant} of {case} from benchmarks/RESULTS.md"


def test_every_page_of_the_docs_is_in_the_navigation_of_the_site():
    named = re.findall(r"^ +- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    ours = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    assert sorted(set(ours) - set(named)) == []
