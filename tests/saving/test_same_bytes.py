"""Each kind of saved model has the same bytes, whatever the hash seed, the folder of the source and what was built before.

That it has them on every supported Python, too, is told by `.ci/run`, which compares what `kinds.py` prints there.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from saving import kinds

import dy2st as paddle
from dy2st import jit, nn

SOURCE = Path(kinds.__file__)
ROOT = Path(paddle.__file__).resolve().parent.parent


def start(folder, seed, *how):
    """A process that saves all kinds, from a copy of their source in `folder`."""
    (folder / "models").mkdir(parents=True)
    source = shutil.copy(SOURCE, folder / "models")
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", source, str(folder / "saved"), *how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder)


@pytest.mark.by_turns
def test_the_same_bytes_in_any_process(tmp_path):
    ways = [("here", "0"), ("some/where else", "1", "earlier")]
    printed = [process.communicate()[0].splitlines() for process in [start(tmp_path / name, *how) for name, *how in ways]]
    assert printed[0] == printed[1]
    assert len(printed[0]) > 2 * len(kinds.KINDS)


def test_no_file_says_where_it_was_made(tmp_path):
    for name in kinds.KINDS:
        kinds.save_kind(name, tmp_path)
    for path in tmp_path.iterdir():
        assert str(SOURCE.parent).encode() not in path.read_bytes(), path.name


class Refused(nn.Layer):
    def forward(self, x):
        return x * 2 if self.training else x * float(str(open(x)))


def test_why_there_is_no_other_mode_is_told_without_folders(tmp_path):
    jit.save(jit.to_static(Refused(), input_spec=[kinds.ROWS]), str(tmp_path / "net"))
    reason = json.loads((tmp_path / "net.info.json").read_text())["extra"]["no_other_mode"]["forward"]
    assert reason.startswith("test_same_bytes.py:") and os.sep not in reason.split(":")[0]


def hidden_layer():
    layers = iter([nn.Linear(3, 3)])
    layer = next(layers)
    return lambda x: [f(x) for f in (layer.forward,)][0]


def test_a_tensor_that_no_name_leads_to_has_no_generated_one(tmp_path):
    names = []
    for count in range(2):
        nn.Linear(3, 3)
        jit.save(jit.to_static(hidden_layer(), input_spec=[kinds.ROWS]), str(tmp_path / "net"))
        names.append(list(jit.load(str(tmp_path / "net")).state_dict()))
    assert names[0] == names[1] and not any("linear_" in name for name in names[0])


def test_a_name_of_the_users_is_kept(tmp_path):
    net = nn.Sequential(nn.Linear(3, 3, weight_attr="mine"))
    traced = paddle.traced_module.trace_module(net, paddle.to_tensor(kinds.X))
    paddle.save(traced, tmp_path / "net.dy2st")
    weight, bias = paddle.load(tmp_path / "net.dy2st").parameters()
    assert weight.name == "mine" and bias.name != net[0].bias.name
