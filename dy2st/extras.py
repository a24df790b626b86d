"""Extras: the optional dependencies of `pyproject.toml`, and the command that installs one."""

from __future__ import annotations

# Until dy2st is published, no package index has its name: whoever registered it there could run code on users' machines.
INSTALL = "pip install '.[{extra}]' in a clone of dy2st"


def how_to_install(extra: str) -> str:
    """The command that installs an extra, for messages; "torch" -> "pip install '.[torch]' in a clone of dy2st"."""
    return INSTALL.format(extra=extra)
