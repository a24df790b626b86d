"""Tuples that a loop makes longer, given to functions of torch that put tensors together."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

missing = [name for name in ("torch", "onnxruntime") if find_spec(name) is None]
if missing:
    pytest.skip(f"ONNX models of torch modules need {', '.join(missing)}", allow_module_level=True)

import io  # noqa: E402

import onnxruntime  # noqa: E402
import torch  # noqa: E402

import dy2st  # noqa: E402
import dy2st.onnx  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402


class Grown(torch.nn.Module):
    """Gives a tuple as long as a sum decides to a function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        found = ()
        while x.sum() < 40:
            x = x + 1
            found += (x,)
        return self.function(found)


FUNCTIONS = {
    "stack": lambda xs: torch.stack(xs),
    "stack along another axis": lambda xs: torch.stack(xs, 1),
    "stack of some": lambda xs: torch.stack(xs[1:], dim=-1),
    "stack of more": lambda xs: torch.stack(xs + xs),
    "cat": lambda xs: torch.cat(xs),
    "cat of results": lambda xs: torch.cat(tuple(x * 2 for x in xs), dim=0),
    "tensor": lambda xs: torch.tensor(tuple(float(x.sum()) for x in xs)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_tuple_of_any_length_is_put_together(name, tmp_path):
    plain = Grown(FUNCTIONS[name])
    static = dy2st.torch.to_static(plain, [InputSpec([None], "float32", "x")])
    file = io.BytesIO()
    dy2st.jit.save(static, file)
    file.seek(0)
    loaded = dy2st.jit.load(file)
    session = onnxruntime.InferenceSession(dy2st.onnx.export(static, str(tmp_path / "model.onnx")))
    for x in (torch.zeros(3), torch.ones(8)):
        expected = plain(x)
        assert torch.equal(static(x), expected)
        assert torch.equal(torch.from_numpy(loaded(dy2st.to_tensor(x.numpy())).numpy()), expected)
        assert torch.equal(torch.from_numpy(session.run(["output"], {"x": x.numpy()})[0]), expected)
