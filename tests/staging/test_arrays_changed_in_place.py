"""A NumPy array from outside is changed in place: by each call, as plain Python changes it, or that is refused in words."""

from __future__ import annotations

import importlib.util
import itertools
from textwrap import indent

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError, StagedValueError

HEAD = """
import operator, types
import numpy as np
import dy2st as paddle

ARR = np.zeros(2)

class C:
    arr = ARR

class Box:
    def __init__(self):
        self.arr = ARR

class Slot:
    __slots__ = ("arr",)

class Model(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.arr = ARR

BOX, SLOT, MODEL, MODULE = Box(), Slot(), Model(), types.ModuleType("some_module")
SLOT.arr = MODULE.arr = ARR
D, L, T, N = {"k": ARR}, [ARR], (ARR,), {"a": [ARR]}

def change(a):
    a += 1

def report():
    held = C.arr, BOX.arr, SLOT.arr, MODEL.arr, MODULE.arr, D["k"], L[0], T[0], N["a"][0]
    return ARR.tolist(), [each is ARR for each in held]
"""
HOLDERS = {
    "a class": "C.arr",
    "an object": "BOX.arr",
    "a slot": "SLOT.arr",
    "a layer": "MODEL.arr",
    "a module": "MODULE.arr",
    "a dict": "D['k']",
    "a list": "L[0]",
    "a tuple": "T[0]",
    "a list in a dict": "N['a'][0]",
    "a global": "ARR",
    "a closure": "held",
}
CHANGES = {
    "+=": "@ += 1",
    "+= of a tensor": "@ += x.numpy()",
    "all items": "@[...] += 1",
    "an item": "@[0] += 1",
    "an item stored": "@[0] = @[0] + 1",
    "out=": "np.add(@, 1, out=@)",
    "out by position": "np.add(@, 1, @)",
    "a partial": "__import__('functools').partial(np.add, @, 1)(out=@)",
    "fill": "@.fill(@[0] + 1)",
    "put": "np.put(@, [0], @[0] + 1)",
    "copyto": "np.copyto(@, @ + 1)",
    "add.at": "np.add.at(@, [0], 1)",
    "sort": "@.sort()\n@[:] -= 1",
    "iadd": "operator.iadd(@, 1)",
    "setitem": "@.__setitem__(0, @[0] + 1)",
    "a view": "@[1:][0] += 1",
    "reshape": "@.reshape(2, 1)[0] += 1",
    "real": "@.real += 1",
    "a memoryview": "memoryview(@)[0] = @[0] + 1",
    "another name": "a = @\na += 1",
    "a loop": "for a in [@]:\n    a += 1",
    "a function": "change(@)",
    "map": "list(map(change, [@]))",
}
PLACES = {
    "outside": "CHANGE",
    "a branch": "if x.sum() > 0:\n    CHANGE",
    "the other branch": "if x.sum() > 0:\n    pass\nelse:\n    CHANGE",
    "a staged loop": "while x.sum() < 7:\n    CHANGE\n    x = x + 3",
    "a loop": "for _ in range(2):\n    CHANGE",
    "a try": "try:\n    CHANGE\nfinally:\n    pass",
    "a helper": "helper(x)",
    "a helper in a branch": "if x.sum() > 0:\n    helper(x)",
}
READS = {"read": "return x * float(@[0])", "not read": "return x * 2"}
GRID = list(itertools.product(HOLDERS, CHANGES, PLACES, READS))


DECLARED = {"a global": "global ARR\n", "a closure": "nonlocal held\n"}


def source(holder, change, place, read):
    at = HOLDERS[holder]
    stored = DECLARED.get(holder, "") if CHANGES[change].startswith("@ ") else ""
    text = CHANGES[change].replace("@", at)
    lines = [indent(text, line[: -len("CHANGE")]) if line.strip() == "CHANGE" else line for line in PLACES[place].split("\n")]
    body = stored + "\n".join([*lines, READS[read].replace("@", at)])
    functions = f"def helper(x):\n{indent(stored + text, '    ')}\n\ndef f(x):\n{indent(body, '    ')}\n"
    return f"{HEAD}\ndef make(held):\n{indent(functions, '    ')}\n    return f\n\nf = make(ARR)\n"


def result_or_error(f, x):
    """The items; the words of the error that `T[0] += 1` raises in plain Python, after the array has changed."""
    try:
        return f(x).tolist()
    except StagedValueError:  # a TypeError too
        raise
    except TypeError as error:
        return str(error)


def calls(file, converted, folder=None):
    """What three calls, and two of the loaded model, give and leave; a refusal ends them, and leaves what was there."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    f, found = converted(module.f), []
    for call, n in enumerate((1.0, -2.0, 3.0, 2.0, -1.0)):
        before = module.report()
        try:
            if call == 3 and folder is not None:
                paddle.jit.save(f, str(folder / "f"), input_spec=[paddle.static.InputSpec([1], "float32")])
                f = paddle.jit.load(str(folder / "f"))
            found.append((result_or_error(f, paddle.to_tensor([n])), module.report()))
        except (ConversionError, StagedValueError):
            assert module.report() == before
            break
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.long
@pytest.mark.parametrize("holder, change, place, read", sampled(GRID, 18))
def test_an_array_changes_as_in_plain_python(holder, change, place, read, tmp_path):
    file = tmp_path / "cell.py"
    file.write_text(source(holder, change, place, read))
    expected, found = calls(file, lambda f: f), calls(file, paddle.jit.to_static, tmp_path)
    assert found == expected[: len(found)]


def test_a_refusal_says_which_array(tmp_path):
    file = tmp_path / "cell.py"
    file.write_text(source("an object", "another name", "a branch", "not read"))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(ConversionError, match=r"the NumPy array BOX\.arr is changed here, .* keep it as a tensor"):
        paddle.jit.to_static(module.f)(paddle.to_tensor([1.0]))
