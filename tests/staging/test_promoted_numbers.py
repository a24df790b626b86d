"""A Python number that meets a tensor is a tensor from there on: what a number and a tensor answer differently is refused."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st import jit
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.JoinWarning")

REFUSED = {
    "isinstance(v, int)": "isinstance",
    "isinstance(v, (paddle.Tensor, list))": "isinstance",
    "type(v) is int": "the class",
    "v.__class__.__name__": "the class",
    "str(v)": "the text",
    "repr(v)": "the text",
    "f'{v}'": "the text",
    "f'{v:.2f}'": "the text",
    "'%s' % v": "the text",
    "f'{v * 2 + 1}'": "the text",
    "f'{-v}'": "the text",
    "f'{v > 1}'": "the text",
    "print(v)": "the text",
    "hasattr(v, 'shape')": "hasattr or getattr",
    "getattr(v, 'shape', 3)": "hasattr or getattr",
}
ANSWERED = {
    "isinstance(v, str)": False,
    "isinstance(v, (list, tuple))": False,
    "hasattr(v, 'missing')": False,
    "getattr(v, 'missing', 3)": 3,
    "v is None": False,
    "v == 2": True,
    "v * 2 + 1": 5,
    "abs(-v)": 2,
    "f'{v + x}'[:6]": "Tensor",
    "isinstance(v * x, paddle.Tensor)": True,
}
MAKERS = {
    "branch": """
def f(x):
    v = 2
    if x.sum() > 0:
        v = x.sum()
    return {use}
""",
    "loop": """
def f(x):
    v, i = 2, x.sum()
    while i > 0:
        v, i = v + i, i - 1
    return {use}
""",
    "call": """
def chosen(x):
    if x.sum() > 0:
        return x.sum()
    return 2
def f(x):
    v = chosen(x)
    return {use}
""",
    "None, too": """
def f(x):
    v = None
    if x.sum() > 0:
        v = x.sum()
    elif x.sum() < 0:
        v = 2
    return {use}
""",
}


def made(maker, use, folder):
    path = folder / "made.py"
    path.write_text("import dy2st as paddle\n" + MAKERS[maker].format(use=use))
    namespace = {"__name__": "made"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("maker", [maker for maker in MAKERS if maker != "None, too"])
@pytest.mark.parametrize("use", REFUSED)
def test_the_class_of_a_value_is_refused(maker, use, tmp_path):
    static = jit.to_static(made(maker, use, tmp_path), input_spec=[InputSpec([2])])
    with pytest.raises(ConversionError, match=rf"made\.py:\d+: {REFUSED[use]} of a value that is a Python number on one path"):
        static(paddle.ones([2]))


@pytest.mark.parametrize("use", REFUSED)
def test_paths_that_end_apart_know_the_class(use, tmp_path):
    """Where None is among the kinds, each path is staged to its end by itself."""
    function = made("None, too", use, tmp_path)
    static = jit.to_static(function, input_spec=[InputSpec([2])])
    for numbers in ([1.0, 2.0], [-1.0, -2.0], [0.0, 0.0]):
        told = []
        for called in (function, static):
            try:
                told.append(called(paddle.to_tensor(numbers)))
            except TypeError as error:
                told.append(str(error))
        assert told[1] == told[0]


@pytest.mark.parametrize("maker", [maker for maker in MAKERS if maker != "None, too"])
@pytest.mark.parametrize("use", ANSWERED)
def test_what_both_answer_alike_is_answered(maker, use, tmp_path):
    function = made(maker, use, tmp_path)
    static = jit.to_static(function, input_spec=[InputSpec([2])])
    x = paddle.to_tensor([-1.0, -2.0])
    assert static(x) == function(x) == ANSWERED[use] or use.startswith("f'{v + x}'")
    assert static(paddle.ones([2])) == function(paddle.ones([2]))


def test_a_tensor_on_every_path_is_asked():
    def f(x):
        v = paddle.to_tensor(2.0) if x.sum() > 0 else x.sum()
        return isinstance(v, paddle.Tensor), f"{v}"[:6]

    static = jit.to_static(f, input_spec=[InputSpec([2])])
    assert static(paddle.ones([2])) == f(paddle.ones([2]))
