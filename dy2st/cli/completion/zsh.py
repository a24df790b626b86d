"""The script for zsh."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..options import NOTHING
from .words import Word, Words, words_of

_TAIL = """\
    esac
}
if [[ $funcstack[1] == _dy2st ]]; then _dy2st "$@"; else compdef _dy2st dy2st; fi"""


def script(parser: argparse.ArgumentParser) -> str:
    """The script that completes what a parser knows."""
    return "\n".join(["#compdef dy2st", "_dy2st() {", *_lines(words_of(parser)), _TAIL])


def _lines(commands: list[Words]) -> Iterator[str]:
    yield "    local -a commands=("
    yield from (f"        {_quoted(f'{command.name}:{command.help}')}" for command in commands)
    yield "    )"
    yield "    if (( CURRENT == 2 )); then"
    yield "        if [[ $PREFIX == -* ]]; then _arguments '--help' '--version'; else _describe command commands; fi"
    yield "        return"
    yield "    fi"
    yield "    shift words; (( CURRENT-- ))"
    yield "    case $words[1] in"
    for command in commands:
        specs = [*(spec for option in command.options for spec in _option(option)), *map(_positional, command.positional)]
        yield f"        {command.name}) _arguments {' '.join(map(_quoted, specs))} ;;"


def _option(option: Word) -> Iterator[str]:
    help = option.help.replace("[", "(").replace("]", ")").replace(":", "\\:")
    for flag in option.flags:
        yield f"{'*' if option.again else ''}{flag}[{help}]{_value(option) if option.takes else ''}"


def _positional(word: Word) -> str:
    return f"{'*' if word.again else ''}{_value(word)}"


def _value(word: Word) -> str:
    name = word.name.replace(":", " ")
    if word.choices:
        return f":{name}:({' '.join(word.choices)})"
    if word.endings == NOTHING:
        return f":{name}: "
    if word.endings is None:
        return f":{name}:_files -/"
    patterns = " ".join(f"*.{ending}" for ending in word.endings)
    return f':{name}:_files -g "{patterns}"' if patterns else f":{name}:_files"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
