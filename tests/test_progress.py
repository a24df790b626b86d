"""A long conversion shows itself on a terminal and in a notebook, and nowhere else; what it shows is gone when it ends."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import dy2st
from dy2st import progress

ROOT = Path(dy2st.__file__).resolve().parent.parent

SCRIPT = """\
import sys
import time
import warnings

import dy2st as paddle
from dy2st import progress

warnings.simplefilter("ignore")
progress.DELAY = float(sys.argv[2])


@paddle.jit.not_to_static
def wait():
    time.sleep(float(sys.argv[1]))


def slow(x):
    if x.sum() > 0:
        wait()
        x = x * 2
    return x


def wrong(x):
    wait()
    return x.fooo()


slow_function = paddle.jit.to_static(slow)
print(slow_function(paddle.ones([2])).tolist())
try:
    paddle.jit.to_static(wrong)(paddle.ones([2]))
except AttributeError as error:
    print("refused")
paddle.jit.save(paddle.jit.to_static(slow), "saved", input_spec=[paddle.static.InputSpec([None])])
print("the end")
"""

TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "slowly.py"
    path.write_text(SCRIPT)
    return path


def run(script, seconds, delay=0.3, in_terminal=True, **environment):
    """(stdout, stderr) of the script; of a terminal all that was written to it."""
    environ = {key: value for key, value in os.environ.items() if key != "DY2ST_PROGRESS"}
    environ |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", **environment}
    command = [sys.executable, script.name, str(seconds), str(delay)]
    command = [sys.executable, "-c", TERMINAL, *command] if in_terminal else command
    done = subprocess.run(command, cwd=script.parent, env=environ, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    out, err = (stream.decode().replace("\r\n", "\n") for stream in (done.stdout, done.stderr))
    assert done.returncode == 0, out + err
    return out, err


def seen_at_last(text):
    """The lines on the terminal in the end."""
    lines = [""]
    column = 0
    for part in re.findall(r"\r|\n|[^\r\n]+", text):
        if part == "\n":
            lines.append("")
        elif part != "\r":
            lines[-1] = lines[-1][:column].ljust(column) + part + lines[-1][column + len(part) :]
        column = 0 if part in "\r\n" else column + len(part)
    return [line.rstrip() for line in lines if line.strip()]


posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals of this kind")
PRINTED = ["[2.0, 2.0]", "refused", "the end"]


@posix
def test_a_long_conversion_shows_itself_and_is_gone(script):
    out, _ = run(script, 0.8)
    assert "dy2st: converting slow, 0 s" in out and "converting wrong" in out and "saving saved" in out
    assert " at slowly.py:14" in out  # the line that takes long
    assert seen_at_last(out) == PRINTED, out


@posix
@pytest.mark.parametrize("delay, environment", [(10, {}), (0.3, {"DY2ST_PROGRESS": "0"})])
def test_what_is_quick_or_turned_off_shows_nothing(script, delay, environment):
    assert run(script, 0.8, delay, **environment)[0].splitlines() == PRINTED


def test_logs_and_pipes_get_nothing(script):
    assert run(script, 0.8, in_terminal=False) == ("\n".join(PRINTED) + "\n", "")


IPYTHON = """\
import time, dy2st as paddle
@paddle.jit.not_to_static
def wait():
    time.sleep(1.4)

def slow(x):
    wait()
    return x * 2

print(paddle.jit.to_static(slow)(paddle.ones([2])).tolist())
exit
"""


@posix
def test_in_ipython_on_a_terminal(tmp_path):
    pytest.importorskip("IPython")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "IPYTHONDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", TERMINAL, sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--colors=nocolor"],
        input=IPYTHON, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert "dy2st: converting slow, 1 s at line 3" in done.stdout and "[2.0, 2.0]" in done.stdout, done.stdout + done.stderr


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    """A terminal on which everything is shown after a tenth of a second."""
    stream = Terminal()
    seen = SimpleNamespace(stderr=stream, modules={}, _current_frames=sys._current_frames)
    monkeypatch.setattr(progress, "sys", seen)  # pytest puts its own sys.stderr back
    monkeypatch.delenv("DY2ST_PROGRESS", raising=False)
    monkeypatch.setattr(progress, "DELAY", 0.1)
    monkeypatch.setattr(progress, "TICK", 0.01)
    return stream


def shown(stream, text):
    end = time.monotonic() + 10
    while text not in stream.getvalue():
        assert time.monotonic() < end, (text, stream.getvalue())
        time.sleep(0.005)


def test_of_what_is_nested_the_outermost_is_shown(terminal):
    with progress.working("outer"):
        with progress.working("inner"):
            shown(terminal, "outer")
            time.sleep(0.2)
    assert "inner" not in terminal.getvalue()
    assert seen_at_last(terminal.getvalue()) == []


def test_threads_take_turns_and_end_in_any_order(terminal):
    ends = {name: threading.Event() for name in "abc"}

    def work(name):
        with progress.working(f"work {name}"):
            ends[name].wait(20)

    threads = {}
    for name in "abc":
        threads[name] = threading.Thread(target=work, args=(name,))
        threads[name].start()
        time.sleep(0.02)
    for name, then in (("b", None), ("a", "c"), ("c", None)):
        shown(terminal, "work c" if name == "c" else "work a")
        ends[name].set()
        threads[name].join()
        if then is not None:
            shown(terminal, f"work {then}")
    assert "work b" not in terminal.getvalue()
    assert seen_at_last(terminal.getvalue()) == []


def test_an_error_or_an_interrupt_ends_it(terminal):
    for kind in (ValueError, KeyboardInterrupt):
        with pytest.raises(kind), progress.working(f"up to {kind.__name__}"):
            shown(terminal, kind.__name__)
            raise kind
    after = terminal.getvalue()
    time.sleep(0.1)
    assert terminal.getvalue() == after and seen_at_last(after) == []


def test_a_terminal_that_is_gone_is_no_error(monkeypatch, terminal):
    monkeypatch.setattr(terminal, "write", lambda text: (_ for _ in ()).throw(OSError("gone")))
    with progress.working("unseen"):
        time.sleep(0.3)
    monkeypatch.undo()


@pytest.mark.parametrize("stream", [None, object()])
def test_any_stderr_will_do(monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    assert dy2st.jit.to_static(lambda x: x + 1)(dy2st.ones([1])).tolist() == [2.0]


def test_a_block_that_replaces_stderr_gets_no_progress(terminal):
    with progress.working("redirected"):
        progress.sys.stderr = Terminal()
        shown(terminal, "redirected")
    assert progress.sys.stderr.getvalue() == "" and seen_at_last(terminal.getvalue()) == []


def test_how_far_it_is(terminal):
    with progress.working("counting", 2000, "rows") as at:
        shown(terminal, "counting: 0 of 2,000 rows")
        at.done += 1500
        shown(terminal, "counting: 1,500 of 2,000 rows")


def test_what_else_is_written_has_a_line_of_its_own(terminal):
    with progress.working("busy"):
        shown(terminal, "busy")
        with progress.set_aside(terminal):
            terminal.write("a warning\n")
        shown(terminal, "a warning\n\rdy2st: busy, 0 s")
    assert seen_at_last(terminal.getvalue()) == ["a warning"]


def test_the_watcher_ends_where_nothing_goes_on(terminal):
    with progress.working("a moment"):
        pass
    end = time.monotonic() + 10
    while any(thread.name == "dy2st progress" for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)
    with progress.working("again"):
        shown(terminal, "again")


def test_where_nobody_looks_it_costs_next_to_nothing():
    start = time.perf_counter()
    for _ in range(2000):
        with progress.working("nothing"):
            pass
    assert (time.perf_counter() - start) / 2000 < 1e-4


def test_the_line_is_the_users_not_that_of_an_installed_package(tmp_path):
    packages = tmp_path / "site-packages"
    packages.mkdir()
    (packages / "helping.py").write_text("import sys\n\n\ndef help(place):\n    return place(sys._getframe())\n")
    (tmp_path / "own.py").write_text("import helping\n\n\ndef own(place):\n    return helping.help(place)\n")
    script = "import own\nfrom dy2st.runtime.where.running import place\nprint(own.own(place))\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path), str(packages)])}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert (done.stdout, done.stderr) == (" at own.py:5\n", "")
