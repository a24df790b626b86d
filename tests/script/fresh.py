"""Loading what a test has saved, in a process that knows nothing of the test."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def fresh(code: str, folder, environment: dict | None = None) -> dict:
    """Run code in a new interpreter, in `folder`; what it leaves in `found`, through JSON."""
    head = "import json, dy2st as paddle\nfrom dy2st import jit\nfound = {}\n"
    text = head + textwrap.dedent(code) + "\nprint('FOUND' + json.dumps(found))\n"
    import os

    run = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.rpartition("FOUND")[2]) | {"stdout": run.stdout.rpartition("FOUND")[0]}
