"""The words that a parser knows, apart from any shell."""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

from ..options import endings_of


class Word(NamedTuple):
    """An argument of a command.

    flags: `--input`; none for a positional one. name, help: for people. takes: whether a value follows. again: whether it may
    come more than once. choices: the values that there are. endings: of the files that it may be, as in `options`.
    """

    flags: list[str]
    name: str
    help: str
    takes: bool
    again: bool
    choices: list[str]
    endings: Any


class Words(NamedTuple):
    """A command with its arguments."""

    name: str
    help: str
    options: list[Word]
    positional: list[Word]


def words_of(parser: argparse.ArgumentParser) -> list[Words]:
    """The commands of a parser."""
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {choice.dest: choice.help or "" for choice in commands._choices_actions}
    found = []
    for name, sub in commands.choices.items():
        words = [_word(action) for action in sub._actions]
        found.append(Words(name, helps[name], [w for w in words if w.flags], [w for w in words if not w.flags]))
    return found


def _word(action: argparse.Action) -> Word:
    again = isinstance(action, argparse._AppendAction | argparse._ExtendAction) or action.nargs in ("+", "*")
    name = str(action.metavar or action.dest)
    choices = list(map(str, action.choices or ()))
    return Word(list(action.option_strings), name, action.help or "", action.nargs != 0, again, choices, endings_of(action))
