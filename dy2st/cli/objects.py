"""Commands on the user's objects, named as `FILE.py:OBJECT`: the rewritten source, the Program."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from .terminal import show, show_text
from .usage import UsageError

_OBJECT = re.compile(r"(?P<file>.+\.py):(?P<names>\w+(\.\w+)*)")


def is_object(target: str) -> bool:
    """Whether a target is written as FILE.py:OBJECT."""
    return _OBJECT.fullmatch(target) is not None


def print_code(options: argparse.Namespace) -> None:
    """`dy2st code`."""
    from ..transformers import transpile

    _, found = _find(options.target)
    function = getattr(found, "forward", found)
    function = getattr(function, "__wrapped__", function)
    if not callable(function):
        raise UsageError(f"{options.target} is {type(found).__name__}, not a function, a method or a layer")
    show_text(transpile(getattr(function, "__func__", function)).annotated())


def print_graph(options: argparse.Namespace) -> None:
    """`dy2st graph FILE:OBJECT`."""
    show_text(str(_staged(options).main_program))


def print_unrolled(options: argparse.Namespace) -> None:
    """`dy2st code --unrolled`."""
    show(_staged(options).unrolled or ["no loop would be shorter if it were recorded once"])


def _staged(options: argparse.Namespace) -> Any:
    """The concrete program of the target, for inputs of the types of --spec, or of those that the file gives."""
    from .pytorch import static_of, unwrapped

    found = target_object(options.target)
    specs = [spec_of_text(text) for text in options.spec] or own_spec(found)
    if specs is None:
        raise UsageError(f"{options.target} has inputs: give one --spec for each, for example --spec 'float32[?,3]'")
    static = static_of(unwrapped(found), specs)
    return getattr(static, "forward", static).concrete_program


def target_object(target: str) -> Any:
    """What FILE.py:OBJECT names; in place of a class, or of a method of one, that of an object that the class makes."""
    owner, found = _find(target)
    if isinstance(found, type):
        return _instance(found, target)
    return getattr(_instance(owner, target), target.rpartition(".")[2]) if isinstance(owner, type) else found


def own_spec(found: Any) -> list | None:
    """The input_spec that the file gives a static function or layer; none for one without inputs; None: it has to be given."""
    function = getattr(found, "forward", found)
    given = getattr(function, "_input_spec", None)  # of a StaticFunction
    if given is None and any(p.default is p.empty for p in inspect.signature(function).parameters.values()):
        return None
    return given or []


def _find(target: str) -> tuple[Any, Any]:
    """The object that `FILE:A.b` names, and what it is an attribute of."""
    match = _OBJECT.fullmatch(target)
    if match is None:
        raise UsageError(f"{target!r} is not of the form FILE.py:OBJECT, for example net.py:Net.forward")
    owner: Any = None
    found: Any = load_source(Path(match["file"]))
    where = match["file"]
    for name in match["names"].split("."):
        if not hasattr(found, name):
            raise UsageError(f"there is no {name!r} in {where}, which has {_public_names(found)}")
        owner, found = found, getattr(found, name)
        where += f":{name}" if where == match["file"] else f".{name}"
    return owner, found


def _public_names(found: Any) -> str:
    """What a user may name in a file, a class or an object: what was made there, not what it has imported or inherited."""
    home = getattr(found, "__name__" if isinstance(found, ModuleType) else "__module__", None)

    def is_own(value: Any) -> bool:
        if isinstance(value, type | FunctionType):
            return value.__module__ == home
        return not isinstance(value, ModuleType)

    names = [name for name, value in getattr(found, "__dict__", {}).items() if not name.startswith("_") and is_own(value)]
    return ", ".join(names) or "nothing public"


def load_source(path: Path) -> ModuleType:
    """Import a file under a name that no other module has; its folder serves its own imports, as for a script."""
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    name = f"dy2st_cli_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} can't be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module


def _instance(cls: type, target: str) -> Any:
    try:
        inspect.signature(cls).bind()
    except TypeError as error:
        advice = f"name an object of the file instead, for example net = {cls.__name__}(...)"
        raise UsageError(f"{target}: {cls.__name__}() is {error}; {advice}") from error
    return cls()


def spec_of_text(text: str) -> Any:
    """An InputSpec from `float32[?,3]` or `x=float32[n,3]`."""
    from ..ir.types import TensorType, parse_type
    from ..runtime.tensors.spec import InputSpec

    name, _, type_text = text.rpartition("=")
    try:
        found = parse_type(type_text)
    except ValueError as error:
        raise UsageError(f"--spec {text}: {error}") from error
    if not isinstance(found, TensorType) or found.shape is None:
        raise UsageError(f"--spec {text}: expected a tensor of known rank, for example float32[?,3]")
    return InputSpec([dim if isinstance(dim, int) else None for dim in found.shape], found.dtype, name or None)
