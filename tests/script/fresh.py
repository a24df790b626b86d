"""Loading what a test has saved, in a process that knows nothing of the test."""

import atexit
import tempfile
import textwrap
from functools import cache

from support.other_process import OtherProcess

RUN = """
import contextlib, io, json, os
import dy2st as paddle
from dy2st import jit

def answer(code, folder):
    os.chdir(folder)
    names, printed = {"json": json, "paddle": paddle, "jit": jit, "found": {}}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "<fresh>", "exec"), names)
    return json.loads(json.dumps(names["found"])) | {"stdout": printed.getvalue()}
"""


@cache
def _process(*settings: tuple[str, str]) -> OtherProcess:
    """One process for all that ask for these settings."""
    process = OtherProcess(tempfile.mkdtemp(), **dict(settings))  # no file there hides a module of Python's
    atexit.register(process.close)
    return process


def fresh(code: str, folder, **settings: str) -> dict:
    """Run code in another process, in `folder`, with these settings in its environment; what it leaves in `found`."""
    return _process(*settings.items()).ask(RUN, textwrap.dedent(code), str(folder))
