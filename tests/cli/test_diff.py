"""`dy2st diff`: what differs between two saved models, and its exit codes."""

from __future__ import annotations

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st import traced_module as tm
from dy2st.cli.diff.weights import different_weights
from dy2st.static import InputSpec


class Net(nn.Layer):
    def __init__(self, width=4, layer="hidden", factor=2.0, act="relu", extra=False, dtype="float32"):
        super().__init__()
        dy2st.seed(7)
        setattr(self, layer, nn.Linear(3, width))
        self.last = nn.Linear(width, 2)
        self.layer, self.factor, self.act, self.extra = layer, factor, act, extra
        if dtype != "float32":
            self.to(dtype=dtype)

    def forward(self, x):
        if self.extra:
            x = x - x.mean()
        h = getattr(nn.functional, self.act)(getattr(self, self.layer)(x))
        while h.sum() > 100:
            h = h / self.factor
        return self.last(h)


@pytest.fixture
def compared(tmp_path, dy2st_command):
    """compared(net) -> exit code and lines of the comparison of a plain Net with this one."""

    def save(net, name):
        dtype = net.last.weight.dtype.name if hasattr(net.last.weight.dtype, "name") else str(net.last.weight.dtype)
        spec = InputSpec([None, 3], dtype.replace("paddle.", ""), "x")
        jit.save(jit.to_static(net, input_spec=[spec]), str(tmp_path / name))

    def compare(net):
        save(Net(), "old")
        save(net, "new")
        code, out, err = dy2st_command("diff", tmp_path / "old", tmp_path / "new")
        assert err == "" and (out == "") == (code == 0)
        lines = out.split("\n")
        assert not out or lines[:2] == [f"--- {tmp_path / 'old'}", f"+++ {tmp_path / 'new'}"]
        return code, lines[2:-1]

    return compare


def marked(lines):
    """The lines that say what changed."""
    return [line.strip() for line in lines if line.strip()[:2] in ("- ", "+ ", "~ ")]


def test_equal_models_print_nothing(compared):
    assert compared(Net()) == (0, [])


def test_where_the_source_stands_makes_no_difference(compared):
    class Elsewhere(Net):
        def forward(self, x):
            # further down
            hidden = getattr(nn.functional, self.act)(getattr(self, self.layer)(x))
            while hidden.sum() > 100:
                hidden = hidden / self.factor
            return self.last(hidden)

    Elsewhere.__name__ = "Net"
    assert compared(Elsewhere()) == (0, [])


def test_another_constant_is_one_line(compared):
    code, lines = compared(Net(factor=4.0))
    assert code == 1 and lines[0].startswith("function ")
    minus, plus = marked(lines)
    assert "const value=2.0" in minus and plus == minus.replace("2.0", "4.0").replace("-", "+", 1)


def test_another_operation_is_one_line_and_its_readers_are_not_changed(compared):
    minus, plus = marked(compared(Net(act="sigmoid"))[1])
    assert " relu " in minus and plus == "+" + minus[1:].replace(" relu ", " sigmoid ")


def test_an_operation_more_does_not_show_in_the_numbers_that_follow(compared):
    code, lines = compared(Net(extra=True))
    changed = marked(lines)
    assert code == 1 and [line[0] for line in changed].count("-") == 1  # what read x reads the difference now
    assert sum(" mean " in line or " subtract " in line for line in changed) == 2 and len(changed) == 4


def test_a_renamed_parameter_is_told_by_its_values(compared):
    code, lines = compared(Net(layer="first"))
    assert code == 1
    changed = marked(lines)
    assert "- parameter hidden.weight: float32[3,4] trainable" in changed
    assert "+ parameter first.weight: float32[3,4] trainable" in changed
    assert "~ hidden.weight is now first.weight: float32[3, 4], the same values" in changed
    assert not [line for line in changed if "linear" in line or "matmul" in line]


def test_a_wider_layer_shows_types_and_shapes(compared):
    code, lines = compared(Net(width=5))
    assert code == 1 and "  ~ hidden.weight: float32[3, 4] -> float32[3, 5]" in lines
    assert "  - parameter last.weight: float32[4,2] trainable" in lines


def test_another_dtype_shows_as_one_even_where_the_values_are_the_same(compared):
    code, lines = compared(Net(dtype="float64"))
    assert code == 1
    assert any(line.startswith("  ~ last.bias: float32[2] -> float64[2]") for line in lines)


def test_one_weight(compared):
    net = Net()
    changed = net.last.weight.numpy().copy()
    changed[1, 0] += 0.5
    net.last.weight.set_value(changed)
    old = Net().last.weight.numpy()[1, 0]
    code, lines = compared(net)
    relative = abs(changed[1, 0] - old) / max(abs(changed[1, 0]), abs(old))
    assert (code, lines) == (
        1, ["weights:", f"  ~ last.weight: 1 of 8 elements differs, by 0.5 at most, relative {float(relative):.6g}"],
    )  # fmt: skip


def test_state_and_mode(tmp_path, dy2st_command):
    class Counter(nn.Layer):
        def __init__(self, start):
            super().__init__()
            self.count = start

        def forward(self, x):
            self.count += 1
            return x + self.count

    for name, start in (("old", 0), ("new", 3)):
        net = Counter(start)
        if name == "new":
            net.eval()
        jit.save(jit.to_static(net, input_spec=[InputSpec([2], "float32", "x")]), str(tmp_path / name))
    code, out, _ = dy2st_command("diff", tmp_path / "old", tmp_path / "new")
    assert code == 1
    assert "  - saved in training mode\n  + saved in evaluation mode\n" in out
    assert "count: int = 0\n" in out and "count: int = 3\n" in out


def test_a_function_that_is_gone(tmp_path, dy2st_command):
    class Two(nn.Layer):
        def forward(self, x):
            return x + 1

        def other(self, x):
            return x - 1

    for name, methods in (("old", ("forward", "other")), ("new", ("forward",))):
        net = Two()
        for method in methods:
            setattr(net, method, jit.to_static(getattr(net, method), input_spec=[InputSpec([2], "float32", "x")]))
        jit.save(net, str(tmp_path / name))
    code, out, _ = dy2st_command("diff", tmp_path / "old", tmp_path / "new")
    assert code == 1 and "  - entry: other(x: float32[2]) -> float32[2]\n" in out and "  - all of it: 3 operations\n" in out


# --- other files --------------------------------------------------------------------------------------------------------


def test_archives_traced_modules_and_state_dicts(tmp_path, dy2st_command):
    x = dy2st.ones([1, 3])
    weights = {}
    for name, factor in (("old", 2.0), ("new", 4.0)):
        net = Net(factor=factor)
        net.last.bias.set_value(np.full(2, factor, np.float32))
        weights[name] = net.state_dict()
        jit.save(jit.trace(net, x), str(tmp_path / f"{name}.script"))
        tm.save(tm.trace_module(net, x), tmp_path / f"{name}.traced")
        dy2st.save(weights[name] | {"step": int(factor)}, tmp_path / f"{name}.state")
        dy2st.save(weights[name], tmp_path / f"{name}.safetensors")
    bias = "~ last.bias: 2 of 2 elements differ, by 2 at most, relative 0.5"
    expected = {"script": [], "traced": [], "state": ["- step: 2", "+ step: 4"], "safetensors": []}
    for kind, changed in expected.items():
        code, out, err = dy2st_command("diff", tmp_path / f"old.{kind}", tmp_path / f"new.{kind}")
        assert (code, err) == (1, ""), kind
        assert bias in out and [line for line in changed if line not in out] == [], out
        assert dy2st_command("diff", tmp_path / f"old.{kind}", tmp_path / f"old.{kind}") == (0, "", "")
    code, out, _ = dy2st_command("diff", tmp_path / "old.script", tmp_path / "old.state")
    assert code == 1 and "saved:\n  - a model\n  + a state dict\n" in out


def test_a_traced_module_shows_its_steps(tmp_path, dy2st_command):
    for name, act in (("old", "relu"), ("new", "sigmoid")):
        tm.save(tm.trace_module(Net(act=act), dy2st.ones([1, 3])), tmp_path / f"{name}.dy2st")
    code, out, _ = dy2st_command("diff", tmp_path / "old.dy2st", tmp_path / "new.dy2st")
    assert code == 1 and "- relu_out = activation.relu(hidden_out, )" in out and "+ sigmoid_out" in out


def test_trouble_is_exit_code_2(tmp_path, dy2st_command):
    jit.save(jit.to_static(Net(), input_spec=[InputSpec([None, 3], "float32", "x")]), str(tmp_path / "net"))
    code, out, err = dy2st_command("diff", tmp_path / "net", tmp_path / "gone")
    assert (code, out) == (2, "") and "there is no model at" in err
    (tmp_path / "net.model.json").write_text("{}")
    code, out, err = dy2st_command("diff", tmp_path / "net", tmp_path / "net")
    assert (code, out) == (2, "") and err.startswith("dy2st: error: ModelFileError") and err.count("\n") == 1


# --- arrays -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (np.float32([np.nan, 1]), np.float32([np.nan, 1]), None),
        (np.float32([0.0, 1]), np.float32([-0.0, 1]), "1 of 2 elements differs, by 0 at most, relative 0"),
        (np.float32([np.nan, 1]), np.float32([2, 1]), "1 of 2 elements differs, by inf at most, relative inf"),
        (np.float32([np.inf, 1]), np.float32([np.inf, 1]), None),
        (np.int64([2**62]), np.int64([2**62 + 1]), "1 of 1 elements differs, by 1 at most"),
        (np.array([True, False]), np.array([True, True]), "1 of 2 elements differs, by 1 at most, relative 1"),
        (np.complex64([1 + 1j]), np.complex64([1 - 2j]), "1 of 1 elements differs, by 3 at most"),
        (np.float64([0.1, 0.5]), np.float16([0.1, 0.5]), "float64[2] -> float16[2], 1 of 2 elements differs, by 2.44141e-05"),
        (np.float32([1]), np.float64([1]), "float32[1] -> float64[1], the same values"),
        (np.zeros((0, 3)), np.zeros((0, 3)), None),
        (np.zeros((2, 3)), np.zeros((3, 2)), "float64[2, 3] -> float64[3, 2]"),
        (np.zeros(3 << 20), np.r_[np.zeros((3 << 20) - 1), 1], "1 of 3,145,728 elements differs, by 1 at most, relative 1"),
    ],
)
def test_distances(old, new, expected):
    lines = different_weights({"w": old}, {"w": new})
    assert lines == [] if expected is None else len(lines) == 1 and lines[0].startswith(f"~ w: {expected}"), lines
