"""Annotations whose names are known to type checkers only, or later: reading them is up to the user's code.

From Python 3.14 on, annotations are evaluated when they are first asked for. Before, `from __future__ import annotations` makes
texts of them, for which the functions here are to give the same.
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import dy2st as paddle
from dy2st import annotations, jit
from dy2st.static import InputSpec

DEFERRED = sys.version_info >= (3, 14)
FUTURE = "" if DEFERRED else "from __future__ import annotations\n"
CASES = [np.array(x, np.float32) for x in ([1.0, 2.0], [-1.0, 1.0], [0.5])]


def load(path: Path, text: str):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    yield load(tmp_path_factory.mktemp("annotated") / "annotated.py", FUTURE + here("annotated.txt"))
    del sys.modules["annotated"]


@pytest.fixture(scope="module")
def deferred(tmp_path_factory):
    if not DEFERRED:
        pytest.skip("Python evaluates annotations where they stand")
    yield load(tmp_path_factory.mktemp("deferred") / "deferred.py", here("deferred_annotations.txt"))
    del sys.modules["deferred"]


def here(name: str) -> str:
    return Path(__file__).with_name(name).read_text()


def names_in(file: str) -> list[str]:
    wanted = "of_" if file == "annotated.txt" else ""
    lines = [line for line in here(file).splitlines() if line.startswith(f"def {wanted}")]
    return [line[4 : line.index("(")] for line in lines]


def plain(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    return {name: plain(part) for name, part in value.items()} if isinstance(value, dict) else value


def agrees(function):
    static = jit.to_static(function)
    for x in CASES:
        for _ in range(2):
            assert plain(static(paddle.to_tensor(x))) == plain(function(paddle.to_tensor(x)))


@pytest.mark.parametrize("name", names_in("annotated.txt"))
def test_names_for_type_checkers(annotated, name, recwarn):
    agrees(getattr(annotated, name))
    if DEFERRED:  # before, a class with annotations is told of, which it stores in its body
        assert [str(told.message) for told in recwarn] == []


@pytest.mark.parametrize("name", names_in("deferred_annotations.txt"))
def test_what_annotations_read(deferred, name):
    agrees(getattr(deferred, name))


def test_a_layer_and_its_file(annotated, tmp_path):
    net = annotated.Layer(2)
    x = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]])
    expected = net(x).tolist()
    static = jit.to_static(net, input_spec=[InputSpec([None, 2])])
    assert static(x).tolist() == expected
    jit.save(static, str(tmp_path / "net"))
    assert jit.load(str(tmp_path / "net"))(x).tolist() == expected


def test_a_script_says_which_name_it_does_not_know(annotated):
    with pytest.raises(jit.ScriptError, match="Tree"):
        jit.script(annotated.helper)


def test_a_copy_has_the_annotations_unevaluated(annotated):
    function = annotated.of_the_function
    made = type(function)(function.__code__, function.__globals__)
    annotations.copy_description(made, function)
    assert list(annotations.annotations_of(made)) == ["x", "rest", "k", "named", "return"]
    assert made.__qualname__ == "of_the_function"
    made.__annotations__ = {"x": int}
    again = type(function)(function.__code__, function.__globals__)
    annotations.copy_description(again, made)
    assert again.__annotations__ == annotations.annotations_of(again) == {"x": int}


def test_signatures(annotated):
    function = annotated.of_the_function
    assert list(annotations.signature_of(function).parameters) == ["x", "rest", "k", "named"]
    told = "(x: Tree, *rest: Tree, k: Missing = 2, **named: Missing) -> Missing"
    assert annotations.signature_text(function).replace("'", "") == told
    assert annotations.signature_text(lambda a, b=2: a) == "(a, b=2)"
