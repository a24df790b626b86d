"""What a process imports that loads a saved model and runs it: of third-party packages NumPy alone, and nothing that stages."""

import subprocess
import sys

import numpy as np
import pytest

import dy2st
from dy2st import nn
from dy2st.static import InputSpec
from dy2st.traced_module import trace_module

X = np.arange(6, dtype="float32").reshape(2, 3)
RUN = """
import sys
before = set(sys.modules)
import numpy as np, dy2st
model = {load}
y = model({x})
print(y.numpy().tolist())
print(*(name for name in set(sys.modules) - before if getattr(sys.modules[name], "__file__", None)))
"""
STAGING = ("dy2st.transformers", "dy2st.optimizer", "dy2st.jit.static", "dy2st.runtime.convert")
UNUSED = (*STAGING, "dy2st.api", "dy2st.passes", "dy2st.nn.names", "dy2st.nn.functional", "dy2st.runtime.recorder.recorder")


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        return nn.functional.relu(self.linear(x))


def double(x):
    if x.sum() > 0:
        x = x * 2
    return x


def imported(load: str, x: str = "np.arange(6, dtype='float32').reshape(2, 3)") -> tuple[str, set[str]]:
    """What the process prints of the answer, and the modules that it imported."""
    done = subprocess.run([sys.executable, "-c", RUN.format(load=load, x=x)], capture_output=True, text=True, check=True)
    answer, modules = done.stdout.splitlines()
    return answer, set(modules.split())


def under(modules: set[str], packages: tuple[str, ...]) -> set[str]:
    return {name for name in modules if name.startswith(tuple(f"{package}." for package in packages)) or name in packages}


def third_party(modules: set[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"numpy", "dy2st"}
    return {name for name in tops if not name.startswith("_sysconfigdata")}  # a module of the library with the platform's name


@pytest.mark.parametrize("name", ["net", "net.dy2st", "double"])
def test_a_model_that_is_loaded_and_run_imports_numpy_alone(name, tmp_path):
    spec = [InputSpec([None, 3], "float32")]
    model = dy2st.jit.to_static(double if name == "double" else Net(), input_spec=spec)
    dy2st.jit.save(model, tmp_path / name)
    answer, modules = imported(f"dy2st.jit.load({str(tmp_path / name)!r})")
    assert answer == str(model(dy2st.to_tensor(X)).numpy().tolist())
    assert third_party(modules) == set()
    assert under(modules, UNUSED) == set()


def test_so_does_an_archive_of_script(tmp_path):
    model = dy2st.jit.script(Net())
    path = str(tmp_path / "net.dy2st")
    dy2st.jit.save(model, path)
    answer, modules = imported(f"dy2st.jit.load({path!r})", "dy2st.to_tensor(np.arange(6, dtype='float32').reshape(2, 3))")
    assert answer == str(model(dy2st.to_tensor(X)).numpy().tolist())
    assert third_party(modules) == set() == under(modules, STAGING)


def test_so_does_a_traced_module(tmp_path):
    model = trace_module(Net(), dy2st.to_tensor(X))
    path = str(tmp_path / "net.traced")
    dy2st.save(model, path)
    answer, modules = imported(f"dy2st.load({path!r})", "dy2st.to_tensor(np.arange(6, dtype='float32').reshape(2, 3))")
    assert answer == str(model(dy2st.to_tensor(X)).numpy().tolist())
    assert third_party(modules) == set() == under(modules, ("dy2st.transformers",))


def test_a_result_has_every_method_of_a_tensor(tmp_path):
    dy2st.jit.save(dy2st.jit.to_static(double, input_spec=[InputSpec([None, 3], "float32")]), tmp_path / "m")
    code = """
import numpy as np, dy2st
y = dy2st.jit.load({path!r})(np.ones((2, 3), "float32"))
print({use})
"""
    uses = {
        "y + 1": "(y + 1).tolist()",
        "sum": "y.sum().item()",
        "index": "y[0, 1].item()",
        "array + y": "type(np.ones(3, 'float32') + y).__name__",
        "length": "len(y), [len(row) for row in y]",
        "text": "repr(y)[:7], f'{y.sum():.1f}'",
        "unknown": "hasattr(y, 'nothing_of_the_kind')",
        "copy": "__import__('copy').deepcopy(y).shape",
    }
    code = "\n".join([code.format(path=str(tmp_path / "m"), use="0"), *(f"print({use})" for use in uses.values())])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == [
        "[[3.0, 3.0, 3.0], [3.0, 3.0, 3.0]]",
        "12.0",
        "2.0",
        "Tensor",
        "2 [3, 3]",
        "Tensor( 12.0",
        "False",
        "[2, 3]",
    ]
