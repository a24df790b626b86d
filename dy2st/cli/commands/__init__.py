"""The commands, a file for each: its options, and what it finds.

A new command is a file here and its name in COMMANDS. What it needs beyond its options it imports when it runs.
"""

from __future__ import annotations

from . import check, code, completion, convert, diff, graph, inspect, predict, profile, run, verify, view

COMMANDS = {
    "code": code.COMMAND,
    "graph": graph.COMMAND,
    "view": view.COMMAND,
    "check": check.COMMAND,
    "convert": convert.COMMAND,
    "inspect": inspect.COMMAND,
    "run": run.COMMAND,
    "predict": predict.COMMAND,
    "profile": profile.COMMAND,
    "diff": diff.COMMAND,
    "verify": verify.COMMAND,
    "completion": completion.COMMAND,
}
