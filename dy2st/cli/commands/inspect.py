"""`dy2st inspect`: what a saved model holds."""

from __future__ import annotations

import argparse
from typing import Any

from ..command import Command
from ..entries import entry_line, signature
from ..naming.models import model_path
from ..options import add_model
from ..output.report import Lines, Part, Report, Source, Table


def add_options(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("--engine", action="store_true", help="print the source that the engine generates")


def run(options: argparse.Namespace) -> Report:
    from ...saving import read_files

    path = model_path(options.model)
    program, info = read_files(path)
    if options.engine:
        from ...runtime.engine import compile_program

        source = compile_program(program).source
        return Report({"model": path, "source": source}, [Source(source)])
    return Report({"model": path, **_data(program, info)}, _parts(program, info))


def _data(program: Any, info: Any) -> dict[str, Any]:
    return {
        "name": info.name,
        "training": info.training,
        "versions": info.versions,
        "entries": [{"name": method, **signature(program, name)} for method, name in info.entries.items()],
        "tensors": [
            {"name": name, "type": str(p.type), "bytes": p.data.nbytes, "kind": p.kind} for name, p in program.parameters.items()
        ],
        "state": [{"name": name, "type": str(state.type), "value": repr(state.value)} for name, state in program.state.items()],
    }


def _parts(program: Any, info: Any) -> list[Part]:
    sizes = {name: parameter.data.nbytes for name, parameter in program.parameters.items()}
    tensors = [(name, p.type, sizes[name], p.kind) for name, p in program.parameters.items()]
    state = [(name, slot.type, repr(slot.value)) for name, slot in program.state.items()]
    about = [
        f"model: {info.name or '(no name)'}, saved in {'training' if info.training else 'evaluation'} mode",
        "written by: " + ", ".join(f"{name} {version}" for name, version in info.versions.items()),
        "sha256: the files belong together and are undamaged",  # reading them has checked it
        *(entry_line(program, method, name) for method, name in info.entries.items()),
    ]
    parts: list[Part] = [Lines(about), Table(f"tensors: {len(sizes)}, {sum(sizes.values()):,} bytes",
                                             ["name", "type", "bytes", "kind"], tensors)]  # fmt: skip
    return [*parts, Table(f"state: {len(state)}", ["name", "type", "value"], state)] if state else parts


COMMAND = Command("print what a saved model holds", add_options, run)
