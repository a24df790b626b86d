"""`dy2st convert`: an object of the user's becomes a saved model, or an ONNX file."""

from __future__ import annotations

import argparse
import os
from typing import Any

from ..command import Command
from ..entries import entry_line, signature
from ..naming.models import model_prefix
from ..naming.objects import FORM, Found, callable_of, find
from ..naming.specs import specs_for
from ..options import FILES, add_object, add_specs, offer
from ..output.progress import working
from ..output.report import Lines, Report
from ..usage import FailedError, UsageError

ONNX = ".onnx"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_object(parser, "FILE:OBJECT", f"a layer or a function: {FORM}")
    add_specs(parser)
    out = "out/net for three files, net.dy2st for one archive, net.onnx for ONNX"
    offer(parser.add_argument("--out", required=True, metavar="PATH", help=out), FILES)
    parser.add_argument("--train", action="store_true", help="save a layer in training mode; else in evaluation mode")


def run(options: argparse.Namespace) -> Report:
    _check_out(options.out)
    from ..naming.pytorch import static_of, unwrapped

    named = find(options.target)
    found = callable_of(named, options.target)
    specs = specs_for(found, options.spec, options.target)
    notes = _notes(named, found, options.train)
    mode = _in_mode(found, options.train)
    with working(f"converting {options.target}"):
        static = static_of(unwrapped(found), specs)
        _check_that_it_returns(static)
        about = _exported(static, options.out) if options.out.endswith(ONNX) else _saved(static, options.out)
    files = {path: os.path.getsize(path) for path in about.pop("files")}
    lines = [f"{options.target} is saved{mode}", *notes, *about.pop("lines")]
    lines += [f"wrote {path}, {size:,} bytes" for path, size in files.items()]
    return Report({"out": options.out, "files": files, "training": options.train, "notes": notes, **about}, [Lines(lines)])


def _check_out(out: str) -> None:
    if os.path.isdir(out) or not os.path.basename(out):
        raise UsageError(f"--out {out} is a folder: name a file in it, such as {os.path.join(out, 'net')}")
    if model_prefix(out) != out:
        raise UsageError(f"--out {out} is one of the three files of a model: write --out {model_prefix(out)}")


def _notes(named: Found, found: Any, train: bool) -> list[str]:
    """What is done to a layer before it is saved, or isn't: its mode, its weights."""
    layer, notes = getattr(found, "__self__", found), []
    if not train and getattr(layer, "training", False) is True and hasattr(layer, "eval"):
        notes.append("eval() was called first, since the layer was in training mode; --train saves it in that")
    cls = next((x for x in named[::-1] if isinstance(x, type)), None)
    if cls is not None and hasattr(layer, "parameters") and list(layer.parameters()):
        made = f"{cls.__name__}() was called, so that its weights are fresh random numbers"
        notes.append(f"{made}; name an object with trained ones instead, such as net = {cls.__name__}() and what loads them")
    return notes


def _in_mode(found: Any, train: bool) -> str:
    """Put a layer, or that of a method, into the mode; the words that say so."""
    layer = getattr(found, "__self__", found)
    if not hasattr(layer, "eval"):
        if train:
            raise UsageError(f"--train is for layers, not {type(found).__name__}")
        return ""
    layer.train(train) if train else layer.eval()
    return f" in {'training' if train else 'evaluation'} mode"


def _check_that_it_returns(static: Any) -> None:
    """FailedError for a function that raises on each path, as for a spec of another width than the weights'."""
    program = getattr(static, "forward", static).concrete_program
    end = next(iter(program.main_program.functions.values())).block.terminator
    if end is not None and end.name == "raise":
        paths = [f"{path.loc}: {path.error}" for path in program.staged.failing] or ["nothing returns"]
        raise FailedError(f"every path raises, whatever the inputs are: {paths[0]}")


def _saved(static: Any, out: str) -> dict[str, Any]:
    from ...jit import save
    from ...saving import SUFFIX, read_files
    from ...saving.files import DATA_FILES, INFO

    save(static, out)
    program, info = read_files(out)
    entries = [{"name": method, **signature(program, name)} for method, name in info.entries.items()]
    files = [out] if out.endswith(SUFFIX) else [f"{out}.{suffix}" for suffix in (*DATA_FILES, INFO)]
    return {"files": files, "entries": entries, "lines": [entry_line(program, *entry) for entry in info.entries.items()]}


def _exported(static: Any, out: str) -> dict[str, Any]:
    from ...onnx import export

    return {"files": [export(static, out)], "lines": []}


COMMAND = Command("convert an object, and save it", add_options, run)
