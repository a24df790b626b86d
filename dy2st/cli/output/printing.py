"""The one place where a Report becomes text: JSON, colours or plain lines."""

from __future__ import annotations

import json
import sys

from .coloured import coloured_text
from .console import console_for
from .plain import plain_lines
from .report import Report
from .terminal import show, write


def print_report(report: Report, as_json: bool) -> None:
    """Print a Report on stdout. ReaderGone: nobody reads it."""
    if as_json:
        write(json.dumps(report.data, indent=1, allow_nan=False).replace("\x7f", "\\u007f") + "\n")
        return
    console = console_for(sys.stdout)
    if console is None:
        show(line for part in report.parts for line in plain_lines(part))
    else:
        write(coloured_text(report.parts, console))
