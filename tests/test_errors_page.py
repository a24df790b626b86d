"""Each of the 60 mistakes of docs/errors.md shows three things: the user's line, what was given, and what to write instead.

What the page prints is what is printed (`test_docs.py`); here stands what of it is given, and what is to be written.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "errors.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^### ", PAGE, flags=re.M)[1:]}

SAID = {  # section: what was given, what to write
    "A NumPy function on a tensor": ("numpy.tanh", "use dy2st.tanh instead"),
    "`x.numpy()` in the middle of a forward": ("float32[?,3]", "keep the tensor and call dy2st's function"),
    "The array of `x.numpy()` in a name": ("float32[?]", "keep the tensor and call dy2st's function"),
    "A tensor as the key of a dict": ("int64[]", "use its value, x.item()"),
    "A number that isn't known yet in a frozenset": ("frozenset(...)", "use set(...)"),
    "A library function on a number that isn't known yet": ("a value (float)", "write it with operators and built-ins"),
    "A name of an attribute that isn't known yet": ("getattr with a name", "o.a if c else o.b"),
    "A format for a tensor of many elements": ("shape [3]", "reduce it first"),
    "The module `random`": ("a call of random", "dy2st.rand"),
    "`np.random`": ("a call of randn", "dy2st.randn"),
    "The clock": ("a call of perf_counter", "pass the time in"),
    "Reading a file": ("a call of open", "pass what it holds in"),
    "`input()`": ("a call of input", "pass the text in as an argument"),
    "A log message in a branch": ("logging.warning", "write print(...)"),
    "A call that was made once, while staging": ("cpu_count", "pass in what may differ"),
    "`print` to a file": ("file=...", "print without a file"),
    "`eval`, `exec`": ("a call of eval", "write the code itself"),
    "A container of a library, changed in a branch": ("this array", "use a list, a dict or a set"),
    "An attribute of a module of Python's": ("sys.ps1", "keep the value on an object of your own"),
    "A name that only one path binds": ("'y'", "give y a value on every path"),
    "A name that doesn't exist": ("'scael'", "define or import scael"),
    "A function or an argument of another library": ("'dim'", "write axis for dim"),
    "A value that may be None": ("'NoneType' and 'int'", "ask 'is None' first"),
    "Two dtypes that meet": ("int64[?], on another float32[?]", "cast one of them"),
    "Shapes that don't fit": ("[?, 3] and [4]", "they must be equal, or one of them 1"),
    "Shapes that don't fit this input": ("[3, 2] and [3, 2]", "transpose one of them"),
    "A float where an index is asked for": ("not float32", "write x.astype('int64')"),
    "An index past the end": ("the index is 3, of 3 items", "compare the index with len(...)"),
    "Unpacking into another number of names": ("expected 3, got 2", "write 2 names"),
    "An assertion that fails when the model runs": ("sum is -6.0", "AssertionError"),  # the words are the user's own
    "A loop without end": ("100000 times", "give it a bound that is a tensor"),
    "A recursion without end": ("whatever it is given", "return from it under a condition"),
    "A recursion that hands on functions": ("<lambda>", "pass the values that it needs"),
    "A generator as the result": ("holds an iterator", "return list(...)"),
    "A `yield` inside `except`": ("a 'yield' inside 'except'", "append to a list and return that"),
    "`async def`": ("'async def forward'", "write it as a plain function"),
    "A function without source": ("'<made>'", "define the function in a .py file"),
    "An argument that doesn't fit the InputSpec": ("float32[2, 4]", "write None in the InputSpec"),
    "An argument of another dtype": ("int64[2, 4]", "x.astype('float32')"),
    "A list where a tensor is asked for": ("a list", "dy2st.to_tensor(x)"),
    "More InputSpecs than arguments": ("2 entries", "give one for each"),
    "A model is saved that was never called": ("Linear.forward", "give an input_spec to to_static, jit.save or onnx.export"),
    "The loaded model gets another shape": ("shape [1, 4]", "None in the InputSpec"),
    "A mode that couldn't be saved": ("float32[?,3]", "keep the tensor and call dy2st's function"),
    "Weights that overlap, and are written": ("'counts' and 'first'", "take the other as a view of it in forward"),
    "A result that a file can't hold": ("Positive", "return its fields"),
    "A gradient asked for inside a static function": ("no parameter with stop_gradient=False", "grad(loss, [x])"),
    "A model file that isn't there": ("there is no folder elsewhere", "give the path that was saved to"),
    "A damaged file, or files of two saves": ("net.params.safetensors", "copy the files of one save together"),
    "A file of a newer version": ("the format 3", "install dy2st>=0.4.0"),
    "A path without a file name": ("'out/'", "give a prefix such as 'out/net'"),
    "A layer made in `forward`, of a length that is open": ("the Linear", "make it, or the Linear that has it, in __init__"),
    "An item of a NumPy array that is set": ("a NumPy array", "a = dy2st.zeros(shape)"),
    "The length of an axis": ("'int' object", "write x.shape[0]"),
    "A tensor that requires a gradient": ("'requires_grad'", "write x.stop_gradient = False"),
    "The arguments of an optimizer": ("not list", "write SGD(learning_rate=0.1, parameters=net.parameters())"),
    "A learning rate by another name": ("'lr'", "write learning_rate for lr"),
    "One of the three files": ("other.model.json", "write load('other')"),
    "A function that is saved without an InputSpec": ("<lambda>", "give an input_spec to to_static, jit.save or onnx.export"),
    "A class that is decorated": ("the class Net", "decorate Net.forward"),
}


def printed(section):
    """The mistake of a section, and what it prints."""
    found = re.search(r"^```python mistake\n(.*?)^```\n\n```text\n(.*?)^```", section, re.M | re.S)
    return found[1], found[2]


def test_the_page_has_the_60():
    assert list(SAID) == list(SECTIONS) and len(SAID) == 60


@pytest.mark.parametrize("title", SAID)
def test_a_mistake_shows_the_users_line_what_was_given_and_what_to_write(title):
    mistake, text = printed(SECTIONS[title])
    entry = re.match(r'  File "net.py", line (\d+), in [\w<>]+\n    (.*)\n', text)
    warned = re.match(r"net.py:(\d+): \w+Warning: .*\n  (.*)\n", text)
    line, shown = (entry or warned).groups()
    assert mistake.splitlines()[int(line) - 1].strip() == shown
    given, to_write = SAID[title]
    assert given in text and to_write in text
