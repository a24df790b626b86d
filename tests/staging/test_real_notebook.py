"""A notebook with a kernel of its own: cells, magics and autoreload; needs nbclient and ipykernel."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

import pytest

import dy2st

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("nbclient", "ipykernel")), reason="needs nbclient and ipykernel"
)

CELLS = {
    "magics": "%load_ext autoreload\n%autoreload 2\nimport os, time\nimport dy2st as paddle\nimport helper",
    "define": "@paddle.jit.to_static\ndef f(x):\n    if x.sum() > 0:\n        return helper.scale(x)\n    return -x",
    "time a line": "%time y = f(paddle.ones([2]))\nprint(y.tolist())",
    "edit": "%%writefile helper.py\ndef scale(x):\n    return x * 3 + 1\n",
    "touch": "os.utime('helper.py', (time.time() + 5, time.time() + 5))",
    "autoreload": "print(f(paddle.ones([2])).tolist())",
    "capture": "%%capture kept\ndef negated(x):\n    while x.sum() > -4:\n        x = x - 1\n    return x\nprint('kept')",
    "captured": "print(paddle.jit.to_static(negated)(paddle.ones([2])).tolist(), kept.stdout)",
    "again": "def negated(x):\n    return -x\nprint(paddle.jit.to_static(negated)(paddle.ones([2])).tolist())",
    "class": "class Net(paddle.nn.Layer):\n    def forward(self, x):\n        while x.sum() < 10:\n            x = x * 2\n"
             "        return x\nprint(paddle.jit.to_static(Net())(paddle.ones([2])).tolist())",
    "timeit": "%timeit -n 2 -r 1 f(paddle.ones([2]))",
    "timed definition": "%%time\ndef late(x):\n    return x if x.sum() > 0 else -x",
    "timed call": "paddle.jit.to_static(late)(paddle.ones([2]))",
    "row": "def row(x, n):\n    items = [1.0, 2.0]\n    if x.sum() > 0:\n        y = items[n + 5]\n    else:\n        y = 1.0\n"
           "    return x * y\nrow = paddle.jit.to_static(row)",
    "failing call": "row(paddle.ones([2]), paddle.to_tensor(1))",
    "refused": "@paddle.jit.to_static\ndef wrong(x):\n    y = x + 1\n    return y.fooo()\nwrong(paddle.ones([2]))",
    "long": "@paddle.jit.not_to_static\ndef wait():\n    time.sleep(1.5)\n\ndef long(x):\n    wait()\n    return x * 2\n\n"
            "print(paddle.jit.to_static(long)(paddle.ones([2])).tolist())",
    "training": "def loss(out, y):\n    time.sleep(0.6)\n    return (out - y).mean() * 0 + 2\n\n"
                "net = paddle.nn.Linear(2, 1)\nmodel = paddle.Model(net)\n"
                "model.prepare(paddle.optimizer.SGD(0.1, parameters=net.parameters()), loss)\n"
                "model.fit([(paddle.ones([1, 2]), paddle.ones([1, 1]))] * 4, verbose=1)",
    "command": "from dy2st.cli import main\n"
               "paddle.jit.save(f, 'saved', input_spec=[paddle.static.InputSpec([None, 2])])\nmain(['inspect', 'saved'])",
}  # fmt: skip


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """name -> (what the cell printed and gave, the traceback of what it raised); "told" -> the texts of all displays."""
    import nbclient
    from nbformat.v4 import new_code_cell, new_notebook

    folder = tmp_path_factory.mktemp("notebook")
    (folder / "helper.py").write_text("def scale(x):\n    return x * 2\n")
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS.values()])
    environment = {**os.environ, "PYTHONPATH": str(Path(dy2st.__file__).resolve().parent.parent)}
    told: list[str] = []

    class Client(nbclient.NotebookClient):
        def process_message(self, msg, cell, cell_index):
            told.append(msg["content"].get("data", {}).get("text/plain", ""))
            return super().process_message(msg, cell, cell_index)

    client = Client(
        notebook, timeout=120, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=environment)
    return {"told": told, **{name: _shown(cell.outputs) for name, cell in zip(CELLS, notebook.cells)}}


def _shown(outputs):
    texts = [out.get("text", "") or out.get("data", {}).get("text/plain", "") for out in outputs]
    errors = ["\n".join(out["traceback"]) for out in outputs if out["output_type"] == "error"]
    return "".join(texts), re.sub(r"\x1b\[[0-9;]*m", "", "".join(errors))


def test_cells_and_magics_run(outputs):
    assert [name for name in CELLS if outputs[name][1]] == ["timed call", "failing call", "refused"]
    assert "[2.0, 2.0]" in outputs["time a line"][0] and "Wall time" in outputs["time a line"][0]
    assert "[-2.0, -2.0] kept" in outputs["captured"][0]
    assert "[-1.0, -1.0]" in outputs["again"][0]
    assert "[8.0, 8.0]" in outputs["class"][0]
    assert "per loop" in outputs["timeit"][0]


def test_a_module_that_autoreload_brings_anew_is_converted_anew(outputs):
    assert "[4.0, 4.0]" in outputs["autoreload"][0]


def test_an_error_shows_the_cell_and_its_line(outputs):
    names = list(CELLS)
    defined, called = names.index("row") + 1, names.index("failing call") + 1
    text = outputs["failing call"][1]
    assert f"Cell In[{called}], line 1" in text and f"Cell In[{defined}], line 4" in text
    assert "----> 4         y = items[n + 5]" in text or "----> 4     y = items[n + 5]" in text
    assert "IndexError: list index out of range" in text and "site-packages/dy2st" not in text


def test_a_refusal_shows_the_cell_and_its_line(outputs):
    number = list(CELLS).index("refused") + 1
    text = outputs["refused"][1]
    assert f"Cell In[{number}], line 4, in wrong" in text and "----> 4     return y.fooo()" in text
    assert "AttributeError: 'Tensor' object has no attribute 'fooo'" in text


def test_what_the_magic_time_hides_is_told(outputs):
    error = outputs["timed call"][1]
    assert "the source of 'late' can't be found" in error and "define the function in a cell without %%time" in error


def test_the_command_line_prints_into_the_cell(outputs):
    assert "entry: f(x: float32[?,2]) -> float32[?,2]" in outputs["command"][0]


def test_a_long_conversion_shows_itself_in_its_cell_and_is_gone(outputs):
    shown = [text for text in outputs["told"] if text.startswith("dy2st: converting")]
    assert shown and all(re.match(r"dy2st: converting long, \d s( at line \d)?$", text) for text in shown), shown
    assert shown[0].endswith(" at line 3")
    assert outputs["long"][0] == "[2.0, 2.0]\n"


def test_training_shows_how_far_it_is_in_its_cell_and_leaves_a_line(outputs):
    shown = [text for text in outputs["told"] if text.startswith("dy2st: epoch")]
    assert any(re.fullmatch(r"dy2st: epoch 1/1 - loss: 2.0000: 2 of 4 steps, \d s", text) for text in shown), shown
    assert outputs["training"][0] == "epoch 1/1 - loss: 2.0000\n"
