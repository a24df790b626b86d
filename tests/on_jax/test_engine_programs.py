"""The programs of `tests/programs` by `backend="jax"`: staged and loaded, they give what plain Python gives."""

from __future__ import annotations

import pytest
from onnx_models.batches import batches, outcome, same_outcome
from onnx_models.program_cases import agreeing_tests
from programs.conftest import call_all, same
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import EngineError

pytest.importorskip("jax", reason="the engine needs the extra 'jax'")


@pytest.fixture
def agree(tmp_path, request):
    """As that of `tests/programs`; a Program that the engine refuses skips the test, with the reason."""

    def check(make, specs, *calls):
        plain = make()
        expected = call_all(plain, calls)
        static = paddle.jit.to_static(make(), input_spec=specs, backend="jax")
        try:
            with paddle.no_grad():
                found = call_all(static, calls)
        except EngineError as error:
            pytest.skip(f"refused: {error}")
        same(expected, found, "staged")
        path = str(tmp_path / "saved")
        paddle.jit.save(paddle.jit.to_static(make(), input_spec=specs), path)
        same(expected, call_all(paddle.jit.load(path, backend="jax"), calls), "loaded")
        for call in batches(specs, calls[0], request.node.name):
            expected, given = outcome(plain, call), outcome(static, call)
            if isinstance(given, EngineError):
                pytest.skip(f"refused: {given}")
            same_outcome(expected, given, f"shapes {[x.shape for x in call]}")

    return check


# Each compiles several times: the whole takes minutes.
pytestmark = pytest.mark.long
globals().update(sampled(agreeing_tests(), 24))
