"""`dy2st check`: each piece of advice on a model that ignores it, and silence on the model that follows what was told."""

from __future__ import annotations

import json

import pytest

HEAD = """\
import numpy as np

import dy2st as paddle
import dy2st.nn.functional as F

"""
SINS = HEAD + '''\
class Scale:
    def __init__(self):
        self.linear = paddle.nn.Linear(3, 3)

    def __call__(self, x):
        return self.linear(x) * float(np.sqrt(4.0))


class Gate(paddle.nn.Layer):
    def __call__(self, x):
        return F.dropout(x, 0.5)


def centred(x):
    return x - np.mean(x.numpy())


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)
        self.mask = np.array([0.0, 1.0, 1.0], "float32")
        self.scale = Scale()
        self.gate = Gate()
        self.blocks = [paddle.nn.Linear(3, 3), paddle.nn.ReLU()]

    def forward(self, x, label, mode, flag: bool):
        x = centred(self.linear(x))
        noise = x.numpy() * np.random.randn(3)
        x = self.gate(self.scale(x + noise)) * paddle.to_tensor(self.mask)
        if mode == "train":
            x = x * 2.0
        if flag:
            x = -x
        for block in self.blocks:
            x = block(x)
        self.loss = F.mse_loss(x, label)
        return x
'''
CURED = HEAD + '''\
class Scale(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x) * float(np.sqrt(4.0))


class Gate(paddle.nn.Layer):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)


def centred(x):
    return x - paddle.mean(x)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = paddle.nn.Linear(3, 3)
        self.register_buffer('mask', paddle.to_tensor(np.array([0.0, 1.0, 1.0], 'float32')))
        self.scale = Scale()
        self.gate = Gate()
        self.blocks = paddle.nn.LayerList([paddle.nn.Linear(3, 3), paddle.nn.ReLU()])

    def forward(self, x, label=None, flag=False):
        x = centred(self.linear(x))
        noise = x * paddle.randn([3])
        x = self.gate(self.scale(x + noise)) * self.mask
        if self.training:
            x = x * 2.0
        if flag:
            x = -x
        for block in self.blocks:
            x = block(x)
        if self.training:
            self.loss = F.mse_loss(x, label)
        return x
'''
FOUND = [  # a line of SINS, the rule, what stands in CURED instead
    ("class Scale:", "not_a_layer", "class Scale(paddle.nn.Layer):"),
    ("    def __call__(self, x):\n        return F.", "overridden_call", "def forward(self, x):"),
    ("        return F.dropout", "training", "F.dropout(x, 0.5, training=self.training)"),
    ("    return x - np.mean", "numpy", "return x - paddle.mean(x)"),
    ("        self.blocks =", "not_a_layer", "self.blocks = paddle.nn.LayerList("),
    ("    def forward(self, x, label,", "argument_without_default", "flag=False"),
    ("    def forward(self, x, label,", "argument_without_default", None),
    ("        noise =", "numpy", "noise = x * paddle.randn([3])"),
    ("        x = self.gate", "to_tensor",
     "self.register_buffer('mask', paddle.to_tensor(np.array([0.0, 1.0, 1.0], 'float32')))"),
    ("        if mode ==", "training", "self.training"),
    ("        self.loss =", "training", "if self.training:"),
]


@pytest.fixture
def check(dy2st_command, tmp_path):
    """check(source, object, ...) -> (exit code, list of findings)."""

    def run(source, name, *options):
        path = tmp_path / "model.py"
        path.write_text(source)
        code, out, err = dy2st_command("check", f"{path}:{name}", "--json", *options)
        assert err == ""
        return code, json.loads(out)

    return run


def line_of(source, text):
    return 1 + source[: source.index(text)].count("\n")


def test_each_piece_of_advice_is_told_at_its_line_with_a_rewrite(check):
    code, findings = check(SINS, "Net")
    assert code == 1
    assert [(f["line"], f["rule"]) for f in findings] == [(line_of(SINS, text), rule) for text, rule, _ in FOUND]
    for finding, (_, _, instead) in zip(findings, FOUND):
        assert finding["reason"] and finding["file"].endswith("model.py")
        if instead is not None:
            assert instead in CURED
            assert instead.rstrip("(") in finding["rewrite"]


def test_the_model_that_follows_the_advice_is_clean_and_converts(check):
    assert check(CURED + "\n\nnet = Net()\nnet.eval()\n", "net", "--spec", "float32[?,3]") == (0, [])


CLEAN = {
    "numbers": "    def forward(self, x):\n        return x * np.sqrt(self.width) + np.float32(2)\n",
    "arrays": "    def forward(self, x):\n        w = np.linspace(0, 1, 3).astype('float32')\n"
              "        return x * float(np.prod(w.shape)) + float(np.round(w, 1).sum()) + np.float32(self.shifts[1:].max())\n",
    "training": "    def forward(self, x):\n        if not self.training:\n            return x\n"
                "        return F.mse_loss(x, x * 2.0)\n",
    "own defaults": "    def forward(self, x, flag: bool = True):\n        return x if flag else -x\n",
    "a tensor decides": "    def forward(self, x):\n        return x if x.sum() > 0 else -x\n",
    "known by other names": "    def __init__(self):\n        super().__init__()\n"
                            "        self.fc = [self.add_sublayer('fc0', paddle.nn.Linear(3, 3))]\n\n"
                            "    def forward(self, x):\n        return self.fc[0](x)\n",
    "skipped": "    @paddle.jit.not_to_static\n    def host(self):\n        return np.random.rand() * 0.0\n\n"
               "    def forward(self, x):\n        return F.dropout(x, 0.1, training=self.training)\n",
}  # fmt: skip


@pytest.mark.parametrize("forward", CLEAN.values(), ids=CLEAN)
def test_what_converts_as_it_is_is_not_remarked_upon(check, forward):
    source = HEAD + f"class Net(paddle.nn.Layer):\n    width = 4\n    shifts = np.arange(3)\n\n{forward}"
    assert check(source, "Net", "--spec", "float32[3]") == (0, [])


def test_numpy_without_a_counterpart_is_named(check):
    code, (finding,) = check(HEAD + "def f(x):\n    return np.unwrap(x) + np.cos(x)\n", "f")
    assert code == 1 and "paddle.cos(x)" in finding["rewrite"] and "np.unwrap: compose" in finding["rewrite"]


def test_to_tensor_of_what_is_computed_and_of_a_constant_outside_of_a_layer(check):
    source = HEAD + "def f(x):\n    n = x.shape[0]\n    return x * paddle.to_tensor(n) + paddle.to_tensor([1.0])\n"
    code, findings = check(source, "f")
    rewrites = " ".join(f["rewrite"] for f in findings)
    assert code == 1 and len(findings) == 2
    assert "paddle.full([], n)" in rewrites and "CONSTANT = paddle.to_tensor([1.0])" in rewrites


def test_to_tensor_of_a_constant_that_the_function_makes(check):
    source = HEAD + "def f(x):\n    w = np.linspace(0, 1, 3)\n    return x * paddle.to_tensor(w)\n"
    code, (finding,) = check(source, "f")
    assert code == 1 and finding["rewrite"] == "w is a constant: make it, and the Tensor of it, once outside of f"
    layer = "class Net(paddle.nn.Layer):\n    def forward(self, x):\n" + source.split("(x):\n")[1].replace("    ", "        ")
    code, (finding,) = check(HEAD + layer, "Net")
    assert code == 1 and finding["rewrite"].endswith("once in __init__, and keep it as a buffer")


REFUSED = [
    ("def g(y):\n    return y.nope\n\n\ndef f(x):\n    return g(x)\n", "no attribute 'nope'", 7),
    ("def f(x):\n    return x + paddle.ones([5])\n", "[3] and [5]", 7),
    ("def f(x):\n    return open('data').read()\n", "open", 7),
]


@pytest.mark.parametrize("source, text, line", REFUSED)
def test_what_the_conversion_refuses_is_a_finding_at_the_users_line(check, source, text, line):
    code, (finding,) = check(HEAD + source, "f", "--spec", "float32[3]")
    assert code == 1 and (finding["rule"], finding["line"]) == ("conversion", line) and text in finding["reason"]


FAILING = [
    ("    if x.sum() > 0:\n        return x.fooo()\n    return x\n", "'Tensor' object has no attribute 'fooo'", 2),
    ("    if x.sum() > 0:\n        y = x\n    return y\n", "where the path before gives the name no value", 3),
]


@pytest.mark.parametrize("body, text, line", FAILING)
def test_e_11_a_path_that_fails_is_a_finding_at_the_users_line(body, text, line, check):
    code, (finding,) = check(f"{HEAD}def f(x):\n{body}", "f", "--spec", "float32[3]")
    first = HEAD.count("\n") + 1
    assert code == 1 and (finding["rule"], finding["line"]) == ("failing_path", first + line) and text in finding["reason"]


MISSING = HEAD + """\
class Net(paddle.nn.Layer):
    def __init__(self, wide=False):
        super().__init__()
        self.flag = False
        self.count = 0
        if wide:
            self.wide = paddle.nn.Linear(3, 3)
            self.register_buffer("mask", paddle.ones([3]))
            self.a, self.b = 1, 2

    def forward(self, x):
        note: NoType = None
        if self.flag:
            x = self.wide(x) * self.mask + self.a
            x = F.reluu(x)
            x = nowhere(x)
            x = self.linear(x)
            x = [row for row in x if row.sum() > limit][0]
        if self.flag:
            try:
                x = sooner(x)
            except NameError:
                x = later(x)
        if hasattr(self, "extra"):
            x = self.extra(x)
        if self.flag:
            import os.path
            from math import sqrt as root
            x = x + root(4) + len(os.path.sep) + len(__name__) + self.__count
            match x:
                case [first, *rest]:
                    x = first
        return x
"""


@pytest.mark.parametrize("options", [(), ("--spec", "float32[3]")], ids=" ".join)
def test_lines_that_read_what_is_nowhere_are_told_on_paths_that_no_input_takes(check, options):
    code, findings = check(MISSING, "Net", *options)
    missing = ["F.reluu(x)", "nowhere(x)", "self.linear(x)", "> limit", "later(x)"]
    assert [(f["rule"], f["line"]) for f in findings] == [("failing_path", line_of(MISSING, text)) for text in missing]
    assert findings[0]["rewrite"] == "F.relu"
    for finding, words in zip(findings, ["has no attribute 'reluu'", "name 'nowhere' is not defined", "no attribute 'linear'"]):
        assert words in finding["reason"]


def test_a_layer_without_a_forward_is_refused_at_what_it_has(check):
    code, findings = check(SINS, "Gate", "--spec", "float32[3]")
    assert code == 1 and "NotImplementedError" in findings[0]["reason"] + findings[1]["reason"]
    assert {f["file"].rpartition("/")[2] for f in findings} == {"model.py"}


def test_for_people_it_is_text_that_quotes_the_line_and_says_what_was_not_tried(dy2st_command, user_file):
    code, out, err = dy2st_command("check", f"{user_file}:uses_numpy")
    assert (code, err) == (1, "")
    line = 1 + user_file.read_text().splitlines().index("    return paddle.to_tensor(x.numpy())")
    assert out.startswith(f"{user_file}:{line}: numpy\n    return paddle.to_tensor(x.numpy())\n  why: ")
    assert "  write: return x\n" in out and "1 found; the conversion was not tried: give one --spec" in out
    assert dy2st_command("check", f"{user_file}:halve")[:2] == (0, f"{user_file}:halve: nothing found\n")
    assert dy2st_command("check", f"{user_file}:number")[0] == 2
