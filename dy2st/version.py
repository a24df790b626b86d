"""`paddle.version`: the version of Paddle whose names, signatures and defaults dy2st follows. Its own is `dy2st.__version__`."""

from __future__ import annotations

__all__ = ["cuda", "cudnn", "full_version", "major", "minor", "patch", "rc", "show"]

full_version = "3.3.1"
major, minor, patch = full_version.split(".")
rc = "0"


def cuda() -> str:
    """ "False", as of a Paddle that computes on the CPU."""
    return "False"


def cudnn() -> str:
    """ "False", as of a Paddle that computes on the CPU."""
    return "False"


def show() -> None:
    """Print the version, its parts, and what it computes with."""
    for name, value in {"full_version": full_version, "major": major, "minor": minor, "patch": patch, "rc": rc}.items():
        print(f"{name}: {value}")
    print(f"cuda: {cuda()}\ncudnn: {cudnn()}")
