"""Calls that read the clock are refused; those that reckon with a time that is given, or search a text, are not (R-05)."""

from __future__ import annotations

import datetime
import re
import time
import uuid

import pytest

import dy2st as paddle
from dy2st.errors import ConversionError

from .agreement import assert_agrees, functions_of

DAY = datetime.date(2020, 1, 2)
LETTERS = re.compile("a+")


def r_05_dates(x, n):
    then = datetime.datetime(2020, 1, 2, 3, 4) + datetime.timedelta(days=1)
    spelled = DAY.strftime("%Y-%m-%d"), str(then), DAY.replace(day=3).isoformat()
    return spelled, DAY.weekday(), DAY.isocalendar()[1], then.date() > DAY


def r_05_times(x, n):
    start = time.gmtime(0)
    return start.tm_year, time.strftime("%H:%M", start), time.asctime(start), time.strptime("2020", "%Y").tm_year


def r_05_on_one_path(x, n):
    found, day, text = "", 0, b""
    if n > 0:
        found = LETTERS.sub("b", "caat")
        day = DAY.weekday()
        text = (5).to_bytes(2, "big")
        found += LETTERS.match("aab").group(0)
    return found, day, text.hex() if n > 5 else ""


def r_05_identifiers(x, n):
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, "python.org")), uuid.UUID(int=5).int


@pytest.mark.parametrize("function", functions_of(globals()), ids=lambda f: f.__name__)
def test_what_does_not_read_the_clock(function):
    assert_agrees(function)


@pytest.mark.parametrize("call", [
    time.time, time.time_ns, time.monotonic, time.perf_counter, time.gmtime, time.localtime, time.ctime, time.asctime,
    lambda: time.gmtime(None), lambda: time.strftime("%Y"), lambda: time.sleep(0), datetime.datetime.now, datetime.date.today,
    lambda: datetime.datetime.now(datetime.timezone.utc), uuid.uuid4, uuid.uuid1,
])  # fmt: skip
def test_r_05_a_program_that_is_kept_does_not_read_the_clock(call):
    with pytest.raises(ConversionError, match="pass the (time|identifier) in"):
        paddle.jit.to_static(lambda: call(), input_spec=[]).concrete_program
