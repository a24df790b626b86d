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


@pytest.mark.skipif(importlib.util.find_spec("paddle") is None, reason="Paddle isn't installed")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.text)
def test_as_in_paddle(call):
    import paddle

    if not call.note.startswith("differs"):
        same(evaluate(call.text, dy2st), evaluate(call.text, paddle), values=call.note != "either")


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
