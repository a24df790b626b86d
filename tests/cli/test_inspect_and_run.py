"""`dy2st inspect` and `dy2st run`: saved files only, no model source."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import dy2st
from dy2st.config import VERSION


def answer(net, array):
    w, b = net.linear.weight.numpy(), net.linear.bias.numpy()
    return array @ w + b if array.sum() > 0 else (-array @ w + b) * 2


def test_run_writes_every_result_to_an_npz(dy2st_command, saved_model, x, tmp_path):
    (path, net), (x_path, array) = saved_model, x
    code, out, err = dy2st_command("run", path, "--input", x_path, "--output", tmp_path / "y.npz")
    assert (code, out, err) == (0, "", "")
    with np.load(tmp_path / "y.npz") as found:
        assert set(found.files) == {"y", "rows.0", "rows.1"}
        np.testing.assert_allclose(found["y"], answer(net, array), rtol=1e-5)
        np.testing.assert_array_equal(found["rows.0"], array)
        assert found["rows.1"] == 7


def test_run_prints_without_output(dy2st_command, saved_model, x):
    code, out, _ = dy2st_command("run", saved_model[0], "--input", x[0])
    assert code == 0
    assert "y: float32[2, 2]" in out and "rows.0: float32[2, 3]" in out


def test_inspect_lists_entries_parameters_and_versions(dy2st_command, saved_model):
    code, out, err = dy2st_command("inspect", saved_model[0])
    assert code == 0, err
    for text in ("forward", "x", "float32[?,3]", "linear.weight", "float32[3,2]", "linear.bias", "24", VERSION, "sha256"):
        assert text in out, f"{text!r} is missing in\n{out}"


def test_inspect_engine_prints_the_generated_source(dy2st_command, saved_model):
    code, out, _ = dy2st_command("inspect", saved_model[0], "--engine")
    assert code == 0
    compile(out, "engine", "exec")
    assert "def " in out and "if " in out


def test_bad_input_of_run(dy2st_command, saved_model, x, tmp_path):
    path = saved_model[0]
    (tmp_path / "broken.npy").write_bytes(b"not an array")
    for arguments, complaint in [
        (["run", tmp_path / "nothing", "--input", x[0]], "there is no model at"),
        (["run", path, "--input", tmp_path / "missing.npy"], "missing.npy"),
        (["run", path, "--input", tmp_path / "broken.npy"], "broken.npy"),
        (["run", path, "--input", x[0], "--output", tmp_path / "y.txt"], ".npz"),
        (["run", path, "--input", x[0], "--output", tmp_path / "y.npy"], "one array"),
    ]:
        code, out, err = dy2st_command(*arguments)
        assert code == 2 and complaint in err and err.count("\n") == 1, (arguments, err)


def test_an_input_that_does_not_fit_is_exit_code_1(dy2st_command, saved_model, tmp_path):
    np.save(tmp_path / "wide.npy", np.zeros((2, 4), np.float32))
    code, _, err = dy2st_command("run", saved_model[0], "--input", tmp_path / "wide.npy")
    assert code == 1 and err.count("\n") == 1


def test_a_damaged_model_is_exit_code_1(dy2st_command, saved_model):
    path = saved_model[0]
    model = Path(f"{path}.model.json")
    model.write_bytes(model.read_bytes()[:-40])
    code, out, err = dy2st_command("inspect", path)
    assert code == 1 and out == "" and "ModelFileError" in err and err.count("\n") == 1


def test_inspect_and_run_import_no_source_rewriter(saved_model, x):
    code = (
        "import sys; from dy2st.cli import main; "
        f"assert main(['inspect', r'{saved_model[0]}']) == 0; "
        f"assert main(['run', r'{saved_model[0]}', '--input', r'{x[0]}']) == 0; "
        "sys.exit(bool({'gast', 'astor'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(dy2st.__file__).resolve().parent.parent)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
