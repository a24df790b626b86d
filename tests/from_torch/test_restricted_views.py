"""Writes into outputs of functions with several views, and into views made under no_grad: torch decides which raise, and how."""

from __future__ import annotations

from itertools import product
from unittest.mock import Mock

import pytest

torch = pytest.importorskip("torch")

from property.modules import module_of  # noqa: E402
from support.sampling import sampled  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402
from dy2st.torch import errors  # noqa: E402

VIEWS = (
    "x.unbind(0)[1]", "torch.unbind(x, 1)[0]", "x.chunk(2)[1]", "x.split(1)[2]", "torch.split(x, [1, 3])[1]",
    "x.split_with_sizes([2, 2])[0]", "x.tensor_split(2)[0]", "torch.vsplit(x, [1])[1]", "torch.unsafe_chunk(x, 2)[0]", "x[1]",
    "x.view(3, 4)", "x.t()", "x.detach()", "x.unsafe_split(2)[1]",
)  # fmt: skip
VIEWS_OF_VIEWS = ("v", "v[:1]", "v.unsqueeze(0)", "v.unbind(0)[0]", "v.detach()", "v.clone()")
USES = (
    "v.add_(1)", "v.mul_(w)", "v[0] = 2.0", "v[...] = w", "v.copy_(w)", "torch.add(v, 1, out=v)", "x.mul_(w)\n    v = v * 2",
    "x.mul_(w)\n    v = v[:1]", "x[0] = w\n    v = v.detach()", "x.zero_()\n    v.add_(1)",
)  # fmt: skip
MODES = ("", "make", "use", "both")
FLAGS = tuple(product((False, True), repeat=2))
SPECS = [InputSpec([4, 3], "float32", "x"), InputSpec([], "float32", "w")]
GRID = [*product(VIEWS, VIEWS_OF_VIEWS, USES, MODES, FLAGS)]


def source(view, of_view, use, mode):
    """A function that makes a view, and one of that, and uses it. mode: what is under no_grad."""
    blocks = [f"v = {view}", f"v = {of_view}", use.replace("\n    ", "\n")]
    lines = ["x = x * 1"]
    for k, block in enumerate(blocks):
        is_without = mode == "both" or mode == ("use" if k == 2 else "make")
        lines += ["with torch.no_grad():", *(f"    {line}" for line in block.split("\n"))] if is_without else block.split("\n")
    return "import torch\n\n\ndef f(x, w):\n" + "".join(f"    {line}\n" for line in [*lines, "return x, v"])


def outcome(function, flags):
    x, w = torch.arange(12.0).reshape(4, 3).requires_grad_(flags[0]), torch.tensor(1.5, requires_grad=flags[1])
    try:
        found = function(x, w)
    except (RuntimeError, IndexError) as error:
        return str(error)
    return [y.detach().tolist() for y in found]


def assert_alike(static, plain):
    """Hold a Program for any flags against plain code; the words of torch's errors follow the flags, too."""
    for flags in FLAGS:
        found, expected = outcome(static, flags), outcome(plain, flags)
        assert found == expected or (isinstance(found, str) and isinstance(expected, str)), flags


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(GRID, 300), ids=lambda case: " ".join(map(str, case)))
def test_views_are_refused_as_in_torch(case):
    *written, flags = case
    plain, converted = (module_of(source(*written)).f for _ in range(2))
    assert outcome(dy2st.torch.to_static(converted), flags) == outcome(plain, flags)


@pytest.mark.long
@pytest.mark.parametrize("case", sampled(GRID, 300), ids=lambda case: " ".join(map(str, case)))
def test_views_are_refused_as_in_torch_where_a_spec_leaves_the_flags_to_each_call(case):
    *written, _ = case
    plain, converted = (module_of(source(*written)).f for _ in range(2))
    static = dy2st.torch.to_static(converted, SPECS)
    assert_alike(static, plain)


@pytest.mark.parametrize("mode", ["with gradients", "without"])
def test_torch_is_asked_once_about_calls_of_equal_layers(mode, monkeypatch):
    """Also about views of views, and after a write into another tensor."""

    def layers(x, w):
        for _ in range(6):
            first, second = x.view(2, 6, 2).transpose(0, 1).unbind(0)[:2]
            counts = torch.zeros(4)
            counts[0] = 1.0
            x = x * first.tanh().sum() + second.sum() * w + counts.sum()
        return x

    made = Mock(wraps=errors._made)  # code of Python's library, which is none of the user's
    monkeypatch.setattr(errors, "_fine", set())
    monkeypatch.setattr(errors, "_made", made)
    with torch.set_grad_enabled(mode == "with gradients"):
        dy2st.torch.to_static(layers)(torch.ones(4, 6), torch.ones(()))
    asked = [call.args[0].function.__name__ for call in made.call_args_list]
    assert {asked.count(name) for name in ("view", "unbind", "tanh", "__setitem__")} == {2}  # without memory and in it


def rows_of_dynamic_length(x, w):
    first, second, _ = x.chunk(3, dim=1)
    first.mul_(w)
    return first + second


def in_a_branch(x, w):
    v = x.unbind(0)[0]
    if x.sum() > 1000:
        x.mul_(w)
    return v * 2


def after_a_loop(x, w):
    h, k = x.detach(), 0
    while k < w:
        h, k = h * w, k + 1
    h.unbind(0)[0].add_(1)
    return h


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("function", [rows_of_dynamic_length, in_a_branch])
def test_dynamic_lengths_and_branches(function, flags):
    shape = lambda f: lambda x, w: [f(x * 1, w)]  # noqa: E731
    assert outcome(dy2st.torch.to_static(shape(function)), flags) == outcome(shape(function), flags)


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("turns", [0.0, 2.0])
@pytest.mark.parametrize("specs", [None, SPECS], ids=["arguments", "specs"])
def test_a_path_decides_about_the_gradient(specs, turns, flags):
    static = dy2st.torch.to_static(after_a_loop, specs)
    found = []
    for function in (after_a_loop, static):
        x, w = torch.ones(4, 3, requires_grad=flags[0]), torch.tensor(turns, requires_grad=flags[1])
        try:
            found.append(function(x, w).tolist())
        except RuntimeError as error:
            found.append(str(error))
    assert found[0] == found[1]


def test_a_spec_of_a_dynamic_length_leaves_the_flags_to_each_call():
    specs = [InputSpec([None, 3], "float32", "x"), InputSpec([], "float32", "w")]
    shape = lambda f: lambda x, w: [f(x * 1, w)]  # noqa: E731
    static = dy2st.torch.to_static(shape(rows_of_dynamic_length), specs)
    assert_alike(static, shape(rows_of_dynamic_length))


def many_steps(x, w):
    with torch.no_grad():
        for layer in [w] * 60:
            x = x.t() * layer + x.t()
            x = x.view(4, 3) if x.shape[0] == 4 else x.clone()
    return x, x[:1].mul_(w)


def test_many_steps_under_no_grad_are_staged_in_a_time_of_their_number():
    assert outcome(dy2st.torch.to_static(many_steps), (True, True)) == outcome(many_steps, (True, True))
