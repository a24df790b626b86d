"""Log lines of the conversion: the source as it was, the code after each step. Silent unless a level asks for them.

A level that `set_verbosity` or `set_code_level` sets counts; without one (or after `None`) the environment does,
`TRANSLATOR_VERBOSITY` and `TRANSLATOR_CODE_LEVEL`, read anew each time.
"""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from typing import Any

from .unparse import unparse

NAME = "Dynamic-to-Static"
STEPS = ("Names", "Generators", "Statements", "Expressions", "ControlFlow")     # level 1 is the first one
LAST = 100


@dataclass
class _Setting:
    """A level, the variable that gives it where nobody has set it, and whether its lines go to stdout as well."""

    variable: str
    own: int | None = None
    echo: bool | None = None

    def set(self, level: Any, also_to_stdout: Any) -> None:
        if not isinstance(level, int | None):
            raise TypeError(f"Level is not an integer: {level}")
        assert isinstance(also_to_stdout, bool | None), f"also_to_stdout is a bool, not {also_to_stdout!r}"
        self.own, self.echo = level, also_to_stdout

    @property
    def level(self) -> int:
        return self.own if self.own is not None else int(os.environ.get(self.variable, "-1"))


_verbosity = _Setting("TRANSLATOR_VERBOSITY")
_code_level = _Setting("TRANSLATOR_CODE_LEVEL")


def set_verbosity(level: int | None = 0, also_to_stdout: bool | None = False) -> None:
    """Log lines up to this level, on stderr: 1 shows the source of each function before it is converted; 0 shows nothing.

    also_to_stdout: print them as well. Counts for more than the variable TRANSLATOR_VERBOSITY of the environment. TypeError for a
    level that is no int, AssertionError for an also_to_stdout that is no bool.
    """
    _verbosity.set(level, also_to_stdout)


def set_code_level(level: int | None = LAST, also_to_stdout: bool | None = False) -> None:
    """Log the code of each function after a step of its conversion, on stderr.

    level: 1 names are put in order (type hints, private names, `super()`); 2 generators hand on their items; 3 statements:
        matches are conditions, jumps and early returns flags; 4 expressions and calls go through `_jst`; 5 control flow is
        functions; 100 the code that runs, which is what `.code` shows.
    also_to_stdout: print it as well. Counts for more than the variable TRANSLATOR_CODE_LEVEL of the environment. TypeError for a
        level that is no int, AssertionError for an also_to_stdout that is no bool.
    """
    _code_level.set(level, also_to_stdout)


def get_verbosity() -> int:
    """The level of `set_verbosity`, or of the environment; -1 where neither says anything."""
    return _verbosity.level


def get_code_level() -> int:
    """The level of `set_code_level`, or of the environment; -1 where neither says anything."""
    return _code_level.level


def log(level: int, message: str) -> None:
    """A line that counts from this verbosity on."""
    if _verbosity.level >= level:
        _log(f"(Level {level}) {message}", _verbosity)


def log_source(function: Any, tree: Any) -> None:
    """The source of a function that is about to be converted, its tree as the text of it."""
    if _verbosity.level >= 1:
        log(1, f"Source code of {function.__qualname__}: \n{unparse(tree)}")


def log_step(level: int, tree: Any) -> None:
    """The code after the step of this number."""
    if _code_level.level == level:
        _log_code(f"After the level {level} ast transformer: '{STEPS[level - 1]}', the transformed code:\n", unparse(tree))


def log_result(text: Any) -> None:
    """The code after all steps; `text` is a function that gives it."""
    if _code_level.level == LAST:
        _log_code("After the last level ast transformer: 'All Transformers', the transformed code:\n", text())


def _log_code(head: str, text: str) -> None:
    _log(head + text, _code_level)


def _log(message: str, setting: _Setting) -> None:
    _logger().info("%s", message)
    if setting.echo:
        print(f"{NAME} INFO: {message}")


class _Stderr(logging.StreamHandler):
    """Writes to what `sys.stderr` is when the line comes."""

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, value: Any) -> None:
        """It has no stream of its own."""


def _logger() -> logging.Logger:
    """The logger of Paddle's name, made when first needed; whoever has given it handlers keeps them."""
    logger = logging.getLogger(NAME)
    if not logger.handlers:
        handler = _Stderr()
        handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s: %(message)s"))
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
    return logger
