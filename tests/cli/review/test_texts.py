"""The lines of a review: what the diff gives when it is applied, and which lines belong together."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from collections import Counter

import pytest
from golden import functions
from golden.twelve import TWELVE

from dy2st.cli.review import reviewed, unified
from dy2st.transformers import transpile

FUNCTIONS = [*TWELVE, *(f for f in vars(functions).values() if getattr(f, "__module__", "") == functions.__name__)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_diff_leads_from_the_users_source_to_the_rewritten_code(function):
    lines = unified(reviewed(function))[2:]
    head, *lines = lines if lines[0].startswith("@@") else ["", *lines]
    old, new = ("\n".join(line[1:] for line in lines if line[:1] in marks) for marks in (" -", " +"))
    assert old == textwrap.dedent(inspect.getsource(function)).rstrip("\n")
    assert ast.dump(ast.parse(new)) == ast.dump(ast.parse(transpile(function).source))
    assert head == f"@@ -{inspect.getsourcelines(function)[1]},{len(old.splitlines())} +1,{len(new.splitlines())} @@"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_word_that_stands_once_in_both_texts_stands_on_lines_that_belong_together(function):
    found = reviewed(function)
    source, rewritten = words_of(found.source), words_of(found.rewritten)
    both = (source.keys() & rewritten.keys()) - {"True", "False", "None"}
    assert both, "none to compare"
    assert [word for word in both if source[word].number not in lines_of(rewritten[word].number, found)] == []


def lines_of(number, found):
    """The lines of the statement that begins with this line: of a compound one its head, and what a `try` catches."""
    tree = ast.parse("\n".join(line.text for line in found.source))
    ast.increment_lineno(tree, found.first - 1)
    lines = {number}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno == number:
            body = getattr(node, "body", None)
            lines.update(range(number, body[0].lineno if body else node.end_lineno + 1))
            lines.update(handler.lineno for handler in getattr(node, "handlers", ()))
    return lines


def words_of(lines):
    """The names and numbers that stand once in a text, each with its line."""
    text = "\n".join(line.text for line in lines) + "\n"
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type in (tokenize.NAME, tokenize.NUMBER)]
    counts = Counter(token.string for token in tokens)
    return {token.string: lines[token.start[0] - 1] for token in tokens if counts[token.string] == 1}


def test_what_is_changed_is_marked_and_what_is_only_spelled_otherwise_is_not():
    # fmt: off
    def spelled(x):
        y = x+1; text = 'single'  # noqa: E702
        z = (x *
             2)
        return y.abs() + z, text
    # fmt: on

    found = reviewed(spelled)
    assert [line.text.strip() for line in found.source if line.changed] == ["return y.abs() + z, text"]
    assert [line.text.strip() for line in found.rewritten if line.changed] == ["return _jst.call(y.abs)() + z, text"]
    assert "    z = (x *\n         2)" in "\n".join(line.text for line in found.rewritten)


def test_a_lambda_and_what_rewriting_leaves_alone():
    assert unified(reviewed(twice))[-1] == " nothing is rewritten"
    half = lambda x: x.abs() / 2  # noqa: E731
    assert any(line.startswith("+lambda x: _jst.call(x.abs)() / 2") for line in unified(reviewed(half)))


def twice(x):
    """Twice."""
    return x * 2
