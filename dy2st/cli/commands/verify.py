"""`dy2st verify`: two forms of one model on the same arrays, and the first value that differs."""

from __future__ import annotations

import argparse
import os

from ..command import Command
from ..naming.arrays import read_arrays
from ..naming.models import model_path
from ..options import add_inputs, add_model
from ..output.progress import working
from ..output.report import Lines, Report
from ..usage import UsageError

DIFFERENT = 1


def add_options(parser: argparse.ArgumentParser) -> None:
    add_model(parser, "first", "a saved model, or a file that dy2st.onnx.export wrote")
    add_model(parser, "second", "the same")
    add_inputs(parser)


def run(options: argparse.Namespace) -> Report:
    from ...onnx.verifying import DifferenceError, verify_files

    first, second = map(_form, (options.first, options.second))
    arrays = [array for path in options.input for array in read_arrays(path).values()]
    try:
        with working(f"running {first} and {second}"):
            count = verify_files(first, second, arrays)
    except DifferenceError as error:
        return Report({"agree": False, "difference": str(error)}, [Lines([str(error)])], DIFFERENT)
    return Report({"agree": True, "tensors": count}, [Lines([f"{count} tensors agree"])])


def _form(name: str) -> str:
    if not name.endswith(".onnx"):
        return model_path(name)
    if not os.path.isfile(name):
        raise UsageError(f"there is no file {name}")
    return name


COMMAND = Command("run two forms of a model, and name the first value that differs", add_options, run, failed=2)
