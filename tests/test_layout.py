"""The shape of the repository: the layer contract catches a wrong import, the root links lead into the package, and loading
a model pulls in no syntax-tree library."""

from __future__ import annotations

import pkgutil
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import dy2st

ROOT = Path(__file__).resolve().parent.parent

PLANTED = {
    "dy2st/ir/planted.py": ("import dy2st.jit", "dy2st.ir is not allowed to import dy2st.jit"),
    "dy2st/ops/planted.py": ("def late():\n    from .. import runtime", "dy2st.ops is not allowed to import dy2st.runtime"),
    "dy2st/transformers/planted.py": ("from ..ops import registry", "dy2st.transformers is not allowed to import dy2st.ops"),
    "dy2st/runtime/planted.py": ("from dy2st import nn", "dy2st.runtime is not allowed to import dy2st.nn"),
    "dy2st/jax/planted.py": ("from ..onnx import engine", "dy2st.jax is not allowed to import dy2st.onnx"),
    "dy2st/graphs/planted.py": ("import onnx", "dy2st.graphs is not allowed to import onnx"),
    "dy2st/saving/planted.py": ("import gast", "dy2st.saving is not allowed to import gast"),
    "dy2st/jit/interface/planted.py": ("from .. import saving", "dy2st.jit.interface is not allowed to import dy2st.jit.saving"),
    "dy2st/unheard_of/__init__.py": ("", "dy2st.unheard_of"),
}


def lint_imports(tree: Path) -> subprocess.CompletedProcess:
    pytest.importorskip("importlinter", reason="import-linter comes with the extra 'dev'")
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as main; main()", "--no-cache"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, env={"PYTHONPATH": str(tree)})


@pytest.fixture
def tree(tmp_path):
    shutil.copytree(ROOT / "dy2st", tmp_path / "dy2st", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "setup.cfg", tmp_path)
    return tmp_path


def test_the_layer_contract_holds(tree):
    done = lint_imports(tree)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_layer_contract_catches_each_planted_import(tree):
    for path, (text, _) in PLANTED.items():
        (tree / path).parent.mkdir(exist_ok=True)
        (tree / path).write_text(text + "\n")
    done = lint_imports(tree)
    assert done.returncode == 1
    assert [complaint for _, complaint in PLANTED.values() if complaint not in done.stdout] == []


@pytest.mark.parametrize("name", ["transformers", "runtime"])
def test_the_root_links_lead_into_the_package(name):
    assert (ROOT / name).is_symlink()
    assert (ROOT / name).resolve() == ROOT / "dy2st" / name


def test_every_folder_of_the_package_is_a_package():
    folders = {path.parent for path in (ROOT / "dy2st").rglob("*.py")}
    assert [str(f.relative_to(ROOT)) for f in folders if not (f / "__init__.py").exists()] == []


def test_only_the_package_is_installed():
    installed = [d for d in metadata.distributions(name="dy2st") if d.read_text("RECORD")]  # not what a build left in the tree
    if not installed:
        pytest.skip("runs from the source tree")
    tops = {path.parts[0] for d in installed for path in d.files or [] if path.suffix == ".py"}
    tops = {top for top in tops if not top.startswith("__editable__")}  # by which `pip install -e` finds the tree
    assert tops <= {"dy2st"}, "the links at the root must not be installed"


def test_no_module_of_jit_hides_a_public_function():
    modules = {module.name for module in pkgutil.iter_modules(dy2st.jit.__path__)}
    assert "saving" in modules and modules.isdisjoint(dy2st.jit.__all__)


@pytest.mark.parametrize("library", ["gast", "astor"])
def test_loading_a_model_imports_no_syntax_tree_library(library):
    code = f"import dy2st, dy2st.jit, dy2st.cli, sys; sys.exit({library!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr or f"import dy2st imports {library}"


def test_what_graph_engines_share_imports_none_of_their_packages():
    found = pkgutil.walk_packages(dy2st.__path__, "dy2st.")
    modules = sorted(module.name for module in found if module.name.startswith("dy2st.graphs"))
    assert len(modules) > 25
    code = f"import {', '.join(modules)}, sys; sys.exit(not sys.modules.keys().isdisjoint(['onnx', 'onnxruntime', 'jax']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr or "dy2st.graphs imports a package of an engine"


def about_the_source() -> str:
    """The text of all pages about the source."""
    pages = [ROOT / "docs/architecture.md", *sorted((ROOT / "docs/architecture").glob("*.md"))]
    return "\n".join(path.read_text(encoding="utf-8") for path in pages)


def test_the_pages_about_the_source_name_every_folder_and_the_files_of_the_runtime_and_of_jit():
    page = about_the_source()
    package = ROOT / "dy2st"
    rooms = [folder.relative_to(package) for folder in package.rglob("*") if (folder / "__init__.py").exists()]
    for room in rooms:
        first, *inner = room.parts
        rest = "/".join(inner)
        assert f"{room}/" in page or f"dy2st/{room}`" in page or (rest and f"`{rest}/`" in page), f"{room} has no row"
    files = [path for part in ("runtime", "jit") for path in (package / part).rglob("*.py") if "dy2static" not in path.parts]
    assert [str(path) for path in files if path.name != "__init__.py" and f"{path.name}`" not in page] == []


def test_a_table_of_files_has_all_of_its_folder():
    tables = re.findall(r"^\| `([\w/]+)/`[^|]*\| content.*\n\|-.*\n((?:\|.*\n)+)", about_the_source(), re.M)
    assert len(tables) > 25
    for folder, rows in tables:
        named = {name for cell in re.findall(r"^\| (.*?) \|", rows, re.M) for name in re.findall(r"`([\w.]+\.py)`", cell)}
        assert named == {path.name for path in (ROOT / "dy2st" / folder).glob("*.py")} - {"__init__.py"}, folder
