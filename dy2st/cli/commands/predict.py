"""`dy2st predict`: a saved model on all rows of many files."""

from __future__ import annotations

import argparse
import time

import numpy as np

from ...config import VERSION
from ..command import Command
from ..naming.models import loadable_path
from ..options import ARRAYS, FOLDERS, add_backend, add_model, offer
from ..output.progress import working
from ..output.report import Lines, Report
from ..usage import UsageError

BATCH = 64


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.usage = "dy2st predict MODEL --input FILES [FILES ...] --output FOLDER [options]"
    add_model(parser)
    inputs = "files such as 'data/*.npy', whose first axis are rows; the option again for each further input of the model"
    offer(parser.add_argument("--input", action="append", nargs="+", required=True, metavar="FILES", help=inputs), ARRAYS)
    offer(parser.add_argument("--output", required=True, metavar="FOLDER", help="a file of results for each input file"), FOLDERS)
    parser.add_argument("--batch", type=int, metavar="N", help=f"rows of one call ({BATCH})")
    add_backend(parser)


def run(options: argparse.Namespace) -> Report:
    from ..predict.folder import Folder
    from ..predict.inputs import tasks_for
    from ..predict.model import model_of
    from ..predict.running import predict

    start = time.monotonic()
    path = loadable_path(options.model)
    with working(f"loading {path}"):
        model, specs = model_of(path, options.backend)
        tasks = tasks_for(options.input, specs, options.output)
    size = _size(options.batch, model.size)
    for task in tasks if model.size is not None else ():
        if task.rows % size:
            raise UsageError(f"{task.label} has {task.rows} rows, and the model takes {size} at a time, no fewer")
    folder = Folder(options.output, model.ending)
    versions = {"dy2st": VERSION, "numpy": np.__version__}
    about = {"model": model.identity, "backend": options.backend or "numpy", "batch": size, **versions}
    rows = sum(task.rows for task in tasks)
    with folder.held(about, tasks), working("predicting", rows, "rows") as progress:
        try:
            written, kept = predict(model, folder, tasks, size, progress)
        except KeyboardInterrupt:
            done = f"{progress.done:,} of {rows:,} rows are done"
            raise KeyboardInterrupt(f"interrupted: {done}; the same command goes on from there") from None
    seconds = time.monotonic() - start
    were = f" ({len(kept)} were there)" if kept else ""
    line = f"{len(tasks)} results in {options.output}{were}: {rows:,} rows, {seconds:.1f} s"
    return Report({"written": written, "kept": kept, "rows": rows, "seconds": round(seconds, 3)}, [Lines([line])])


def _size(given: int | None, fixed: int | None) -> int:
    if given is not None and given < 1:
        raise UsageError(f"--batch {given}: expected at least 1")
    if fixed is not None and given not in (None, fixed):
        raise UsageError(f"--batch {given}: the model takes {fixed} rows at a time")
    return fixed or given or BATCH


COMMAND = Command("run a saved model on the rows of many files, in batches; a run that was cut off goes on", add_options, run)
