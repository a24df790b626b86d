"""The programs of `tests/programs` by `backend="onnxruntime"`: staged and loaded, they give what plain Python gives."""

from __future__ import annotations

import pytest
from onnx_models.batches import batches, outcome, same_outcome
from onnx_models.program_cases import agreeing_tests
from programs.conftest import call_all, same

import dy2st as paddle
from dy2st.errors import EngineError

pytest.importorskip("onnxruntime", reason="the engine needs the extra 'onnx'")
pytest.importorskip("onnx", reason="the engine needs the extra 'onnx'")


@pytest.fixture
def agree(tmp_path, request):
    """As that of `tests/programs`; a Program that the engine refuses skips the test, with the reason."""

    def check(make, specs, *calls):
        plain = make()
        expected = call_all(plain, calls)
        static = paddle.jit.to_static(make(), input_spec=specs, backend="onnxruntime")
        try:
            _ = getattr(static, "forward", static).concrete_program.executable
        except EngineError as error:
            pytest.skip(f"refused: {error}")
        same(expected, call_all(static, calls), "staged")
        path = str(tmp_path / "saved")
        paddle.jit.save(paddle.jit.to_static(make(), input_spec=specs), path)
        same(expected, call_all(paddle.jit.load(path, backend="onnxruntime"), calls), "loaded")
        for call in batches(specs, calls[0], request.node.name):
            same_outcome(outcome(plain, call), outcome(static, call), f"shapes {[x.shape for x in call]}")

    return check


globals().update(agreeing_tests())
