"""Numbers and texts known only at run time, spelt by `hex`, `chr`, `ord`, `ascii` and the methods of `str`."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError
from dy2st.static import InputSpec

from .agreement import assert_agrees, functions_of


def numbers(x, n):
    k = int(n)
    return hex(k), oct(k), bin(k + 9), chr(k + 65), hex(n), chr(65), hex(k if n > 1 else k > 0)


def characters(x, n):
    s = "one é" if n > 1 else "two é"
    return ord(s[0]), ord("a"), ascii(s), ascii(int(n)), ascii([s, 1]), f"{s!a} {[s, n]!a}", ascii("é")


def parts_of_text(x, n):
    s = "one two,3 " if n > 1 else " Three"
    return s.partition(" "), s.rpartition(","), s.rsplit(), s.rsplit(",", 1), s.expandtabs()


def questions(x, n):
    s = "Two" if n > 1 else "3"
    return s.isascii(), s.isdecimal(), s.isprintable(), s.istitle(), hasattr(s, "upper"), hasattr(s, "nothing")


def only_known(x, n):
    return len(frozenset([1, 2, 1])), bytes([1, 2])[0], bytearray(2)[1], complex(1, 2).imag


def out_of_range(x, n):
    try:
        return chr(int(n) - 1)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_as_plain_python(function):
    assert_agrees(function)


@pytest.mark.parametrize("kind", [frozenset, bytes, bytearray])
def test_what_asks_for_known_values_is_refused(kind):
    def of_staged(n):
        items = [1]
        if n > 0:
            items.append(2)
        return len(kind(items))

    with pytest.raises(ConversionError, match=rf"test_spelling.py:\d+: {kind.__name__}\(...\) of a value that is known only"):
        paddle.jit.to_static(of_staged, input_spec=[InputSpec([], "int64", "n")]).concrete_program


def test_a_method_that_texts_of_the_program_lack_is_refused_and_not_absent():
    def encoded(n):
        text = "a" if n > 0 else "b"
        return len(text.encode()) if hasattr(text, "encode") else 0

    with pytest.raises(ConversionError, match="str.encode on a string"):
        paddle.jit.to_static(encoded, input_spec=[InputSpec([], "int64", "n")]).concrete_program
