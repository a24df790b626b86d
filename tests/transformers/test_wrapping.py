"""Long lines break where a person would break them, and mean what they meant."""

import ast

from dy2st.transformers.unparse import LINE_WIDTH, unparse


def test_after_a_comma_of_the_outermost_call():
    text = unparse(ast.parse("y = pick(first(second(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb), "
                             "lambda: cccccccccc), dddddddddddddddddddd, (eeeee,))"))
    assert text == (
        "y = pick(first(second(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb), lambda: cccccccccc),\n"
        "        dddddddddddddddddddd, (eeeee,))\n")


def test_a_long_display_takes_many_lines():
    source = f"def f():\n    return [{', '.join(map(str, range(1000)))}]\n"
    text = unparse(ast.parse(source))
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    assert max(map(len, text.splitlines())) <= LINE_WIDTH
    assert all(line.startswith(" " * 12) for line in text.splitlines()[2:])


def test_what_has_no_place_to_break_stays_long():
    source = " + ".join(["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] * 6)
    assert unparse(ast.parse(source)).strip() == source
