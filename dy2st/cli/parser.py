"""The words of the command line: one subparser for each command."""

from __future__ import annotations

import argparse

from ..config import VERSION
from .commands import COMMANDS

DESCRIPTION = "Rewritten source, Programs and saved models."
EPILOG = "Exit codes: 0 all right; 1 it failed, or something was found; 2 wrong usage; 130 interrupted."


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands. What it gives has `command`, a Command, and the options of that."""
    parser = argparse.ArgumentParser(prog="dy2st", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"dy2st {VERSION}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        description = f"{command.help[0].upper()}{command.help[1:]}."
        sub = commands.add_parser(name, help=command.help, description=description, allow_abbrev=False)
        command.add_options(sub)
        sub.add_argument("--json", action="store_true", help="print JSON, for other programs")
        sub.set_defaults(command=command)
    return parser
