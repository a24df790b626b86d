"""Comments and blank lines of the user's stand in the rewritten text, each once, in the function that they stood in."""

from __future__ import annotations

import ast
import inspect
import io
import random
import re
import textwrap
import tokenize

import pytest
import test_constructs
import test_functions
import test_readable_iteration
import test_readable_source
from random_functions import Writer, compile_function
from support.sampling import sampled

from dy2st.transformers import transpile, unparse

MODULES = (test_constructs, test_functions, test_readable_source, test_readable_iteration)
FUNCTIONS = [function for module in MODULES for function in vars(module).values()
             if inspect.isfunction(function) and function.__module__ == module.__name__ and not function.__closure__
             and not hasattr(function, "__wrapped__") and not inspect.iscoroutinefunction(function)
             and function is not test_functions.test_what_cant_be_converted]     # which uses the name _jst
MARK = re.compile(r"# c\d+")


def commented(text: str) -> str:
    """The text with a comment above, beside and below each of its lines, and with blank lines."""
    lines, ends, starts = text.splitlines(), set(), {}
    begins = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NEWLINE:
            ends.add(token.start[0])
            begins = True
        elif begins and token.type not in (tokenize.INDENT, tokenize.DEDENT, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER):
            starts[token.start[0]], begins = " " * token.start[1], False
    result, count = [], iter(range(10 ** 6))
    for number, line in enumerate(lines, start=1):
        indentation = starts.get(number)
        if indentation and not line.lstrip().startswith("@"):
            result += ["", f"{indentation}# c{next(count)}"]
        result.append(f"{line}  # c{next(count)}" if number in ends and not MARK.search(line) else line)
        if number in ends and not line.endswith((":", "\\")):
            result.append(" " * (len(line) - len(line.lstrip())) + f"# c{next(count)}")
    return "\n".join(result[:-1]) + "\n"


def functions_around(text: str, names: set[str]) -> dict[str, list[str]]:
    """For each comment, the functions of these names that it stands in, by the columns of lines."""
    found, around = {}, []
    for line in text.splitlines():
        column = len(line) - len(line.lstrip())
        if line.strip():
            around = [(start, name) for start, name in around if start < column]
        for comment in MARK.findall(line):
            assert comment not in found, text
            found[comment] = [name for _, name in around]
        head = re.match(r" *def (\w+)", line)
        if head and head[1] in names:
            around.append((column, head[1]))
    return found


@pytest.fixture(autouse=True)
def long_lines(monkeypatch):
    monkeypatch.setattr(unparse, "LINE_WIDTH", 10 ** 6)


def check(text: str) -> None:
    transpiled = transpile(compile_function(text))
    annotated = transpiled.annotated()
    (parsed,) = ast.parse(annotated).body
    assert ast.dump(parsed) == ast.dump(transpiled.tree), annotated
    names = {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}
    found, expected = functions_around(annotated, names), functions_around(text, names)
    assert found.keys() == expected.keys()
    if all(annotated.count(f"def {name}(") == text.count(f"def {name}(") for name in names):      # else some were in dead code
        assert found == expected, annotated


@pytest.mark.long
@pytest.mark.parametrize("seed", sampled(range(400), 40))
def test_random_functions(seed):
    text = Writer(random.Random(seed)).write()
    if compile_function(text) is not None:
        check(commented(text))


@pytest.mark.long
@pytest.mark.parametrize("function", sampled(FUNCTIONS, 60), ids=lambda function: function.__qualname__)
def test_constructs_of_all_kinds(function):
    text = textwrap.dedent(inspect.getsource(function))
    check(commented(re.sub(rf"\bdef {function.__name__}\b", "def f", text[text.index("def "):], count=1)))


def placed(x, n):
    total = x.sum(  # of all
        axis=0)
    for i in range(n):
        if i == 2:
            # two is left out
            continue  # on purpose
        total = total + i
        # so far

    # negative or not
    if total > 0:
        pass  # stays
    # the rest
    else:  # turned

        total = -total
    return total


PLACED = """
def placed(x, n):
    # of all
    total = _jst.call(x.sum)(axis=0)
    for_iter_0 = _jst.iter(_jst.call(range)(n))  # for i in range(n):
    def for_body_0(total):
        i = for_iter_0.next()
        # two is left out
        # on purpose
        def false_fn_0(total):  # if i == 2:
            return total + i
            # so far
        return _jst.convert_ifelse(i == 2, None, false_fn_0, (total,))
    total = _jst.convert_while_loop(None, for_body_0, [total], for_iter_0)

    # negative or not
    # stays
    def false_fn_1(total):  # if total > 0:
        # the rest
        # turned
        return -total
    total = _jst.convert_ifelse(total > 0, None, false_fn_1, (total,))
    return total
"""


def test_each_comment_stands_by_its_statement():
    text = re.sub(r"  # \d+(: )?", lambda number: "  # " if number[1] else "", transpile(placed).annotated())
    assert text.replace("  # \n", "\n") == PLACED.lstrip()


def test_lambdas_have_the_numbers_of_their_lines_alone():
    double = lambda x: (  # noqa: E731
        x.sum() * 2)
    line = double.__code__.co_firstlineno
    assert transpile(double).annotated() == f"lambda x: _jst.call(x.sum)() * 2  # {line}\n"
