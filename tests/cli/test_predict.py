"""`dy2st predict`: the rows of many files, whatever cuts a run off, as one call of the model gives them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import dy2st
from dy2st.static import InputSpec

ROOT = Path(dy2st.__file__).resolve().parent.parent


class Plain(dy2st.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = dy2st.nn.Linear(3, 2)

    def forward(self, x):
        if x.max() > 1e6:
            raise ValueError("too large")
        return self.linear(x)


class Slow(dy2st.nn.Layer):
    def __init__(self, turns=500):
        super().__init__()
        self.linear, self.turns = dy2st.nn.Linear(3, 3), turns

    def forward(self, x):
        turn = dy2st.zeros([1])
        while turn.sum() < self.turns:
            x, turn = self.linear(x).tanh(), turn + 1
        return x


class Two(dy2st.nn.Layer):
    def forward(self, a, b):
        return {"file": a - b, "sums": a.sum(1)}


class Random(dy2st.nn.Layer):
    def forward(self, x):
        return x + dy2st.rand(x.shape)


class Counting(dy2st.nn.Layer):
    def __init__(self):
        super().__init__()
        self.seen = 0

    def forward(self, x):
        self.seen += 1
        return x * self.seen


class Normed(dy2st.nn.Layer):
    def __init__(self):
        super().__init__()
        self.norm = dy2st.nn.BatchNorm1D(3)

    def forward(self, x):
        return self.norm(x)


class WithANumber(dy2st.nn.Layer):
    def forward(self, x):
        return x, 7


class Whole(dy2st.nn.Layer):
    def forward(self, x):
        return x.sum(0)


class Growing(dy2st.nn.Layer):
    def forward(self, x):
        if x.max() > 0:
            return x
        return dy2st.concat([x, x], 1)


def spec(name, *shape, dtype="float32"):
    return InputSpec(list(shape), dtype, name)


@pytest.fixture
def model(tmp_path, monkeypatch):
    """model(layer) saves it at `net`; the current folder is a new one."""
    monkeypatch.chdir(tmp_path)

    def save(layer, *specs, path="net"):
        dy2st.jit.save(layer, path, input_spec=list(specs or [spec("x", None, 3)]))
        return layer

    return save


@pytest.fixture
def data(tmp_path):
    """The arrays of `data/*.npy` and `data/deep/e.npy` by name."""
    draw = np.random.default_rng(3)
    found = {name: draw.random((rows, 3), "float32") for name, rows in (("a", 130), ("b", 1), ("c", 64), ("deep/e", 5))}
    for name, array in found.items():
        (tmp_path / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        np.save(tmp_path / "data" / f"{name}.npy", array)
    return found


def results(folder="out"):
    return {str(p.relative_to(folder)): p.read_bytes() for p in Path(folder).rglob("*.np[yz]") if ".dy2st-predict" not in p.parts}


def child(*arguments):
    """The command in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "dy2st", "predict", *map(str, arguments)]
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # where the tests run in the background of a shell, too
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hears)


@pytest.mark.parametrize("options", [(), ("--batch", "7"), ("--backend", "onnxruntime")], ids=" ".join)
def test_results_are_those_of_the_model_row_by_row(dy2st_command, model, data, options):
    if "onnxruntime" in options:
        pytest.importorskip("onnxruntime")
    layer = model(Plain())
    code, out, err = dy2st_command("predict", "net", "--input", "data/**/*.npy", "--output", "out", *options)
    assert (code, err) == (0, "") and out.startswith("4 results in out: 200 rows")
    assert set(results()) == {f"{name}.npy" for name in data}
    for name, array in data.items():
        found = np.load(f"out/{name}.npy", allow_pickle=False)
        np.testing.assert_allclose(found, layer(dy2st.to_tensor(array)).numpy(), rtol=1e-5, atol=1e-6)


def test_several_inputs_in_files_of_their_own_or_in_one_by_name(dy2st_command, model):
    model(Two(), spec("a", None, 3), spec("b", None, 1))
    a, b = np.arange(30, dtype="float32").reshape(10, 3), np.ones((10, 1), "float32")
    np.save("a.npy", a), np.save("b.npy", b)
    np.savez("both.npz", b=b, a=a)
    assert dy2st_command("predict", "net", "--input", "a.npy", "--input", "b.npy", "--output", "one")[0] == 0
    assert dy2st_command("predict", "net", "--input", "both.npz", "--output", "two")[0] == 0
    for path in ("one/a.npz", "two/both.npz"):
        with np.load(path) as found:
            np.testing.assert_array_equal(found["file"], a - b)
            np.testing.assert_allclose(found["sums"], a.sum(1))
    assert list(results("one").values()) == list(results("two").values())


def test_what_is_there_stays_and_what_has_changed_is_done_anew(dy2st_command, model, data):
    layer = model(Plain())
    command = ["predict", "net", "--input", "data/*.npy", "--output", "out", "--json"]
    assert len(json.loads(dy2st_command(*command)[1])["written"]) == 3
    before = {path: os.stat(f"out/{path}").st_mtime_ns for path in results()}
    np.save("data/b.npy", data["a"][:9])
    np.save("data/new.npy", data["a"][:2])
    found = json.loads(dy2st_command(*command)[1])
    assert found["written"] == ["out/b.npy", "out/new.npy"] and found["kept"] == ["out/a.npy", "out/c.npy"]
    assert all(os.stat(f"out/{name}.npy").st_mtime_ns == before[f"{name}.npy"] for name in "ac")
    np.testing.assert_allclose(np.load("out/b.npy"), layer(dy2st.to_tensor(data["a"][:9])).numpy(), rtol=1e-5, atol=1e-6)


def test_results_are_no_inputs_of_the_next_run(dy2st_command, model, data):
    model(Plain())
    for _ in range(2):
        assert dy2st_command("predict", "net", "--input", "**/*.npy", "--output", "out")[1].startswith("4 results in out")


def test_killed_and_resumed_gives_the_same_bytes(dy2st_command, model, data):
    model(Slow())
    command = ["predict", "net", "--input", "data/*.npy", "--batch", "2"]
    assert dy2st_command(*command, "--output", "whole")[0] == 0
    kills = 0
    for enough in (5, 70):  # batches
        run = child(*command[1:], "--output", "out")
        while run.poll() is None and batches() + 65 * len(results()) < enough:
            time.sleep(0.01)
        kills += run.poll() is None
        run.kill()
        run.communicate(timeout=30)
    assert kills
    assert dy2st_command(*command, "--output", "out")[0] == 0
    assert results() == results("whole")
    assert not [*Path("out").rglob("*.parts")]


def batches():
    """How many batches lie in folders of parts; a folder may go while it is looked through, since its file is finished."""
    with contextlib.suppress(FileNotFoundError):
        return len([*Path("out").rglob("*.parts/*.npz")])
    return 0


def test_a_ctrl_c_says_how_far_it_is(model, data):
    model(Slow(turns=20_000))  # not done when the signal comes
    run = child("net", "--input", "data/*.npy", "--batch", "1", "--output", "out")
    while not [*Path("out").rglob("*.npz")]:
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert "of 195 rows are done; the same command goes on from there" in err and err.count("\n") == 1


def test_a_damaged_part_is_computed_anew(dy2st_command, model, data, monkeypatch):
    from dy2st.cli.predict import running

    model(Plain())
    command = ["predict", "net", "--input", "data/a.npy", "--output", "out", "--batch", "10"]
    with monkeypatch.context() as patched:
        patched.setattr(running.Folder, "finish", lambda *args: (_ for _ in ()).throw(OSError("no space")))
        assert dy2st_command(*command)[0] == 1
    part = next(iter(Path("out").rglob("50.npz")))
    part.write_bytes(part.read_bytes()[:-30] + b"?" * 30)
    assert dy2st_command(*command)[0] == 0
    assert dy2st_command(*command[:-4], "--output", "whole", "--batch", "10")[0] == 0
    assert results() == results("whole")


def test_random_numbers_are_those_of_the_batch(dy2st_command, model, data):
    model(Random())
    command = ["predict", "net", "--input", "data/*.npy"]
    for output, more in (("one", ()), ("two", ())):
        assert dy2st_command(*command, "--output", output, *more)[0] == 0
    os.unlink("two/a.npy")
    assert dy2st_command(*command, "--output", "two")[0] == 0
    assert results("one") == results("two")
    a, c = (np.load(f"one/{name}.npy") - data[name] for name in "ac")
    assert not np.array_equal(a[:64], a[64:128]) and not np.array_equal(a[:64], c)


def test_a_failing_row_is_named_and_the_run_goes_on_when_it_is_mended(dy2st_command, model, data):
    model(Plain())
    bad = data["a"].copy()
    bad[77, 1] = 1e7
    np.save("data/a.npy", bad)
    command = ["predict", "net", "--input", "data/*.npy", "--output", "out"]
    code, out, err = dy2st_command(*command)
    assert (code, out) == (1, "") and "data/a.npy, row 77: ValueError: too large" in err and err.count("\n") == 1
    assert "test_predict.py:" in err
    np.save("data/a.npy", data["a"])
    assert dy2st_command(*command)[0] == 0 and len(results()) == 3


def test_only_together_rows_may_fail(dy2st_command, model, data):
    model(Growing())
    np.save("data/a.npy", np.concatenate([data["a"], -data["a"]]))
    code, out, err = dy2st_command("predict", "net", "--input", "data/a.npy", "--output", "out", "--batch", "65")
    assert code == 1 and "data/a.npy: the result out of the rows from 130 on is float32[?, 6]" in err, err
    assert results() == {}


def test_a_file_without_rows(dy2st_command, model):
    layer = model(Two(), spec("a", None, 3), spec("b", None, 1))
    np.save("a.npy", np.zeros((0, 3), "float32")), np.save("b.npy", np.zeros((0, 1), "float32"))
    assert dy2st_command("predict", "net", "--input", "a.npy", "--input", "b.npy", "--output", "out")[0] == 0
    with np.load("out/a.npz") as found:
        assert found["file"].shape == (0, 3) and found["sums"].shape == (0,)
    assert layer is not None


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("bytes_", ["<", ">"])
def test_arrays_lie_in_their_files_as_they_like(dy2st_command, model, data, order, bytes_):
    layer = model(Plain())
    np.save("odd.npy", np.asarray(data["a"], f"{bytes_}f4", order=order))
    assert dy2st_command("predict", "net", "--input", "odd.npy", "--output", "out")[0] == 0
    np.testing.assert_allclose(np.load("out/odd.npy"), layer(dy2st.to_tensor(data["a"])).numpy(), rtol=1e-5, atol=1e-6)


def test_a_model_of_so_many_rows(dy2st_command, model, data):
    model(Plain(), spec("x", 8, 3))
    assert dy2st_command("predict", "net", "--input", "data/c.npy", "--output", "out")[0] == 0
    code, _, err = dy2st_command("predict", "net", "--input", "data/a.npy", "--output", "out")
    assert code == 2 and "data/a.npy has 130 rows, and the model takes 8 at a time" in err
    assert dy2st_command("predict", "net", "--input", "data/c.npy", "--output", "out", "--batch", "4")[0] == 2


@pytest.mark.parametrize(
    "make, words",
    [
        (Counting, "changes self.seen at each call"),
        (WithANumber, "the result 1 is 7, no array with a row for each row"),
        (Whole, "the result out is float32[3] for"),
    ],
)
def test_a_model_whose_results_are_no_rows_is_refused(dy2st_command, model, data, make, words):
    model(make())
    code, out, err = dy2st_command("predict", "net", "--input", "data/*.npy", "--output", "out")
    assert code in (1, 2) and words in err and err.count("\n") == 1
    assert results() == {} if Path("out").exists() else True


def test_a_model_saved_in_training_mode_predicts_in_evaluation_mode(dy2st_command, model, data):
    layer = model(Normed())
    layer.eval()
    assert dy2st_command("predict", "net", "--input", "data/a.npy", "--output", "out")[0] == 0
    np.testing.assert_allclose(np.load("out/a.npy"), layer(dy2st.to_tensor(data["a"])).numpy(), rtol=1e-5, atol=1e-6)


BAD = [
    (["--input", "none.npy", "--output", "out"], "--input none.npy: there is no such file"),
    (["--input", "none/*.npy", "--output", "out"], "--input none/*.npy: there is no such file"),
    (["--input", "data", "--output", "out"], "is a folder: name its files, such as 'data/*.npy'"),
    (["--input", "text.npy", "--output", "out"], "expected a .npy or .npz file of plain arrays"),
    (["--input", "cut.npy", "--output", "out"], "expected a .npy or .npz file of plain arrays"),
    (["--input", "cut.npz", "--output", "out"], "expected a .npy or .npz file of plain arrays"),
    (["--input", "objects.npy", "--output", "out"], "it holds Python objects"),
    (["--input", "wide.npy", "--output", "out"], "it is float32[2,4], and the model's x is float32[?,3]"),
    (["--input", "double.npy", "--output", "out"], "float64[2,3], and the model's x is float32[?,3]; x.astype('float32')"),
    (["--input", "row.npy", "--output", "out"], "a file holds rows along its first axis, as numpy.stack makes them"),
    (["--input", "data/a.npy", "data/a.npz", "--output", "out"], "would have one result, a: predict them into different folders"),
    (["--input", "data/*.npy", "--input", "data/a.npy", "--output", "out"], "there are 3 and 1 of them"),
    (["--input", "data/a.npy", "--input", "data/a.npy", "--output", "out"], "the model takes x; give one --input for each"),
    (["--input", "data/*.npy", "--output", "data"], "--input data/*.npy: there is no such file, but for those in data, "),
    (["--input", "data/a.npy", "--output", "data"], "data/a.npy is there, and no dy2st predict has written it"),
    (["--input", "data/*.npy", "--output", "text.npy"], "--output text.npy is a file; expected a folder"),
    (["--input", "data/*.npy", "--output", "out", "--batch", "0"], "--batch 0: expected at least 1"),
]


@pytest.mark.parametrize("arguments, complaint", BAD, ids=[complaint[:40] for _, complaint in BAD])
def test_bad_input_is_one_line_before_anything_is_written(dy2st_command, model, data, arguments, complaint):
    model(Plain())
    Path("text.npy").write_text("hello")
    Path("cut.npy").write_bytes(Path("data/a.npy").read_bytes()[:20])
    Path("cut.npz").write_bytes(b"PK\3\4cut")
    np.save("objects.npy", np.array([{}]), allow_pickle=True)
    np.save("wide.npy", np.zeros((2, 4), "float32"))
    np.save("double.npy", np.zeros((2, 3)))
    np.save("row.npy", np.zeros(3, "float32"))
    np.savez("data/a.npz", x=data["a"])
    code, out, err = dy2st_command("predict", "net", *arguments)
    assert (code, out) == (2, "") and complaint in err and err.count("\n") == 1, err
    assert not Path("out").exists()


def test_results_of_another_run_are_kept_apart(dy2st_command, model, data):
    model(Plain())
    command = ["predict", "net", "--input", "data/*.npy", "--output", "out"]
    assert dy2st_command(*command)[0] == 0
    before = results()
    code, _, err = dy2st_command(*command, "--batch", "32")
    assert code == 2 and "out holds results of another run, with batch 64" in err
    model(Plain())  # other weights
    code, _, err = dy2st_command(*command)
    assert code == 2 and "out holds results of another run, with model" in err
    assert results() == before


def test_two_runs_at_once(dy2st_command, model, data):
    model(Slow())
    run = child("net", "--input", "data/*.npy", "--batch", "1", "--output", "out")
    while not [*Path("out").rglob("*.npz")]:
        time.sleep(0.01)
    code, out, err = dy2st_command("predict", "net", "--input", "data/*.npy", "--batch", "1", "--output", "out")
    assert (code, out) == (2, "") and "another dy2st predict writes to out now" in err
    run.kill()
    run.communicate(timeout=30)


def test_what_a_model_prints_goes_to_stderr(dy2st_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("says.py").write_text("print('imported')\n\n\ndef f(x):\n    print('called')\n    return x\n")
    code, out, err = dy2st_command("convert", "says.py:f", "--spec", "x=float32[?,3]", "--out", "net", "--json")
    assert code == 0 and json.loads(out) and err == "imported\n"
    np.save("x.npy", np.ones((2, 3), "float32"))
    code, out, err = dy2st_command("predict", "net", "--input", "x.npy", "--output", "out", "--json")
    assert code == 0 and json.loads(out) and err == "called\n"
    assert dy2st_command("run", "net", "--input", "x.npy")[1].startswith("called\nout: float32[2, 3]\n")
    code, out, err = dy2st_command("run", "net", "--input", "x.npy", "--json")
    assert json.loads(out)["out"]["values"] == [[1.0] * 3] * 2 and err == "called\n"


def test_predict_imports_nothing_that_reads_source(model, data):
    model(Plain())
    code = (
        "import sys; from dy2st.cli import main; "
        "assert main(['predict', 'net', '--input', 'data/*.npy', '--output', 'out']) == 0; "
        "sys.exit(bool({'gast', 'astor', 'rich'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
