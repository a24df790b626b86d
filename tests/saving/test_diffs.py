"""The model file changes where the model changes: a changed layer shows as its lines, and few others."""

import difflib
import linecache
import sys
import types

import pytest

from dy2st import jit
from dy2st.static import InputSpec

SOURCE = '''
import dy2st.nn.functional as F
from dy2st import nn


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.norm = nn.Linear(4, 4), nn.Linear(4, 4), nn.LayerNorm(4)

    def forward(self, x):
        h = F.relu(self.a(x))
        return self.norm(x + self.b(h))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = nn.LayerList([Block() for _ in range(4)])
        self.middle = nn.Linear(4, 4)
        self.tail = nn.LayerList([Block() for _ in range(4)])
        self.last = nn.Linear(4, 4)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        x = F.gelu(self.middle(x))
        steps = 0
        while x.sum() > 1:
            x = x / 2
            steps += 1
        for block in self.tail:
            x = block(x)
        if x.mean() > 0:
            x = x - x.mean()
        return F.softmax(self.last(x)), steps
'''


def lines_of(source, folder, monkeypatch):
    """The lines of the model file of a source."""
    folder.mkdir()
    file = folder / "net.py"
    file.write_text(source)
    linecache.checkcache()
    module = types.ModuleType("net")
    monkeypatch.setitem(sys.modules, "net", module)
    exec(compile(source, str(file), "exec"), vars(module))
    jit.save(jit.to_static(module.Net(), input_spec=[InputSpec([None, 4])]), str(folder / "net"))
    return (folder / "net.model.json").read_text().splitlines()


@pytest.mark.parametrize(
    "old, new, removed, added",
    [
        ("import dy2st.nn", "import os\nimport dy2st.nn", 1, 1),  # every line of the source is one further
        ("        h = F.relu", "        # why\n        h = F.relu", 2, 2),
        ("        steps = 0\n", "        # from 0\n        steps = 0\n", 4, 4),
        ("        steps = 0\n", "        x = F.tanh(x)\n        steps = 0\n", 4, 5),
        ("x = F.gelu(self.middle(x))", "x = F.silu(self.middle(x))", 2, 2),
        ("self.middle = nn.Linear(4, 4)", "self.middle = nn.Linear(4, 4, bias_attr=False)", 4, 1),
        ("x = F.gelu(self.middle(x))", "x = F.gelu(self.middle(self.middle(x)))", 1, 3),
    ],
)
def test_a_change_shows_as_its_lines(old, new, removed, added, tmp_path, monkeypatch):
    assert old in SOURCE
    before = lines_of(SOURCE, tmp_path / "before", monkeypatch)
    after = lines_of(SOURCE.replace(old, new, 1), tmp_path / "after", monkeypatch)
    changes = [line[0] for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert changes.count("-") <= removed and changes.count("+") <= added
    assert len(before) > 200


def test_places_and_names_come_back(tmp_path, monkeypatch):
    """What the file keeps in steps and by layer, a loaded Program has as the staged one has it."""
    lines_of(SOURCE, tmp_path / "net", monkeypatch)
    net = sys.modules["net"].Net()
    staged = jit.to_static(net, input_spec=[InputSpec([None, 4])]).forward.concrete_program.program
    loaded = jit.load(str(tmp_path / "net" / "net"))._program
    assert str(loaded) == str(staged)
    places = [[(op.loc.line, op.loc.function) for op in program.walk()] for program in (loaded, staged)]
    assert places[0] == places[1]
