"""Texts and numbers of subclasses, NumPy's among them, beside a text that only the Program knows."""

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError


class Text(str):
    pass


class Int(int):
    pass


class Spelled:
    def __str__(self):
        return "spelled"


USES = {
    "%s": lambda s, t: "%s %s" % (s, t),
    "%s of a number": lambda s, t: "%s %s %d" % (s, Int(3), Int(4)),
    "%s of an object": lambda s, t: "%s %s" % (s, Spelled()),
    "format": lambda s, t: "{} {:>4}".format(s, t),
    "f-string": lambda s, t: f"{s}{t}{Int(3)}",
    "join": lambda s, t: ",".join([s, t]),
    "methods": lambda s, t: (s.replace(t, "x"), s.split(t), s.find(t), s.count(t), s.startswith(t)),
    "in": lambda s, t: (s in t, t in s, s == t, s != t, s < t),
    "+": lambda s, t: (s + t, t + s),
}


@pytest.mark.parametrize("text", [Text("3"), np.str_("3"), "3"], ids=lambda text: type(text).__name__)
@pytest.mark.parametrize("use", USES)
def test_as_in_plain_python(use, text):
    def function(n):
        return USES[use](str(int(n)), text)

    n = paddle.to_tensor(3)
    found, expected = paddle.jit.to_static(function)(n), function(n)
    told = [part.item() if isinstance(part, paddle.Tensor) else part for part in (found if isinstance(found, tuple) else [found])]
    assert told == list(expected if isinstance(expected, tuple) else [expected])


@pytest.mark.parametrize("text", [Text("3"), np.str_("3")], ids=lambda text: type(text).__name__)
def test_their_own_methods_are_refused(text):
    def function(n):
        return text.join((str(int(n)), "a"))

    with pytest.raises(ConversionError, match="known only when the Program runs"):
        paddle.jit.to_static(function)(paddle.to_tensor(3))


def test_print(capsys):
    def function(n):
        print(int(n), Text("a"), Int(4), Spelled())
        return n

    function(paddle.to_tensor(3))
    expected = capsys.readouterr().out
    paddle.jit.to_static(function)(paddle.to_tensor(3))
    assert capsys.readouterr().out == expected
