"""PyTorch without the package ml_dtypes: only tensors of bfloat16 need it. Each test is a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("torch")

_CALLS = """
import torch
import dy2st.torch

net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)).eval()
x, static = torch.randn(5, 3), dy2st.torch.to_static(net)
torch.testing.assert_close(static(x), net(x))
torch.testing.assert_close(static(x[:2]), net(x[:2]))
static(x).sum().backward()
expected = [p.grad for p in net.parameters()]
assert all(g is not None for g in expected)
double = dy2st.torch.to_static(lambda x: (x * 2, x.half(), x.long()))
assert [y.dtype for y in double(x)] == [torch.float32, torch.float16, torch.int64]
"""
_WITHOUT = 'import sys; sys.modules["ml_dtypes"] = None  # as if it were not installed\n'
_NARROW = """
from dy2st.errors import DTypeError
for call in (lambda: double(x.bfloat16()), lambda: dy2st.torch.to_static(lambda x: x.bfloat16().float())(x)):
    try:
        call()
        print('no error')
    except (DTypeError, RuntimeError) as error:  # of torch's class where the Program raises it
        print(error)
"""


@pytest.fixture
def run(tmp_path):
    """Runs a file of these lines; gives what it prints."""

    def called(code: str) -> str:
        path = tmp_path / "calls.py"
        path.write_text(code)
        done = subprocess.run([sys.executable, path], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return called


def test_i_01_modules_are_called_where_ml_dtypes_is_not_installed(run):
    assert run(_WITHOUT + _CALLS) == ""


def test_i_01_ordinary_calls_neither_import_ml_dtypes_nor_switch_bfloat16_on(run):
    asked = "import sys; from dy2st.dtypes import BFLOAT16_USED; print('ml_dtypes' in sys.modules, BFLOAT16_USED)"
    assert run(_CALLS + asked) == "False []\n"


def test_i_01_without_ml_dtypes_a_tensor_of_bfloat16_is_an_error_that_names_the_package(run):
    lines = run(_WITHOUT + _CALLS + _NARROW).splitlines()
    assert len(lines) == 2 and all("bfloat16 need the package ml_dtypes" in x and "pip install '.[bfloat16]'" in x for x in lines)
