"""`dy2st run`: a saved model on arrays, once."""

from __future__ import annotations

import argparse

from ..command import Command
from ..naming.models import loadable_path
from ..options import ARRAYS, add_backend, add_inputs, add_model, arguments_for, offer
from ..output.progress import working
from ..output.report import Lines, Report
from ..results import as_data, check_file_name, described, leaves, write_arrays


def add_options(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_inputs(parser)
    written = "write the results here (.npy for one array) instead of printing them"
    offer(parser.add_argument("--output", metavar="Y.npz", help=written), ARRAYS)
    add_backend(parser)


def run(options: argparse.Namespace) -> Report:
    from ...jit import load

    path = loadable_path(options.model)
    if options.output:
        check_file_name(options.output)
    with working(f"running {path}"):
        model = load(path, backend=options.backend)
        results = dict(leaves(model(*arguments_for(model, options.input))))
    if options.output:
        write_arrays(options.output, results)
        return Report({"output": options.output, "results": list(results)})
    lines = [line for name, value in results.items() for line in described(name, value)]
    return Report({name: as_data(value) for name, value in results.items()}, [Lines(lines)])


COMMAND = Command("run a saved model on arrays", add_options, run, prints_are_results=True)
