"""The script for bash, 3.2 and later."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..options import NOTHING
from .words import Word, Words, words_of

_HEAD = """\
_dy2st_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_dy2st_any() { local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word")); }
_dy2st_files() {
    local IFS=$'\\n' ending
    COMPREPLY=($(compgen -d -- "$word"))
    for ending in "$@"; do COMPREPLY+=($(compgen -f -X "!*$ending" -- "$word")); done
}
_dy2st() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
"""
_TAIL = """\
}
complete -o filenames -F _dy2st dy2st"""


def script(parser: argparse.ArgumentParser) -> str:
    """The script that completes what a parser knows."""
    commands = words_of(parser)
    return "\n".join([_HEAD.rstrip("\n"), *_first(commands), *_values(commands), *_options(commands), *_places(commands), _TAIL])


def _first(commands: list[Words]) -> Iterator[str]:
    names = " ".join([*(command.name for command in commands), "--help", "--version"])
    yield f'    if ((COMP_CWORD == 1)); then _dy2st_words "{names}"; return; fi'


def _values(commands: list[Words]) -> Iterator[str]:
    """What follows an option."""
    yield '    case "${COMP_WORDS[1]} $before" in'
    for command in commands:
        for option in command.options:
            if option.takes:
                flags = "|".join(f'"{command.name} {flag}"' for flag in option.flags)
                yield f"        {flags}) {_offer(option)}; return ;;"
    yield "    esac"


def _options(commands: list[Words]) -> Iterator[str]:
    yield '    if [[ $word == -* ]]; then\n        case "${COMP_WORDS[1]}" in'
    for command in commands:
        flags = " ".join(flag for option in command.options for flag in option.flags if flag.startswith("--"))
        yield f'            {command.name}) _dy2st_words "{flags}" ;;'
    yield "        esac\n        return\n    fi"


def _places(commands: list[Words]) -> Iterator[str]:
    yield '    case "${COMP_WORDS[1]}" in'
    for command in commands:
        if command.positional:
            yield f"        {command.name}) {_offer(command.positional[0])} ;;"
    yield "    esac"


def _offer(word: Word) -> str:
    if word.choices:
        return f'_dy2st_words "{" ".join(word.choices)}"'
    if word.endings == NOTHING:
        return ":"
    if word.endings == ():
        return "_dy2st_any"
    return " ".join(["_dy2st_files", *(f".{ending}" for ending in word.endings or ())])
