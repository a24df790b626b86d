"""Files of every kind, changed at random, and what must be found: in other processes, since an audit hook stays for good."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.sampling import SEED, amount

from hostile.campaign import main

FIRST = int(SEED) * 1000  # the changed files of the day
HOLES = """
import io, os
from unittest.mock import patch

import dy2st as paddle
from hostile.attempt import try_model, watch
from hostile.by_hand import does

def lets_a_key_error_out(program, info):
    return {}["hole"]

def runs_a_command(program, info):
    return os.system("true")

paddle.jit.load(io.BytesIO(does()))  # which imports what reads archives
watch()
for hole in (lets_a_key_error_out, runs_a_command):
    with patch("dy2st.jit.loading.load.check_info", hole):
        print(try_model(does(), (), False))
"""


@pytest.mark.long
def test_changed_files_are_refused_or_fail_as_a_program_may(tmp_path, monkeypatch, capsys):
    """The campaign goes on where its log ends."""
    count = amount(300, 30)
    log = tmp_path / "log"
    log.write_text(f'[{FIRST}, "loops", "refused"]\n[{FIRST + 1}, "trace", "refused"]\n')
    monkeypatch.setattr("sys.argv", ["campaign", "--start", str(FIRST), "--count", str(count), "--log", str(log)])
    assert main() == 0, capsys.readouterr().out + log.read_text()
    assert f"{count} files, 0 that must not be" in capsys.readouterr().out
    assert [line.split(",")[0] for line in log.read_text().splitlines()] == [f"[{FIRST + k}" for k in range(count)]


def test_what_the_campaign_must_find_is_found():
    """A planted hole: a loader that lets a KeyError out, and one that runs a command."""
    done = subprocess.run([sys.executable, "-c", HOLES], cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    error, command = done.stdout.splitlines()
    assert error.startswith("! load raises KeyError") and command.startswith("! os.system")
