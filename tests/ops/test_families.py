"""The index of operators, against the modules that define them."""

import subprocess
import sys

import pytest

from dy2st.ops.registry import OPERATORS, define


def test_looking_one_up_imports_its_family_and_what_that_needs():
    code = """
import sys
from dy2st.ops.registry import OPERATORS
"no such" in OPERATORS, OPERATORS.get("no such"), "relu" in OPERATORS
assert not [name for name in sys.modules if name in ("dy2st.ops.activation", "dy2st.ops.conv")]
assert OPERATORS["relu"].name == "relu" and OPERATORS.get("gelu").name == "gelu"
assert "dy2st.ops.activation" in sys.modules and "dy2st.ops.conv" not in sys.modules
assert len(OPERATORS) == len(set(OPERATORS)) and "dy2st.ops.conv" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_each_operator_is_found_whichever_family_is_imported_first():
    code = """
import sys
from dy2st.ops.families import FAMILIES
for module, names in FAMILIES.items():
    for name in [name for name in sys.modules if name.startswith("dy2st.ops")]:
        del sys.modules[name]
    from dy2st.ops.registry import OPERATORS
    for name in names.split():
        assert OPERATORS[name].name == name
listed = {name for names in FAMILIES.values() for name in names.split()}
assert set(OPERATORS) == listed, f"families.py lists what is defined; it lacks {set(OPERATORS) - listed}"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_name_is_taken_once():
    with pytest.raises(ValueError, match="defined twice"):
        define("relu", kernel=abs, infer=abs)
    with pytest.raises(KeyError):
        OPERATORS["no such"]
