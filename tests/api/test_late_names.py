"""The names of `dy2st` and `dy2st.nn`, which come when the first of them is used: the same ones, whatever is imported first."""

import pkgutil
import subprocess
import sys

import pytest

import dy2st
from dy2st import nn
from dy2st.api import names
from dy2st.nn import names as nn_names
from dy2st.runtime.tensors.late_methods import SPECIAL
from dy2st.runtime.tensors.tensor import Tensor

FIRST = [
    "import dy2st",
    "import dy2st.api",
    "from dy2st.api.creation import to_tensor",
    "from dy2st.nn.layer import Layer",
    "from dy2st.nn.functional import relu",
    "from dy2st.jit import load",
    "import dy2st.nn.layer.conv",
    "from dy2st import *",
    "import dy2st.tensor",
]
CHECK = """
import dy2st, dy2st.api.creation, dy2st.tensor, dy2st.nn.functional.activation
assert dy2st.to_tensor is dy2st.api.creation.to_tensor is dy2st.tensor.to_tensor and dy2st.to_tensor.__wrapped__
assert dy2st.nn.functional.relu is dy2st.nn.functional.activation.relu
assert dy2st.nn.Conv2D is dy2st.nn.layer.conv.Conv2D and dy2st.nn.Layer is dy2st.nn.layer.Layer
assert dy2st.tensor([1]).tolist() == [1] and dy2st.tensor.__name__ == "dy2st.tensor"
assert dy2st.float32 == "float32" and dy2st.bool == "bool"
"""


def test_names_are_the_same_ones_whatever_is_imported_first():
    """In one process, which forgets the modules of dy2st each time."""
    code = f"""
import sys
for first in {FIRST}:
    for name in [name for name in sys.modules if name.partition(".")[0] == "dy2st"]:
        del sys.modules[name]
    print(first, file=sys.stderr)
    exec(first + {CHECK!r}, {{}})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package, offered", [(dy2st, names), (nn, nn_names)])
def test_dir_and_a_star_import_know_all_of_them(package, offered):
    public = {name for name in vars(offered) if name[0] != "_"}
    assert public <= set(dir(package)) and set(package.__all__) == public and "__main__" not in dir(package)
    found: dict = {}
    exec(f"from {package.__name__} import *", found)
    assert public <= set(found)
    for name in public:
        assert getattr(package, name) is found[name]
    modules = {found.name for found in pkgutil.iter_modules(package.__path__)}
    clashes = {name for name in public & modules if getattr(package, name).__name__ != f"{package.__name__}.{name}"}
    assert clashes == set(), "a module and a function of one name: the module is what importing it leaves"


@pytest.mark.parametrize("package", [dy2st, nn])
@pytest.mark.parametrize("name", ["no_such_name", "__no_such_name__"])
def test_other_names_are_refused(package, name):
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute '{name}'"):
        getattr(package, name)
    assert not hasattr(package, "__wrapped__")


def test_every_special_method_that_waits_for_the_functions_is_replaced_by_one():
    own = {name for name, value in vars(Tensor).items() if name in SPECIAL and callable(value)}
    assert own == set(SPECIAL)
    assert {name for name in vars(Tensor) if name.startswith("__") and name in dir(int)} - {*dir(object), *SPECIAL} == set()


def test_a_method_of_any_home_is_there_before_its_home_is_imported():
    code = "import dy2st; x = dy2st.to_tensor([0.0, 0.0]); print(x.softmax().tolist(), hasattr(x, 'softmaxx'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split("\n")[0] == "[0.5, 0.5] False", done.stderr
