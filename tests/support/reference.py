"""The reference of the public names, one Markdown page for each package, made of their docstrings when the site is built."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import textwrap
import types
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support.docstrings import Public, members, offered
from support.stubs import default_text

SPACES = {
    "": "The functions of tensors, and what else `import dy2st` gives.",
    "Tensor": "The methods of tensors.",
    "nn": "Layers.",
    "nn.functional": "The functions that layers call.",
    "nn.initializer": "First values of parameters.",
    "nn.utils": "Parameters and their norms.",
    "jit": "Convert, save, load, script and trace.",
    "static": "What a Program is told: types of inputs, strategies.",
    "optimizer": "Optimizers.",
    "optimizer.lr": "Learning rates that change.",
    "autograd": "Gradients of your own.",
    "func": "Functions of functions: without writes, gradients, Programs.",
    "io": "Data sets and batches.",
    "metric": "Metrics.",
    "callbacks": "What a Model tells how far it is.",
    "amp": "Mixed precision.",
    "regularizer": "Weight decay.",
    "fft": "Fourier transforms.",
    "linalg": "Linear algebra.",
    "signal": "Frames of signals.",
    "torch": "Models of PyTorch as Programs.",
    "onnx": "ONNX models out, in, and run.",
    "traced_module": "The graph of a model, to walk and to change.",
    "passes": "Changes of Programs.",
    "config": "Limits, and what is kept between calls.",
    "errors": "What is raised.",
    "cli": "The command line as a function.",
    "static.nn": "Control flow written as calls.",
    "device": "Devices, of which there is one.",
    "device.cuda": "What Paddle's code asks of GPUs.",
    "utils": "Helpers.",
    "base.dygraph": "Paddle's older names.",
    "distributed.fleet.utils": "Recomputation.",
}
HEAD = """# The names of dy2st

What `help(dy2st.concat)` shows, for all public names. [The names of Paddle](../api.md) says how they differ from Paddle's.
In these texts `[n, m]` is a shape and `[...]` stands for any axes.

"""


@functools.cache
def pages() -> dict[str, str]:
    """The text of each page, by its path under `reference/`."""
    told: dict[int, str] = {}
    made = {f"{_title(space)}.md": _page(space, told) for space in SPACES}
    rows = "\n".join(f"| [`{_title(space)}`]({_title(space)}.md) | {about} |" for space, about in SPACES.items())
    return {"index.md": f"{HEAD}| package | what it has |\n|---|---|\n{rows}\n"} | made


def _title(space: str) -> str:
    return f"dy2st.{space}" if space else "dy2st"


def _page(space: str, told: dict[int, str]) -> str:
    title = _title(space)
    entries = _of_source(title) if find_spec(title) and not _imports(title) else _of_runtime(space, told)
    return f"# {title}\n\n{SPACES[space]}\n\n" + "\n".join(entries)


def _imports(module: str) -> bool:
    """Whether a package can be imported: not without the one of its extra."""
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


def _of_runtime(space: str, told: dict[int, str]) -> Iterator[str]:
    """The entries of a package or class. told: where names were told before, by object; those of this one are added."""
    home: Any = importlib.import_module("dy2st")
    for part in filter(None, space.split(".")):
        home = getattr(home, part, None) or importlib.import_module(f"{home.__name__}.{part}")
    if isinstance(home, types.ModuleType):
        found = [Public(f"{space}.{name}".lstrip("."), value) for name, value in offered(home)]
        found = sorted((public for public in found if public.path != "Tensor"), key=lambda public: isinstance(public.value, type))
    else:
        found = [Public(space, home), *(Public(public.path, public.value, home) for public in members(space, home))]
    for public in found:
        before = told.setdefault(id(public.plain), public.path)
        yield _entry(public, 2) if before == public.path else _pointer(public.path, before)
        if isinstance(public.plain, type) and before == public.path and not issubclass(public.plain, BaseException):
            for member in members(public.path, public.plain):
                shown = Public(f"{public.path}.{member.path.rpartition('.')[2]}", member.value, public.plain)
                if told.setdefault(id(shown.plain), shown.path) == shown.path:
                    yield _entry(shown, 3)


def _pointer(path: str, before: str) -> str:
    return f"{_heading(path, 2)}As [`{before}`]({_title(_space_of(before))}.md#{_anchor(before)}).\n"


def _space_of(path: str) -> str:
    return max((space for space in SPACES if path.startswith(f"{space}.")), key=len, default="")


def _anchor(path: str) -> str:
    return path.lower().replace(".", "")


def _entry(public: Public, depth: int) -> str:
    return _text(public.path, *_signature(public), inspect.getdoc(public.value) or "", depth)


def _text(path: str, names: list[str], signature: str, doc: str, depth: int) -> str:
    shown = f"```python\n{path.rpartition('.')[2]}{signature}\n```\n\n" if signature else ""
    return f"{_heading(path, depth)}{shown}{markdown(doc, names)}\n"


def _heading(path: str, depth: int) -> str:
    """The whole path as a heading; the table of contents has the last name."""
    return f'{"#" * depth} {path} {{ data-toc-label="{path.rpartition(".")[2]}" }}\n\n'


def _signature(public: Public) -> tuple[list[str], str]:
    """The names of the parameters, and all of it as text."""
    try:
        parameters = list(inspect.signature(public.value).parameters.values())
    except (TypeError, ValueError):  # a property
        return [], ""
    if public.owner and not isinstance(inspect.getattr_static(public.owner, public.path.rpartition(".")[2]), staticmethod):
        del parameters[0]  # the object itself
    parts, previous = [], None
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and previous not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            parts.append("*")
        stars = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        parts.append(f"{stars}{p.name}" + ("" if p.default is p.empty else f"={default_text(p.default)}"))
        previous = p.kind
    return [p.name for p in parameters], "\n    ".join(textwrap.wrap(f"({', '.join(parts)})", 84))


def _of_source(module: str) -> Iterator[str]:
    """The entries of a package that can't be imported here, by the source of what its `__init__` imports."""
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            source = Path(spec.origin).with_name(f"{node.module}.py").read_text(encoding="utf-8")
            for found in ast.parse(source).body:
                if isinstance(found, ast.FunctionDef) and found.name in {alias.name for alias in node.names if not alias.asname}:
                    path = f"{module.partition('.')[2]}.{found.name}"
                    names = [arg.arg for arg in (*found.args.args, *found.args.kwonlyargs)]
                    yield _text(path, names, f"({ast.unparse(found.args)})", ast.get_docstring(found) or "", 2)


def markdown(doc: str, names: list[str]) -> str:
    """A docstring as Markdown: `>>>` examples are code, what is said of parameters, whose names these are, is a list."""
    return "\n\n".join(_block(block, names) for block in re.split(r"\n\s*\n", doc.strip("\n")))


def _block(block: str, names: list[str]) -> str:
    if block.startswith(">>>"):
        return f"```pycon\n{block}\n```"
    if block.startswith("    "):
        return block
    text = re.sub(r"`[^`]*`|[*<]", lambda found: {"*": r"\*", "<": "&lt;"}.get(found[0], found[0]), " ".join(block.split()))
    name = "|".join([*map(re.escape, names), r"[A-Z]\w*(?:Error|Warning)"])
    before, *items = re.split(rf"(?:^|(?<=[.;:]) )((?:{name})(?:, (?:{name}))*): ", text)
    listed = "\n".join(f"- `{item}`: {about}" for item, about in zip(items[::2], items[1::2]))
    return "\n\n".join(filter(None, (before, listed)))
