"""Control flow in control flow: a Session gives what plain Python gives, call after call, exceptions and state among it."""

from __future__ import annotations

import copy
import importlib.util

import numpy as np
import pytest
from onnx_models.control_flow_grid import CHECKS, cases
from property.compare import canonical, raised, same
from support.sampling import sampled

pytest.importorskip("onnxruntime", reason="exported models run in onnxruntime: pip install '.[onnx]'")
pytest.importorskip("onnx", reason="models are written by onnx: pip install '.[onnx]'")

import dy2st as paddle
import dy2st.onnx
from dy2st.static import InputSpec

SPECS = [InputSpec([None, 3], "float32", "x"), InputSpec([], "int64", "n")]
CALLS = [(rows, n, offset) for rows, n, offset in ((1, 3, 0.5), (5, 2, 0.3), (0, 0, 0), (2, 5, 0.7), (0, 3, 0), (3, 4, -0.5))]


def net_of(case, folder):
    """The class of a case, in a file of its own, where `inspect` finds the source."""
    path = folder / "net.py"
    path.write_text(case.text)
    spec = importlib.util.spec_from_file_location("net_of_a_case", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Net


def arguments():
    choices = np.random.default_rng(0)
    for rows, n, offset in CALLS:
        yield choices.normal(size=(rows, 3)).astype("float32") + np.float32(offset), np.array(n)


def told(function, arrays):
    """What a call gives or raises, and its arguments afterwards."""
    tensors = list(map(paddle.to_tensor, arrays))
    try:
        found = canonical(function(*tensors))
    except Exception as error:
        found = raised(error)
    return found, canonical(tensors)


def expected(net, arrays):
    """The same of plain Python. A check that fails leaves state and arguments as before the call."""
    before = copy.deepcopy((vars(net), arrays))
    try:
        copy.deepcopy(net)(*map(paddle.to_tensor, copy.deepcopy(arrays)))
    except CHECKS as error:
        return raised(error), canonical(list(map(paddle.to_tensor, before[1])))
    except Exception:
        pass  # which `told` tells
    return told(net, arrays)


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(cases(), 60), ids="-".join)
def test_as_in_plain_python(case, tmp_path):
    net = net_of(case, tmp_path)
    plain, session = net(), dy2st.onnx.Session(dy2st.onnx.export(net(), tmp_path / "net", SPECS))
    for arrays in arguments():
        wanted, given = expected(plain, list(arrays)), told(session, arrays)
        assert same(wanted, given), f"{arrays}: {given}, expected {wanted}\n{case.text}"
