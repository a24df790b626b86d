"""`dy2st completion`: the script with which a shell completes commands, options and files. The package shtab makes it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...extras import how_to_install
from ..command import Command
from ..options import FILES, FOLDERS
from ..output.report import Lines, Report
from ..usage import FailedError

SHELLS = {
    "bash": "eval \"$(dy2st completion bash)\" in ~/.bashrc",
    "zsh": "eval \"$(dy2st completion zsh)\" in ~/.zshrc, after compinit",
    "fish": "dy2st completion fish > ~/.config/fish/completions/dy2st.fish",
}  # fmt: skip


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=list(SHELLS), help="the shell")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n".join(f"{shell}:  {install}" for shell, install in SHELLS.items())


def run(options: argparse.Namespace) -> Report:
    from ..parser import make_parser

    script = _script(make_parser(), options.shell)
    return Report({"shell": options.shell, "script": script}, [Lines(script.rstrip("\n").split("\n"))])


def _script(parser: argparse.ArgumentParser, shell: str) -> str:
    try:
        import shtab
    except ImportError:
        raise FailedError(f"dy2st completion needs the package shtab: {how_to_install('cli')}") from None

    own = {FILES: shtab.FILE, FOLDERS: shtab.DIRECTORY}
    for action in _actions(parser):
        if (files := getattr(action, "files", None)) is not None:
            action.complete = own[files] if files in own else shtab.glob(*files)  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The actions of a parser and of its subparsers."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from _actions(sub)


COMMAND = Command("print the script that lets a shell complete the words of dy2st", add_options, run)
