"""Node.js and Chromium as tests use them: what skips where they are absent, a program in Node, a folder that is served."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 120  # seconds


def needs_node() -> None:
    """Skip where Node.js or the packages are absent."""
    if shutil.which("node") is None:
        pytest.skip("models run in Node.js, which is not installed")
    if not PACKAGES.exists():
        pytest.skip("models run in packages of npm: cd tests/onnx_models/web && npm ci --ignore-scripts")


def needs_browser() -> None:
    """Skip where Chromium, Node.js, which drives it, or the packages are absent."""
    needs_node()
    if browser() is None:
        pytest.skip("pages are shown by Chromium, which is not installed")


def browser() -> str | None:
    """The path of a Chromium."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def node(script: Path, *arguments: object) -> Any:
    """What a script prints as JSON."""
    command = ["node", str(script), *map(str, arguments)]
    environment = {**os.environ, "CHROMIUM": browser() or ""}
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a folder is served, as `python -m http.server` does it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
