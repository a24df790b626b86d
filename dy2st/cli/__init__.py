"""The command line: read the rewritten source, look at a Program or at a saved model, convert, run a saved model.

    dy2st code net.py                           what is in a file
    dy2st code net.py:Net.forward               the rewritten source, with the user's line numbers
    dy2st view out/net                          the Program as a page, in the browser
    dy2st check net.py:Net --spec 'float32[?,3]'  what would make trouble, line by line
    dy2st convert net.py:Net --spec 'float32[?,3]' --out out/net
    dy2st inspect out/net [--engine]            entry points, specs, parameters, versions; the engine's source
    dy2st run out/net --input x.npy --output y.npz [--backend onnxruntime]
    dy2st predict out/net --input 'data/*.npy' --output results

Exit codes: 0 all right; 1 the conversion, the model file or the run failed, or `check` or `diff` has found something; 2 wrong
usage or bad input, and whatever keeps `diff` from comparing; 130 interrupted. An error is one line on stderr. `inspect`, `run`,
`predict` and `profile` read model files only and import nothing that rewrites source.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .command import Command
from .output.printing import print_report
from .output.terminal import ReaderGone, complain, flush
from .output.user_prints import user_prints_to
from .parser import make_parser
from .usage import FailedError, UsageError

__all__ = ["main"]

USAGE, INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. arguments: the words of the command line, those of the process where None."""
    _open_closed_streams()
    options = make_parser().parse_args(arguments)
    command: Command = options.command
    prints_are_results = command.prints_are_results and not options.json
    path = sys.path[:]
    try:
        with user_prints_to(sys.stdout if prints_are_results else sys.stderr):
            report = command.run(options)
        print_report(report, options.json)
        flush()
        return report.code
    except UsageError as error:
        complain(str(error))
        return USAGE
    except FailedError as error:
        complain(str(error))
        return command.failed
    except ReaderGone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt as error:
        complain(str(error) or "interrupted")
        return INTERRUPTED
    except (Exception, SystemExit) as error:  # whatever the user's model raises ends as one line
        complain(_message_of(error))
        return command.failed
    finally:
        sys.path[:] = path
    return 0


def _open_closed_streams() -> None:
    """Where a stream is closed, as with `>&-`, nobody reads what is written to it."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))


def _message_of(error: BaseException) -> str:
    if isinstance(error, SystemExit):  # its own exit code would pass for ours
        return f"the code ends the process (SystemExit: {error.code})"
    try:
        return f"{type(error).__name__}: {error}"
    except (ValueError, RecursionError):  # an int of more digits than Python writes, objects nested too deep
        return f"{type(error).__name__}, with a message that can't be written as text"
