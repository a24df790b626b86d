"""Files of every kind, changed at random: each is refused in words, or what it loads to fails as a Program may.

`test_changed_files.py` runs these tests in a process of their own.
"""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hostile.attempt import try_model, watch
from hostile.campaign import main
from hostile.models import models
from hostile.sources import sources

watch()


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_a_changed_file_is_refused_or_fails_as_a_program_may(random):
    name, tried = random.choice(sources())
    came_to = tried(random)
    assert not came_to.startswith("!"), f"{name}: {came_to}"


def test_what_the_campaign_must_find_is_found(monkeypatch, tmp_path, capsys):
    """A planted hole: a loader that lets a KeyError out, and one that runs a command."""
    model = models()[0]
    with monkeypatch.context() as patched:
        patched.setattr("dy2st.jit.loading.load.check_info", lambda program, info: {}["hole"])
        assert try_model(model.data, model.inputs, False).startswith("! load raises KeyError")
    with monkeypatch.context() as patched:
        patched.setattr("dy2st.jit.loading.load.check_info", lambda program, info: __import__("os").system("true"))
        assert try_model(model.data, model.inputs, False).startswith("! os.system")


def test_a_campaign_goes_on_where_its_log_ends(tmp_path, monkeypatch, capsys):
    log = tmp_path / "log"
    log.write_text('[0, "loops", "refused"]\n[1, "trace", "refused"]\n')
    monkeypatch.setattr("sys.argv", ["campaign", "--count", "4", "--log", str(log)])
    assert main() == 0
    assert "4 files, 0 that must not be" in capsys.readouterr().out
    assert [line[:2] for line in log.read_text().splitlines()] == ["[0", "[1", "[2", "[3"]
