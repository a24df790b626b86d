"""Scripts that let a shell complete the words of the command line: bash, zsh and fish, a file for each."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from . import bash, fish, zsh


class Shell(NamedTuple):
    """script: what makes the script for a parser. install: what the user writes, and where."""

    script: Callable[[argparse.ArgumentParser], str]
    install: str


SHELLS = {
    "bash": Shell(bash.script, "eval \"$(dy2st completion bash)\" in ~/.bashrc"),
    "zsh": Shell(zsh.script, "eval \"$(dy2st completion zsh)\" in ~/.zshrc, after compinit"),
    "fish": Shell(fish.script, "dy2st completion fish > ~/.config/fish/completions/dy2st.fish"),
}  # fmt: skip
