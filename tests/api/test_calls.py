"""The sample calls: as real Paddle gives them, where it is installed; and recorded, saved and loaded as they run at once."""

from __future__ import annotations

import importlib.util
import io

import numpy as np
import pytest
from api.calls import INPUTS, calls

import dy2st
from dy2st.static import InputSpec

CALLS = calls()
AGAINST_PADDLE = CALLS if importlib.util.find_spec("paddle") else []  # no case is one skipped test, not two thousand


def arrays(value):
    """A result as NumPy arrays and Python values."""
    if hasattr(value, "numpy"):
        return value.numpy()
    if isinstance(value, (list, tuple)):
        return [arrays(v) for v in value]
    return value


def evaluate(text: str, library):
    tensors = {name: library.to_tensor(array) for name, array in INPUTS.items()}
    return arrays(eval(text, {"paddle": library, **tensors}))


def same(given, expected, values: bool = True) -> None:
    if isinstance(expected, list):
        assert isinstance(given, list) and len(given) == len(expected)
        for a, b in zip(given, expected):
            same(a, b, values)
    elif isinstance(expected, np.ndarray):
        assert isinstance(given, np.ndarray)
        assert (given.dtype, given.shape) == (expected.dtype, expected.shape)
        if values:
            np.testing.assert_allclose(given, expected, rtol=2e-5, atol=2e-5)
    else:
        assert given == expected or str(given) == str(expected)


@pytest.mark.parametrize("call", AGAINST_PADDLE, ids=lambda call: call.text)
def test_as_in_paddle(call):
    import paddle

    if not call.note.startswith("differs"):
        same(evaluate(call.text, dy2st), evaluate(call.text, paddle), values=call.note != "either")


def gradients(text: str, library) -> dict:
    """The gradients of a weighing of all floating-point results, by all floating-point inputs."""
    leaves = {name: library.to_tensor(array) for name, array in INPUTS.items()}
    real = [name for name, array in INPUTS.items() if array.dtype.kind in "fc"]
    for name in real:
        leaves[name].stop_gradient = False
    used = {name: x * 1 if name in real else x for name, x in leaves.items()}
    loss = library.to_tensor(0.0, dtype="float64")
    for at, result in enumerate(_floating(eval(text, {"paddle": library, **used}))):
        weights = np.random.default_rng(at).uniform(0.5, 1.5, result.shape)
        loss = loss + (result.astype("float64") * library.to_tensor(np.asarray(weights))).sum()
    if not loss.stop_gradient:
        loss.backward()
    return {name: leaves[name].grad.numpy() for name in real if leaves[name].grad is not None}


def _floating(value) -> list:
    if isinstance(value, (list, tuple)):
        return [x for item in value for x in _floating(item)]
    return [value] if hasattr(value, "backward") and value.is_floating_point() else []


# Where Paddle has no gradient, or one that finite differences contradict.
NOT_COMPARED = (
    "lerp(y, p)",
    "unfold(",
    "diagonal_scatter(",
    "fill_diagonal_tensor(",
    "median(h",
    "qr(x)",
    "lu(c",
    "lu(x.T",
    'trans="T"',
    "lstsq(",
    "diag_embed(",
    "floor_divide_(",
)


@pytest.mark.parametrize("call", [c for c in AGAINST_PADDLE if not c.note], ids=lambda call: call.text)
def test_gradients_as_in_paddle(call):
    import paddle

    if any(part in call.text for part in NOT_COMPARED):
        return
    try:
        expected = gradients(call.text, paddle)
    except (RuntimeError, ValueError, NotImplementedError):
        return  # no gradient there
    given = gradients(call.text, dy2st)
    for name in {*given, *expected}:
        zero = np.zeros(INPUTS[name].shape, INPUTS[name].dtype)
        np.testing.assert_allclose(given.get(name, zero), expected.get(name, zero), rtol=1e-3, atol=1e-4)


RECORDED = [call for call in CALLS if call.records]
GROUPS = [RECORDED[at : at + 12] for at in range(0, len(RECORDED), 12)]


def as_function(group, folder):
    """A function of a file of its own that makes the calls of a group, and the names of its tensors."""
    names = sorted({name for call in group for name in call.inputs})
    lines = [
        "import dy2st as paddle\n\n",
        f"def function({', '.join(names)}):",
        "    return [",
        *(f"        {call.text}," for call in group),
        "    ]",
    ]
    path = folder / "group.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(f"calls_{abs(hash(group[0].text))}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.function, names


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0].text)
def test_recorded_saved_and_loaded(group, tmp_path):
    function, names = as_function(group, tmp_path)
    specs = [InputSpec(list(INPUTS[name].shape), str(INPUTS[name].dtype)) for name in names]
    static = dy2st.jit.to_static(function, input_spec=specs)
    file = io.BytesIO()
    dy2st.jit.save(static, file)
    file.seek(0)
    for program in (static, dy2st.jit.load(file)):
        given = arrays(program(*[dy2st.to_tensor(INPUTS[name]) for name in names]))
        for call, found in zip(group, given):
            same(found, evaluate(call.text, dy2st), values=call.note != "either")
