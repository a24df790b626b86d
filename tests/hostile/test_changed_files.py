"""`changed_files.py`, in a process of its own: an audit hook can't be taken out again, and slows every later call."""

import subprocess
import sys
from pathlib import Path


def test_changed_files():
    tests = Path(__file__).with_name("changed_files.py")
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", str(tests)],
        capture_output=True,
        text=True,
        cwd=tests.parent.parent.parent,
    )
    assert found.returncode == 0 and "3 passed" in found.stdout, found.stdout + found.stderr
