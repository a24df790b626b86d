"""What a command is: a file in `commands/` has one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from .output.report import Report


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    help: a line for `dy2st --help`. add_options: adds the options, but for those that all commands have. run: what the command
    finds; UsageError where what was typed can't be used. failed: the exit code of any other error. prints_are_results: whether
    what the user's code prints is what was asked for; else it goes to stderr.
    """

    help: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Report]
    failed: int = 1
    prints_are_results: bool = False
