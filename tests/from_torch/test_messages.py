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


def warned(x):
    warnings.warn("large", stacklevel=1)
    warnings.warn("passed large", stacklevel=2)


def warning(x):
    if x.sum() > 0:
        warned(x)
    return x


def test_a_warning_is_shown_at_its_line(tmp_path):
    def shown(call):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            call()
        return [(str(one.message), one.filename, one.lineno) for one in found]

    net = dy2st.torch.to_static(warning, [InputSpec([None], "float32", "x")])
    net(-torch.ones(3))
    expected = shown(lambda: warning(torch.ones(3)))
    assert shown(lambda: net(torch.ones(3))) == expected and [file for _, file, _ in expected] == [__file__] * 2
    dy2st.jit.save(net, str(tmp_path / "net"))
    loaded = dy2st.jit.load(str(tmp_path / "net"))
    without_folder = [(text, "<test_messages.py>", line) for text, _, line in expected]
    assert shown(lambda: loaded(dy2st.to_tensor([1.0]))) == without_folder


def test_filters_of_modules_hold_for_the_warnings_of_a_program():
    net = dy2st.torch.to_static(warning, [InputSpec([None], "float32", "x")])
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("default")
        for _ in range(2):
            net(torch.ones(4))
        assert len(found) == 2  # once for each line
        warnings.filterwarnings("ignore", module=__name__)
        net(torch.ones(4))
    assert len(found) == 2


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
