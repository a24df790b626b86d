"""What acts on files or the environment acts once, though staging may start anew; reading the environment may be repeated."""

from __future__ import annotations

import copyreg
import logging
import os
import subprocess

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, UnconvertedCallWarning

X = paddle.to_tensor([1.0, 2.0])
SETTING = "DY2ST_TEST_SETTING"


def test_s_12_a_folder_is_made_once(tmp_path):
    def makes(x):
        os.mkdir(tmp_path / "made")
        return x

    with pytest.warns(UnconvertedCallWarning, match="mkdir"):
        assert paddle.jit.to_static(makes)(X).numpy().tolist() == [1, 2]
    assert (tmp_path / "made").is_dir()


class Counter:
    count = 0


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_s_12_staging_starts_anew_behind_what_can_be_done_once(tmp_path):
    counter = Counter()

    def makes_and_counts(x):
        os.mkdir(tmp_path / "made")
        counter.count += 1
        return x

    paddle.jit.to_static(makes_and_counts)(X)
    assert counter.count == 1 and (tmp_path / "made").is_dir()


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_s_12_what_can_not_be_put_back_is_refused(tmp_path):
    (tmp_path / "made" / "inner").mkdir(parents=True)
    counter = Counter()

    def removes_and_counts(x):
        os.removedirs(tmp_path / "made" / "inner")
        counter.count += 1
        return x

    with pytest.raises(ConversionError, match=r"removedirs was called, and .* staged again"):
        paddle.jit.to_static(removes_and_counts)(X)
    assert counter.count == 0


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_the_environment_is_read_where_a_tensor_decides(monkeypatch):
    monkeypatch.setenv(SETTING, "3")

    def reads(x):
        if x.sum() > 0 and SETTING in os.environ:
            x = x * float(os.environ.get(SETTING)) + float(os.environ[SETTING])
        return x

    static = paddle.jit.to_static(reads)
    assert static(X).numpy().tolist() == [6, 9] and static(-X).numpy().tolist() == [-1, -2]


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_the_environment_is_changed_once(monkeypatch):
    monkeypatch.setenv(SETTING, "3")
    counter = Counter()

    def changes(x):
        seen = os.environ.get(SETTING)
        os.environ[SETTING] = "4"
        counter.count += 1
        return x, seen

    assert paddle.jit.to_static(changes)(X)[1] == "3"
    assert os.environ[SETTING] == "4" and counter.count == 1


class Seen(logging.Handler):
    def __init__(self):
        super().__init__()
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


class Added:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Added(self.value + other)


def staged_again(x):
    """Operators of classes are found late: staging begins again."""
    return x * (Added(1) + 1).value


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_s_12_a_log_line_is_written_once():
    log, seen = logging.getLogger("dy2st.tests.once"), Seen()
    log.setLevel(logging.INFO)
    log.addHandler(seen)

    def logs(x):
        for i in range(3):
            log.info("%d of 3", i)
        return staged_again(x)

    assert paddle.jit.to_static(logs)(X).tolist() == [2, 4]
    assert seen.texts == ["0 of 3", "1 of 3", "2 of 3"]


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
@pytest.mark.parametrize("ran", [
    lambda command: subprocess.run(command, check=True).returncode, lambda command: subprocess.Popen(command).wait(),
    lambda command: len(subprocess.check_output(command)), lambda command: os.system(" ".join(command)),
], ids=["run", "Popen", "check_output", "system"])  # fmt: skip
def test_s_12_a_process_runs_once(ran, tmp_path):
    path = tmp_path / "ran.txt"
    command = ["sh", "-c", f"'echo once >> {path}'" if ran.__code__.co_names[0] == "os" else f"echo once >> {path}"]

    def runs(x):
        return staged_again(x) + ran(command)

    assert paddle.jit.to_static(runs)(X).tolist() == [2, 4]
    assert path.read_text() == "once\n"


@pytest.mark.filterwarnings("ignore::dy2st.errors.UnconvertedCallWarning")
def test_a_table_of_the_library_is_as_it_was_where_staging_starts_anew():
    counter = Counter()

    def registers_and_counts(code):
        known = code in copyreg._inverted_registry
        copyreg.add_extension(__name__, "Counter", code)
        counter.count += 1
        if not known:
            copyreg.remove_extension(__name__, "Counter", code)
        return known

    before = dict(copyreg._extension_registry)
    assert [paddle.jit.to_static(registers_and_counts)(code) for code in (1, 255)] == [False, False]
    assert counter.count == 2 and copyreg._extension_registry == before
