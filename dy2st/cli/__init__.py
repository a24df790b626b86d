"""The command line: read the rewritten source, look at a Program or at a saved model, run a saved model.

    dy2st code net.py:Net.forward               the rewritten source, with the user's line numbers
    dy2st code net.py:Net --spec 'float32[?,3]' --unrolled
                                                which loops are recorded turn by turn, and why
    dy2st graph net.py:Net.forward --spec 'float32[?,3]'
    dy2st graph out/net                         the Program of a saved model
    dy2st check net.py:Net --spec 'float32[?,3]'  what would make trouble, line by line
    dy2st inspect out/net [--engine]            entry points, specs, parameters, versions; the engine's source
    dy2st run out/net --input x.npy --output y.npz [--backend onnxruntime]
    dy2st profile out/net --input x.npy         time and memory, by line and by part
    dy2st diff out/old out/new                  what differs between two saved models

Exit codes: 0 all right; 1 the conversion, the model file or the run failed, or `check` or `diff` has found something; 2 wrong
usage or bad input, and whatever keeps `diff` from comparing. An error is one line on stderr. `inspect`, `run` and `profile` read
model files only and import nothing that rewrites source.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from ..config import VERSION
from ..runtime.engines import ENGINES
from .models import inspect_model, print_saved_graph, run_model
from .objects import is_object, print_code, print_graph, print_unrolled
from .terminal import ReaderGone, complain, flush
from .usage import UsageError

__all__ = ["main"]

FAILED, USAGE = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. arguments: the words of the command line, those of the process where None."""
    options = _parser().parse_args(arguments)
    try:
        code: int | None = options.command(options)
        flush()
        return code or 0
    except UsageError as error:
        complain(str(error))
        return USAGE
    except ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (Exception, SystemExit) as error:  # whatever the user's model raises ends as one line
        complain(_message_of(error))
        return options.failed
    return 0


def _message_of(error: BaseException) -> str:
    if isinstance(error, SystemExit):  # its own exit code would pass for ours
        return f"the code ends the process (SystemExit: {error.code})"
    try:
        return f"{type(error).__name__}: {error}"
    except (ValueError, RecursionError):  # an int of more digits than Python writes, objects nested too deep
        return f"{type(error).__name__}, with a message that can't be written as text"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dy2st", description="Rewritten source, Programs and saved models.")
    parser.add_argument("--version", action="version", version=f"dy2st {VERSION}")
    parser.set_defaults(failed=FAILED)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    code = commands.add_parser("code", help="print the rewritten source of a function, for review")
    code.add_argument("target", metavar="FILE:OBJECT", help="net.py:Net.forward, net.py:Net or net.py:function")
    code.add_argument("--unrolled", action="store_true", help="print which loops are recorded turn by turn, and why, instead")
    code.add_argument("--spec", action="append", default=[], metavar="TYPE", help="as for graph, with --unrolled")
    code.set_defaults(command=_code)
    graph = commands.add_parser("graph", help="print the Program of a saved model or of an object")
    graph.add_argument("target", metavar="PATH or FILE:OBJECT")
    graph.add_argument("--spec", action="append", default=[], metavar="TYPE", help="one per input, for example 'float32[?,3]'")
    graph.set_defaults(command=_graph)
    checked = commands.add_parser("check", help="report what in the source makes trouble, with what to write instead")
    checked.add_argument("target", metavar="FILE:OBJECT", help="a layer, a method or a function")
    checked.add_argument("--spec", action="append", default=[], metavar="TYPE", help="as for graph: the conversion is tried, too")
    checked.add_argument("--json", action="store_true", help="print a list of objects: file, line, rule, reason, rewrite")
    checked.set_defaults(command=_check)
    inspect = commands.add_parser("inspect", help="print what a saved model holds")
    inspect.add_argument("path", metavar="PATH")
    inspect.add_argument("--engine", action="store_true", help="print the source that the engine generates")
    inspect.set_defaults(command=inspect_model)
    run = commands.add_parser("run", help="run a saved model on arrays")
    run.add_argument("path", metavar="PATH")
    run.add_argument("--input", action="append", default=[], metavar="X.npy", help="one per input, in order")
    run.add_argument("--output", metavar="Y.npz", help="write the results here (.npy for one array) instead of printing them")
    run.add_argument("--backend", choices=list(ENGINES), help="the engine (numpy)")
    run.set_defaults(command=run_model)
    profiled = commands.add_parser("profile", help="run a saved model, and tell what each line and each part of it takes")
    profiled.add_argument("path", metavar="PATH")
    profiled.add_argument("--input", action="append", default=[], metavar="X.npy", help="one per input, in order")
    profiled.add_argument("--repeat", type=int, default=20, metavar="N", help="calls that are timed (20)")
    profiled.add_argument("--json", action="store_true", help="print an object: seconds, measured, outside, lines, parts")
    profiled.set_defaults(command=_profile)
    compared = commands.add_parser("diff", help="print what differs between two saved models, in structure and in weights")
    compared.add_argument("old", metavar="OLD")
    compared.add_argument("new", metavar="NEW")
    compared.set_defaults(command=_diff, failed=USAGE)
    verified = commands.add_parser("verify", help="run two forms of a model, and name the first value that differs")
    verified.add_argument("first", metavar="A", help="a saved model, or a file that dy2st.onnx.export wrote")
    verified.add_argument("second", metavar="B", help="the same")
    verified.add_argument("--input", action="append", default=[], metavar="X.npy", help="one per input, in order")
    verified.set_defaults(command=_verify, failed=USAGE)
    return parser


def _code(options: argparse.Namespace) -> None:
    if options.unrolled:
        print_unrolled(options)
    elif options.spec:
        raise UsageError("--spec belongs to --unrolled: the rewritten source is the same for all inputs")
    else:
        print_code(options)


def _check(options: argparse.Namespace) -> int:
    from .check import check  # it knows all layers; `inspect` and `run` do without

    return check(options)


def _profile(options: argparse.Namespace) -> None:
    from .profile import profile_model  # the others do without

    profile_model(options)


def _diff(options: argparse.Namespace) -> int:
    from .diff import diff  # the others do without

    return diff(options)


def _verify(options: argparse.Namespace) -> int:
    from .verify import verify  # the others do without onnx

    return verify(options)


def _graph(options: argparse.Namespace) -> None:
    if is_object(options.target):
        print_graph(options)
    elif options.spec:
        raise UsageError("--spec belongs to FILE:OBJECT; a saved model has its own")
    else:
        print_saved_graph(options.target)
