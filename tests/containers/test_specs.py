"""A container that has a spec is the container that was passed: its class, its attributes, and what it shares with others."""

from __future__ import annotations

import pytest

import dy2st as paddle
from dy2st.runtime.tensors.spec import map_leaves, spec_of
from dy2st.static import InputSpec

from .cells import Cell, module_of, shown
from .classes import ROWS

KINDS = [kind for kind in ROWS if "Layer" not in kind and "Parameter" not in kind]
OF_ITEMS = ("list", "tuple", "deque", "dict", "Counter", "namedtuple", "OrderedDict", "defaultdict")
SOURCE = """
def f(v, w, x):
    {change}
    return {read} * (2 if v is w else 1) + x, type(v).__name__
"""


def answer(kind, folder, wrapped):
    """What a call gives that is passed the container twice, and what the container holds then."""
    row = ROWS[kind]
    module = module_of(Cell(kind, "argument", "first call"), folder)
    path = folder / "twice.py"
    path.write_text(SOURCE.format(change=row.change.format(v="v", t="x") or "pass", read=row.read.format(v="v")))
    exec(compile(path.read_text(), str(path), "exec"), vars(module))
    result = wrapped(module)(module.container, module.container, paddle.to_tensor([1.0, 2.0, 3.0]))
    return shown(list(result)), shown(module.container)


def static(module, spec):
    return paddle.jit.to_static(module.f, input_spec=[spec, spec, InputSpec([3])])


@pytest.mark.parametrize("kind", KINDS)
def test_a_container_with_a_spec_of_its_class(kind, tmp_path):
    found = answer(kind, tmp_path, lambda module: static(module, map_leaves(module.container, spec_of)))
    assert found == answer(kind, tmp_path, lambda module: module.f)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith(OF_ITEMS) and "class" not in kind])
def test_a_container_with_a_spec_in_pythons_list_or_dict(kind, tmp_path):
    def of_python(module):
        specs = map_leaves(module.container, spec_of)
        return static(module, dict(reversed(specs.items())) if isinstance(specs, dict) else list(specs))

    assert answer(kind, tmp_path, of_python) == answer(kind, tmp_path, lambda module: module.f)


@pytest.mark.parametrize(
    "value, spec, says",
    [
        ([1, 2], [InputSpec([3])], "argument v has 2 items; its spec has 1"),
        ({"p": 1}, {"q": InputSpec([3])}, "argument v has the keys ['p']; its spec has ['q']"),
        ({"p": 1}, [InputSpec([3])], "argument v is a dict; its spec is a list of InputSpecs"),
        (3, {"q": InputSpec([3])}, "argument v is a int; its spec is a dict of InputSpecs"),
        ([paddle.to_tensor([1.0])], [2], "argument v_0 holds tensors; its spec says the constant 2"),
    ],
)
def test_a_container_of_another_form_is_refused(value, spec, says):
    def f(v):
        return v

    with pytest.raises((TypeError, ValueError)) as caught:
        paddle.jit.to_static(f, input_spec=[spec])(value)
    assert str(caught.value).startswith(says)
