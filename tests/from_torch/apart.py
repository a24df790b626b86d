"""A model is tried in a process of its own, with so much time and memory, so that none ends the run."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import torch

from .forms import FORMS, tried
from .zoo import Case


class Outcome(NamedTuple):
    """What became of a model: for each form that was tried, or "built", "right" or the reason why not."""

    name: str
    group: str
    forms: dict[str, str]
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether it is right in all forms."""
        return all(self.forms.get(form) == "right" for form in FORMS)

    def line(self) -> str:
        """It as a line of JSON."""
        return json.dumps(self._asdict())


def outcome(case: Case, seconds: float = 600, gigabytes: float = 12) -> Outcome:
    """One model in all its forms, within a time and a size of memory."""
    start, forms = time.perf_counter(), {}
    torch.set_num_threads(1)  # a child hasn't the threads of its parent, and would wait for them
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=_child, args=(case, folder, theirs, gigabytes))
        process.start()
        theirs.close()
        try:
            while ours.poll(max(0, start + seconds - time.perf_counter())):
                form, words = ours.recv()
                forms[form] = words
            forms[_next(forms)] = f"not done within {seconds:g} s"
            os.killpg(process.pid, signal.SIGKILL)
        except EOFError:
            process.join()
            if process.exitcode:
                forms[_next(forms)] = f"the process ended with {process.exitcode}, of memory most likely"
        process.join()
    return Outcome(case.name, case.group, forms, round(time.perf_counter() - start, 1))


def _next(forms: dict[str, str]) -> str:
    """The form that was being tried."""
    return next((form for form in FORMS if form not in forms), FORMS[-1])


def _child(case: Case, folder: str, pipe: Any, gigabytes: float) -> None:
    os.setsid()  # so that what it starts ends with it
    resource.setrlimit(resource.RLIMIT_DATA, (int(gigabytes * 2**30),) * 2)
    tried(case, Path(folder), lambda form, words: pipe.send((form, words)))
    pipe.close()
