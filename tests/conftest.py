"""What holds for the whole suite."""

from __future__ import annotations

import gc
import itertools
import os
import sys

import pytest
from support import sampling

COLLECTED_EACH = 10  # tests
_finished = itertools.count(1)


def pytest_configure(config):
    """The day's seed also draws the examples of Hypothesis. How much is drawn is known before a test file is imported."""
    sampling.is_whole_suite = sampling.names_no_test(config.args, config.option.keyword)
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = sampling.SEED


def pytest_report_header():
    return sampling.HEADER


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Of the tests with the mark `by_turns`, which have the mark `long` too, the day's run tries a third."""
    by_turns = [item for item in items if item.get_closest_marker("by_turns")]
    for item in by_turns:
        item.add_marker("long")
    left_out = {item for item in by_turns if not sampling.is_its_turn(item.nodeid)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is made before the tests run stays, nearly all of it: there is no garbage to look for."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish():
    """The tests stay until the end: no collection of garbage is to look through them again and again, and few are needed."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """What a few tests leave is looked through once, and then stays: what tests and staging ask of the collector takes no longer
    at the end of a run than at its start.
    """
    result = yield
    if next(_finished) % COLLECTED_EACH == 0:
        gc.collect()
        gc.freeze()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector, name):
    """The day's run draws a few cases of each family. Of a family of more, every case has the mark `long`."""
    found = yield
    if not isinstance(found, list) or len(found) <= sampling.FEW:
        return found
    for item in found:
        item.add_marker("long")
    return sampling.drawn(f"{collector.nodeid}::{name}", found)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    """One collection finds what there is; pytest makes five more, and the interpreter some as it ends, all with nothing to do."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Where a generated case fails, the report says how to draw it again."""
    report = yield
    if report.failed and item.get_closest_marker("long"):
        report.sections.append(("To repeat it", f"{sampling.DRAWN} pytest '{item.nodeid}'"))
    return report


@pytest.fixture(scope="session", autouse=True)
def files_go_by_their_schemas():
    """Every save of the tests is held against `docs/schemas`; files made by hand state no version."""
    from support import schemas

    from dy2st import saving, state_files
    from dy2st.saving import files
    from dy2st.traced_module import files as traced_files

    seal = files.seal

    def checked(pieces, info):
        sealed = seal(pieces, info)
        if info.versions:
            info_text, model = (b"".join(sealed[suffix]) for suffix in (files.INFO, files.MODEL))
            schemas.check_files(info_text, model, next(iter(pieces[files.PARAMS])))
        return sealed

    with pytest.MonkeyPatch.context() as patch:
        for module in (saving, state_files, traced_files):
            patch.setattr(module, "seal", checked)
        yield


@pytest.fixture(scope="session", autouse=True)
def nothing_is_forced_to_the_disk():
    """No test cuts the power; what is forced, and when, is what the tests of crashes look at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def other_processes_keep_their_bytecode(tmp_path_factory):
    """Where Python writes none beside the sources, each of the processes that tests start would compile dy2st anew."""
    with pytest.MonkeyPatch.context() as patch:
        if sys.dont_write_bytecode:
            patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
            patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.getbasetemp() / "bytecode"))
        yield


@pytest.fixture
def wrong_files(monkeypatch):
    """For tests that save what goes by no schema, to see it refused."""
    from support import schemas

    monkeypatch.setattr(schemas, "check_files", lambda info, model, params: None)
