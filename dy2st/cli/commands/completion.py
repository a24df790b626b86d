"""`dy2st completion`: a script that lets a shell complete commands, options and files."""

from __future__ import annotations

import argparse

from ..command import Command
from ..completion import SHELLS
from ..output.report import Lines, Report


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(SHELLS), help="the shell")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(f"{shell}:  {made.install}" for shell, made in SHELLS.items())


def run(options: argparse.Namespace) -> Report:
    from ..parser import make_parser

    script = SHELLS[options.shell].script(make_parser())
    return Report({"shell": options.shell, "script": script}, [Lines(script.rstrip("\n").split("\n"))])


COMMAND = Command("print the script that lets a shell complete the words of dy2st", add_options, run)
