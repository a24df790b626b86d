"""The modules that a command imports: a file by its path, or a module by its name. Who calls `main` finds sys.path as it was."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

from ..output.progress import working
from ..usage import UsageError


def module_of(source: str) -> ModuleType:
    """The module in a file, `net.py`, or of a name, `package.module`. UsageError: there is none."""
    with working(f"importing {source}"):
        return load_source(Path(source)) if source.endswith(".py") else _by_name(source)


def load_source(path: Path) -> ModuleType:
    """Import a file: one of a package under its name there, any other under a name that no other module has.

    The folder of the file, or that of its package, serves its imports, as for a script.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}")
    home = path.resolve().parent
    names = [path.stem]
    while (home / "__init__.py").is_file():
        names.insert(0, home.name)
        home = home.parent
    sys.path.insert(0, str(home))
    if len(names) > 1:
        return importlib.import_module(".".join(names).removesuffix(".__init__"))
    return _fresh(path)


def _fresh(path: Path) -> ModuleType:
    name = f"dy2st_cli_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} can't be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _by_name(name: str) -> ModuleType:
    sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # of what it imports
        raise UsageError(f"there is no module {error.name}, in this folder or where Python looks: {name} can't be imported")
