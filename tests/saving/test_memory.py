"""Loading takes no more memory than twice the file: weights are mapped, or read once and copied once."""

import subprocess
import sys

import pytest

import dy2st as paddle
from dy2st import jit, nn
from dy2st.static import InputSpec

LOADS = """
import os, sys
import dy2st

def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024

def load(read, file):
    open("/proc/self/clear_refs", "w").write("5")  # the peak starts anew
    before = peak()
    kept = read()
    print((peak() - before) / os.path.getsize(file))

dy2st.jit.load("small")  # what loading imports is there
dy2st.load("small.state")
load(lambda: dy2st.jit.load("net"), "net.params.safetensors")
load(lambda: dy2st.jit.load("net.dy2st"), "net.dy2st")
load(lambda: dy2st.jit.load(open("net.dy2st", "rb")), "net.dy2st")
load(lambda: dy2st.load("net.state"), "net.state")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_load_takes_at_most_twice_the_file(tmp_path):
    for name, width in (("small", 2), ("net", 2048)):
        layer, spec = nn.Linear(width, width), [InputSpec([None, width], "float32", "x")]
        jit.save(layer, tmp_path / name, input_spec=spec)
        jit.save(layer, tmp_path / f"{name}.dy2st", input_spec=spec)
        paddle.save(layer.state_dict(), tmp_path / f"{name}.state")
    found = subprocess.run([sys.executable, "-c", LOADS], cwd=tmp_path, capture_output=True, text=True, check=True)
    factors = [float(line) for line in found.stdout.split()]
    assert len(factors) == 4 and max(factors) < 2.1, factors
