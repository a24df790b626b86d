"""`dy2st verify`: two forms of one model on the same arrays, and the first value that differs."""

from __future__ import annotations

import argparse

from ..onnx.verifying import DifferenceError, verify_files
from .models import check_model, read_arrays
from .terminal import show


def verify(options: argparse.Namespace) -> int:
    """Print how many tensors agree, or the first that differs; exit code 1 then."""
    for path in (options.first, options.second):
        if not path.endswith(".onnx"):
            check_model(path)
    arrays = [array for path in options.input for array in read_arrays(path)]
    try:
        count = verify_files(options.first, options.second, arrays)
    except DifferenceError as error:
        show([str(error)])
        return 1
    show([f"{count} tensors agree"])
    return 0
