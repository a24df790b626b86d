"""The script for fish."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..options import NOTHING
from .words import Word, Words, words_of


def script(parser: argparse.ArgumentParser) -> str:
    """The script that completes what a parser knows."""
    return "\n".join(_lines(words_of(parser)))


def _lines(commands: list[Words]) -> Iterator[str]:
    yield "complete -c dy2st -f"
    yield "complete -c dy2st -n __fish_use_subcommand -l help"
    yield "complete -c dy2st -n __fish_use_subcommand -l version"
    for command in commands:
        yield f"complete -c dy2st -n __fish_use_subcommand -a {command.name} -d {_quoted(command.help)}"
    for command in commands:
        start = f"complete -c dy2st -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            takes = "" if not option.takes else "-r" if option.endings == () else "-x"
            yield " ".join(filter(None, [start, flags, takes, _value(option), f"-d {_quoted(option.help)}"]))
        yield from (f"{start} {value}" for word in command.positional if (value := _value(word)))


def _value(word: Word) -> str:
    if not word.takes:
        return ""
    if word.choices:
        return f"-a {_quoted(' '.join(word.choices))}"
    if word.endings == NOTHING:
        return ""
    if word.endings is None:
        return "-a '(__fish_complete_directories)'"
    if not word.endings:
        return "-F"
    files = " ".join(f"(__fish_complete_suffix .{ending})" for ending in word.endings)
    return f"-k -a '{files}'"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
