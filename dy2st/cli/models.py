"""Commands on saved models: what they hold, their Program, a run. They read model files only."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np

from .. import pytree
from ..saving.archive import name_problem
from .terminal import ModelOutput, show, show_text
from .usage import UsageError


def check_model(path: str) -> str:
    """`path`, where a model is; UsageError otherwise."""
    if not (os.path.isfile(path) or os.path.isfile(f"{path}.info.json")):
        raise UsageError(f"there is no model at {path} (looked for {path}.info.json and for an archive)")
    return path


def print_saved_graph(path: str) -> None:
    """`dy2st graph PATH`."""
    from ..saving import read_files

    show_text(str(read_files(check_model(path))[0]))


def inspect_model(options: argparse.Namespace) -> None:
    """`dy2st inspect`."""
    from ..saving import read_files

    program, info = read_files(check_model(options.path))
    if options.engine:
        from ..runtime.engine import compile_program

        show_text(compile_program(program).source)
    else:
        show([*_about(info), *entry_lines(program, info), *_storage(program)])


def _about(info: Any) -> Iterator[str]:
    yield f"model: {info.name or '(no name)'}, saved in {'training' if info.training else 'evaluation'} mode"
    yield "written by: " + ", ".join(f"{name} {version}" for name, version in info.versions.items())
    yield "sha256: the files belong together and are undamaged"  # reading them has checked it


def entry_lines(program: Any, info: Any) -> Iterator[str]:
    """Each entry point with the types of what it takes and gives."""
    for method, name in info.entries.items():
        function = program.functions[name]
        inputs = ", ".join(f"{value.name}: {value.type}" for value in function.block.args)
        yield f"entry: {method}({inputs}) -> {', '.join(map(str, function.result_types)) or 'nothing'}"


def _storage(program: Any) -> Iterator[str]:
    """Parameters, buffers and constants with their types and bytes, then the Python state."""
    sizes = {name: parameter.data.nbytes for name, parameter in program.parameters.items()}
    yield f"tensors: {len(sizes)}, {sum(sizes.values()):,} bytes"
    for name, parameter in program.parameters.items():
        yield f"  {name}: {parameter.type}, {sizes[name]:,} bytes, {parameter.kind}"
    if program.state:
        yield f"state: {len(program.state)}"
    for name, state in program.state.items():
        yield f"  {name}: {state.type} = {state.value!r}"


def run_model(options: argparse.Namespace) -> None:
    """`dy2st run`."""
    from ..jit import load

    model = load(check_model(options.path), backend=options.backend)
    arrays = [array for path in options.input for array in read_arrays(path)]
    with redirect_stdout(ModelOutput()):
        results = dict(leaves(model(*arrays)))
    if options.output:
        _write_arrays(options.output, results)
    else:
        show(line for name, value in results.items() for line in _described(name, value))


def read_arrays(path: str) -> list[np.ndarray]:
    """The arrays of a .npy or .npz file; UsageError for another file."""
    try:
        found = np.load(path, allow_pickle=False)
    except OSError as error:
        raise UsageError(f"--input {path}: {error}") from error
    except (ValueError, EOFError, BadZipFile) as error:
        raise UsageError(f"--input {path}: expected a .npy or .npz file of plain arrays, which this is not") from error
    return [found] if isinstance(found, np.ndarray) else [found[name] for name in found.files]


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays and Python values inside nested lists, tuples and dicts, under names like `0.scores`."""
    if not pytree.is_container(value):
        yield name or "out", value.numpy() if hasattr(value, "numpy") else value
    for (key,), part in pytree.parts_of(value) if pytree.is_container(value) else ():
        yield from leaves(part, f"{name}.{key}" if name else str(key))


def _write_arrays(path: str, results: dict[str, Any]) -> None:
    from ..saving.writer import replacing

    if path.endswith(".npy"):
        if len(results) != 1:
            raise UsageError(f"--output {path}: a .npy file holds one array, the model gives {len(results)}; use .npz")
        with replacing(path) as file:
            np.save(file, next(iter(results.values())), allow_pickle=False)
    elif path.endswith(".npz"):
        with replacing(path) as file, ZipFile(file, "w") as archive:
            for name, value in results.items():
                _write_member(archive, f"{name}.npy", value, path)
    else:
        raise UsageError(f"--output {path}: expected a name that ends in .npy or .npz")


def _write_member(archive: ZipFile, name: str, value: Any, path: str) -> None:
    """As `numpy.savez` does, which has arguments of its own that a result may be called like, and pickles what is no array."""
    if problem := name_problem(name):
        raise UsageError(f"--output {path}: the model has a result called {name!r}, which can't be a file: {problem}")
    array = np.asarray(value)
    if array.dtype.hasobject:
        raise UsageError(f"--output {path}: the result {name!r} is {type(value).__name__}, which is no array")
    with archive.open(name, "w", force_zip64=True) as member:
        np.lib.format.write_array(member, array, allow_pickle=False)


def _described(name: str, value: Any) -> list[str]:
    """A result in lines: an array of more than one axis stands under its name."""
    if not isinstance(value, np.ndarray):
        return [f"{name}: {value!r}"]
    head = f"{name}: {value.dtype.name}{list(value.shape)}"
    rows = np.array2string(value, threshold=50, precision=6).split("\n")
    return [f"{head} {rows[0]}"] if len(rows) == 1 else [head, *rows]
