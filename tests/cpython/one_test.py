"""One test, under a time limit: what became of it."""

from __future__ import annotations

import inspect
import random
import signal
import time
import types
import unittest
import warnings

import dy2st


class TooSlow(BaseException):
    pass


def _too_slow(*_):
    raise TooSlow


def run_test(case, phase: str, assertions, limit: float) -> dict:
    """Its status, its seconds, the number of its assertions, and the exception that it ended with."""
    if phase == "staged" and not _stage(case):
        return {"status": "not staged"}
    result, leaked = unittest.TestResult(), None
    assertions.made = 0
    random.seed(0)
    signal.signal(signal.SIGALRM, _too_slow)
    signal.setitimer(signal.ITIMER_REAL, limit)
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            case.run(result)
    except TooSlow:
        return {"status": "too slow", "seconds": round(time.process_time() - start, 3)}
    except BaseException as error:
        leaked = f"{type(error).__name__}: {error}"[:500]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    record = {"seconds": round(time.process_time() - start, 4), "asserts": assertions.made}
    return {**record, **_outcome(result, leaked)}


def _outcome(result, leaked: str | None) -> dict:
    bad = [text for _, text in [*result.failures, *result.errors]] + ([leaked] if leaked else [])
    if bad:
        status = "too slow" if "TooSlow" in bad[0] else "failed"
        return {"status": status, "text": bad[0][-6000:], "last": _last_line(bad[0])}
    if result.unexpectedSuccesses:
        return {"status": "failed", "last": "unexpected success"}
    return {"status": "skipped" if result.skipped else "expected failure" if result.expectedFailures else "passed"}


def _last_line(text: str) -> str:
    """The line of a traceback that names the exception."""
    lines = [line for line in text.strip().splitlines() if line and not line.startswith(" ")]
    named = [line for line in lines if ": " in line or line.endswith("Error")]
    return (named or lines or [""])[-1][:400]


MARKS = ("__unittest_skip__", "__unittest_skip_why__", "__unittest_expecting_failure__")


def _stage(case) -> bool:
    """Whether the method of a test can be staged: it is called through `to_static` then."""
    name = getattr(case, "_testMethodName", "")
    method = getattr(case, name, None)
    known = type(case).__module__ not in ("doctest", "unittest.case", "unittest.loader")
    if not known or not isinstance(method, types.MethodType) or not isinstance(method.__func__, types.FunctionType):
        return False
    if method.__func__.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ITERABLE_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return False

    def staged():
        with warnings.catch_warnings():
            static = dy2st.jit.to_static(method)
        return static()

    vars(staged).update({mark: getattr(method, mark) for mark in MARKS if hasattr(method, mark)})
    setattr(case, name, staged)
    return True
