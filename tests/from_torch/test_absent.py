"""Without torch: what `import dy2st.torch` says, and that nothing else imports it."""

from __future__ import annotations

import subprocess
import sys

ABSENT = """
import sys; sys.modules["torch"] = None
import pkgutil, dy2st
try:
    import dy2st.torch
except ImportError as error:
    print(error)
"""
ELSE = """
import sys, dy2st, dy2st.jit, dy2st.nn, dy2st.static, dy2st.cli
assert "torch" not in sys.modules and "dy2st.torch" not in sys.modules
"""


def test_importing_it_says_what_to_install():
    ran = subprocess.run([sys.executable, "-c", ABSENT], capture_output=True, text=True, check=True)
    assert "pip install '.[torch]'" in ran.stdout


def test_nothing_else_imports_torch():
    subprocess.run([sys.executable, "-c", ELSE], check=True)
