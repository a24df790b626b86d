"""What a function gives for some arguments, as JSON: in this process, or in one that has nothing but its archive."""

import inspect
import json

import numpy as np

import dy2st as paddle
from script.fresh import fresh


def shown(value):
    """A value and its kinds, as JSON can hold them."""
    if isinstance(value, paddle.Tensor):
        return ["Tensor", value.dtype.name, value.numpy().tolist()]
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, dict):
        return ["dict", *([key, shown(part)] for key, part in value.items())]
    return [type(value).__name__, value]


def given(tree):
    """The argument that `written` made JSON of."""
    kind, value = tree
    if kind == "Tensor":
        return paddle.to_tensor(np.array(value[0], value[1]))
    if kind in ("list", "tuple"):
        return (tuple if kind == "tuple" else list)(map(given, value))
    return {key: given(part) for key, part in value} if kind == "dict" else value


def outcome(function, case):
    """What the function gives, or the class and first line of what it raises; and what it has made of its arguments."""
    args = [given(tree) for tree in case]
    try:
        return [shown(function(*args)), shown(args)]
    except Exception as error:
        return [type(error).__name__, str(error).splitlines()[0]]


def written(value):
    """An argument as JSON."""
    if isinstance(value, paddle.Tensor):
        return ["Tensor", [value.numpy().tolist(), value.dtype.name]]
    if isinstance(value, list | tuple):
        return [type(value).__name__, [written(part) for part in value]]
    if isinstance(value, dict):
        return ["dict", [[key, written(part)] for key, part in value.items()]]
    return ["plain", value]


def elsewhere(folder, made, cases):
    """name -> the outcomes of each case, in one new process that loads all archives. made: name -> what is saved."""
    for name, function in made.items():
        function.save(folder / f"{name}.pt")
    (folder / "cases.json").write_text(json.dumps(cases))
    helpers = "".join(map(inspect.getsource, (shown, given, outcome)))
    run = """
import numpy as np
for name, cases in json.load(open("cases.json")).items():
    function = jit.load(name + ".pt")
    found[name] = [outcome(function, case) for case in cases]
"""
    return fresh(helpers + run, folder)
