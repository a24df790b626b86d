"""Messages on paths of staged control flow: they come when the path is taken, as in torch."""

from __future__ import annotations

import logging
import warnings

import pytest

torch = pytest.importorskip("torch")

import dy2st  # noqa: E402
import dy2st.torch  # noqa: E402
from dy2st.errors import ConversionError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

logger = logging.getLogger("model")


def chatty(x):
    if x.sum() > 0:
        logger.warning("the sum of %d is %.1f", x.shape[0], x.sum())
        logger.log(logging.INFO, f"{x.max()}")
        x = x * 2
    else:
        warnings.warn("nothing to sum", DeprecationWarning, stacklevel=2)
    return x


def test_messages_come_when_their_path_is_taken(caplog, tmp_path):
    net = dy2st.torch.to_static(chatty, [InputSpec([None], "float32", "x")])
    dy2st.jit.save(net, str(tmp_path / "net"))
    loaded = dy2st.jit.load(str(tmp_path / "net"))
    for call in (net, lambda x: loaded(dy2st.to_tensor(x.numpy()))):
        for _ in range(2):
            caplog.clear()
            with caplog.at_level(logging.DEBUG):
                call(torch.ones(3))
            assert [(r.name, r.levelname, r.getMessage()) for r in caplog.records if r.name == "model"][:1] == [
                ("model", "WARNING", "the sum of 3 is 3.0")
            ]
            with pytest.warns(DeprecationWarning, match="nothing to sum"):
                call(-torch.ones(3))


def test_a_graph_says_nothing(tmp_path):
    ort = pytest.importorskip("onnxruntime")
    net = dy2st.torch.to_static(chatty, [InputSpec([None], "float32", "x")])
    session = ort.InferenceSession(dy2st.onnx.export(net, str(tmp_path / "net.onnx")))
    for sign in (1.0, -1.0):
        x = torch.full((3,), sign)
        assert session.run(None, {"x": x.numpy()})[0].tolist() == [2.0 if sign > 0 else -1.0] * 3


def test_a_message_with_a_traceback_is_refused():
    def failing(x):
        if x.sum() > 0:
            logger.error("bad", exc_info=True)
        return x

    with pytest.raises(ConversionError, match="exc_info"):
        dy2st.torch.to_static(failing)(torch.ones(2))


def test_a_message_that_its_logger_does_not_take_is_nothing(caplog, recwarn):
    def quiet(x):
        logger.debug("given %s", x.shape)
        return x * 2

    static = dy2st.torch.to_static(quiet)
    with caplog.at_level(logging.WARNING, "model"):
        for _ in range(2):
            static(torch.ones(3))
    assert len(static.program_cache) == 1 and not caplog.records and not recwarn
    with caplog.at_level(logging.DEBUG, "model"), pytest.warns(dy2st.errors.UnconvertedCallWarning):
        static(torch.ones(3))
    assert [record.getMessage() for record in caplog.records] == ["given torch.Size([3])"]
