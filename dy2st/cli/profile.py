"""`dy2st profile`: time and memory of a saved model, by the user's line and by part."""

from __future__ import annotations

import argparse
import json
from contextlib import redirect_stdout

from .models import check_model, read_arrays
from .terminal import ModelOutput, show_text
from .usage import UsageError


def profile_model(options: argparse.Namespace) -> None:
    """`dy2st profile`."""
    from ..jit import profile

    if options.repeat < 1:
        raise UsageError(f"--repeat {options.repeat}: expected at least 1")
    path = check_model(options.path)
    arrays = [array for name in options.input for array in read_arrays(name)]
    with redirect_stdout(ModelOutput()):
        found = profile(path, *arrays, repeat=options.repeat)
    show_text(json.dumps(found.as_dict(), indent=1) if options.json else str(found))
