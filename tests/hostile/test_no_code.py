"""Nothing in the package runs text as code, unpickles or starts a process, but where it compiles what it has written itself."""

from __future__ import annotations

import ast
from pathlib import Path

import dy2st

ROOT = Path(dy2st.__file__).parent
CALLS = {"eval", "exec", "compile", "__import__", "execfile"}
MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "subprocess", "ctypes", "code", "codeop", "runpy", "pty"}
OS_CALLS = {"system", "popen", "execv", "execve", "execl", "execvp", "spawnl", "spawnv", "posix_spawn", "startfile", "fork"}
ALLOWED = {
    ("runtime/engine/numpy_source.py", "compile"): "the engine's source: identifiers of its own, and checked literals",
    ("runtime/engine/numpy_source.py", "exec"): "the same",
    ("runtime/engine/source.py", "compile"): "a call around a body, and guards: with names that this process has",
    ("runtime/engine/source.py", "exec"): "the same",
    ("runtime/convert/iteration/unpacking.py", "exec"): "the shape of a target, with names of its own",
    ("runtime/convert/builtins/eval_.py", "compile"): "the text that the user's own function gives to eval",
    ("runtime/convert/builtins/eval_.py", "exec"): "the same",
    ("runtime/where/copied_frames.py", "compile"): "a call of its own, at a line of a caller's source",
    ("runtime/where/user_frames.py", "compile"): "a call of its own, at a line of this process's source",
    ("runtime/where/user_frames.py", "eval"): "the same",
    ("runtime/tensors/dlpack.py", "ctypes"): "the kind of elements that a capsule of DLPack tells, which NumPy doesn't know",
    ("transformers/source.py", "compile"): "the user's own function, as its file has it",
    ("transformers/transpile.py", "compile"): "the user's own function, rewritten",
}


def suspicious(tree: ast.AST):
    """What a file calls or imports that could run text, by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield node.func.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if (node.value.id == "os" and node.attr in OS_CALLS) or (node.value.id == "builtins" and node.attr in CALLS):
                yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module.partition(".")[0] in MODULES:
            yield node.module
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle" and not (
            isinstance(node.value, ast.Constant) and node.value.value is False
        ):
            yield "allow_pickle"


def test_the_package_runs_no_text_but_its_own():
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ROOT.rglob("*.py")
        for name in suspicious(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(ALLOWED)


def test_each_way_is_found():
    text = (
        "eval(x); exec(x); compile(x, '', 'exec'); __import__(x); os.system(x); builtins.eval(x); import pickle\n"
        "from subprocess import run\nnp.load(x, allow_pickle=True)"
    )
    expected = {"eval", "exec", "compile", "__import__", "os.system", "builtins.eval", "pickle", "subprocess", "allow_pickle"}
    assert set(suspicious(ast.parse(text))) == expected
