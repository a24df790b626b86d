"""Another process that many tests share: starting one and importing dy2st there takes longer than what most of them ask."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import dy2st

SERVER = """
import os, pickle, sys, traceback

answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what a model prints is no answer
while True:
    try:
        source, arguments = pickle.load(sys.stdin.buffer)
    except EOFError:
        break
    try:
        space = {}
        exec(compile(source, "<request>", "exec"), space)
        answer = True, space["answer"](*arguments)
    except BaseException:
        answer = False, traceback.format_exc()
    answers.write(pickle.dumps(answer))
    answers.flush()
"""


class OtherProcess:
    """A process that finds dy2st and can't see any test file. It runs what it is asked until it is closed.

    settings: what its environment has beside this process's.
    """

    def __init__(self, folder, **settings):
        command, pipe = [sys.executable, "-c", SERVER], subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder, env=environment() | settings)

    def ask(self, source, *arguments):
        """What the function `answer` of a Python source gives there; its failure fails the test."""
        self.process.stdin.write(pickle.dumps((source, arguments)))
        self.process.stdin.flush()
        done, answer = pickle.load(self.process.stdout)
        assert done, answer
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def environment():
    """An environment in which dy2st is found, wherever this process found it, and nothing else of the repository is."""
    return {**os.environ, "PYTHONPATH": str(Path(dy2st.__file__).resolve().parent.parent)}
