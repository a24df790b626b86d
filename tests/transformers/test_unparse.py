"""The text of a tree parses back to the tree: over modules of the standard library and one snippet per rare construct."""

import ast
import importlib.util
import sys

import gast
import pytest
from support.sampling import sampled

from dy2st.transformers.unparse import same_shape, text_and_tree, unparse

MODULES = ["argparse", "ast", "bisect", "calendar", "cmd", "code", "collections", "colorsys", "configparser", "contextlib",
           "copy", "csv", "dataclasses", "difflib", "enum", "fnmatch", "fractions", "functools", "gettext", "heapq",
           "inspect", "ipaddress", "json.decoder", "locale", "pprint", "queue", "random", "shlex", "statistics", "string",
           "textwrap", "tokenize", "traceback", "typing", "uuid", "weakref"]

SNIPPETS = [
    "match x:\n case [1, -2, *rest] if rest: pass\n case {'a': 1, 'b.c': y, **more}: pass\n case P(x=0, y=(1 | 2)) as p: pass\n"
    " case (None | True | a.b | -1 + 2j): pass\n case (x, *_): pass\n case _: pass\n",
    "def f(a, /, b, *, c: int = 1, **k) -> int: return lambda *a, k=1: (yield)\n",
    "async def f():\n async with a as b, c: pass\n async for x in y: await z\n return [i async for i in x if await i]\n",
    "if (n := f()) and (m := [y := 1, y**2]): pass\n",
    "x = -1 ** 2, (-1) ** 2, not (a or b), -(-x), (a, *b), a[1:2, ...], a[b, :], {**a, 'b': 1}, {*a}, 1 .real, 1e999, 3j\n",
    "f'{x!r:>{w}}{{}}{y=}' f\"{a['b']}\" 'c'; b'\\x00'; u'u'; '''a\nb'''\n",
    "with (open(a) as b, c): pass\ntry: pass\nexcept (A, B) as e: raise C from e\nelse: pass\nfinally: del a, b[0], c.d\n",
    "@d(1)\n@e\nclass A(B, metaclass=C, **k):\n x: int = 1\n (y): str\n def f(self): nonlocal_ = 1\n",
    "for a, (b, *c) in d, e:\n print(*a, **b, end='')\nelse:\n while x: break\n else: continue_ = 1\n",
    "x = (yield_ for a in b for c in d if e if f), (lambda: (yield))\nglobal_ = a if b else (c if d else e)\n",
    "from . import a as b\nfrom ..c import *\nimport d.e as f\nassert x, 'm'\nreturn_ = a < b <= c is not d not in e\n",
]
if sys.version_info >= (3, 11):
    SNIPPETS.append("try: pass\nexcept* (A, B) as e: pass\nexcept* C: pass\nelse: pass\nfinally: pass\n")
    SNIPPETS.append("x[*a, 1]\ndef f(*args: *Ts): pass\n")
if sys.version_info >= (3, 12):
    SNIPPETS.append("type A[T: int, *Ts, **P] = list[T]\ndef f[T](x: T) -> T: pass\nclass C[T](B): pass\n")
    SNIPPETS.append("f'{d[\"a\"]!r}{'\\n'}'\n")
if sys.version_info >= (3, 13):
    SNIPPETS.append("type A[T = int, *Ts = *tuple[int], **P = [int]] = T\n")


@pytest.mark.long
@pytest.mark.parametrize("name", sampled(MODULES, 6))
def test_standard_library(name):
    tree = ast.parse(importlib.util.find_spec(name).loader.get_source(name))
    text, parsed = text_and_tree(tree)
    assert same_shape(parsed.body, tree.body)
    assert max(map(len, text.splitlines())) < 1000


@pytest.mark.parametrize("text", SNIPPETS)
def test_every_construct(text):
    tree = ast.parse(text)
    assert same_shape(ast.parse(unparse(gast.ast_to_gast(ast.parse(text)))).body, tree.body)
