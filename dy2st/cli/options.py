"""The options that several commands have, and which files the shell offers for an argument."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from ..runtime.engines import ENGINES
from .naming.arrays import arguments_of

SOURCES, ARRAYS, PAGES, FILES, FOLDERS = ("*.py",), ("*.npy", "*.npz"), ("*.html",), ("*",), ("*/",)
"""Patterns of the files that a shell offers for an argument."""
MODEL_HELP = "a prefix such as out/net, one of its three files, its folder, or an archive"
SPEC_HELP = "the type of an input, such as 'float32[?,3]' or 'x=float32[n,3]'; one for each input, in order"


def offer(action: argparse.Action, files: tuple[str, ...]) -> None:
    """Let the shell complete the argument with these files: `completion` reads the attribute."""
    action.files = files  # type: ignore[attr-defined]


def add_model(parser: argparse.ArgumentParser, name: str = "model", help: str = MODEL_HELP) -> None:
    """The argument that names a saved model."""
    offer(parser.add_argument(name, metavar=name.upper(), help=help), FILES)


def add_object(parser: argparse.ArgumentParser, metavar: str, help: str) -> None:
    """The argument `target` that names an object of the user's."""
    offer(parser.add_argument("target", metavar=metavar, help=help), SOURCES)


def add_specs(parser: argparse.ArgumentParser, help: str = SPEC_HELP) -> None:
    """`--spec`, of the commands that convert."""
    parser.add_argument("--spec", action="append", default=[], metavar="TYPE", help=help)


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """`--input`, of the commands that call a model once."""
    help = "one for each input, in order; the arrays of an .npz file are taken by name where these are those of the inputs"
    offer(parser.add_argument("--input", action="append", default=[], metavar="X.npy", help=help), ARRAYS)


def arguments_for(model: Any, paths: list[str]) -> list[np.ndarray]:
    """What --input gives for a call of a loaded model."""
    return arguments_of(paths, [spec.name for spec in getattr(model, "input_spec", [])])


def add_backend(parser: argparse.ArgumentParser) -> None:
    """`--backend`, of the commands that run a model."""
    parser.add_argument("--backend", choices=list(ENGINES), help="the engine (numpy)")
