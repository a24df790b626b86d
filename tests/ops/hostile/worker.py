"""Makes hostile calls in this process, which may crash, hang or run out of memory: `__main__` watches it."""

from __future__ import annotations

import copy
import json
import os
import resource
import signal
import sys
import warnings
from typing import Any

import numpy as np
import numpy.ma
from ops.hostile.cases import Case, Guarded, all_cases, call_of
from ops.hostile.ways import SAMPLES, WAYS, NotThisWay

from dy2st.errors import Dy2stError, InternalError
from dy2st.ops.registry import OPERATORS

MEMORY = 2 << 30  # bytes above what the process has when it starts
SECONDS = 2.0  # for one call
PLAIN = (  # what Python and NumPy raise where a value doesn't fit
    ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, OverflowError, MemoryError, AttributeError, RecursionError,
)  # fmt: skip
ADDRESSES = (  # their numbers say where in memory: what is wrong with those, dy2st says itself
    *("as_strided", "as_strided_copy", "as_strided_scatter", "strided_add", "reference.tensors", "conv2d", "conv2d_input_grad"),
    *("conv2d_weight_grad", "max_pool2d", "max_pool2d_indices", "avg_pool2d", "avg_pool2d_grad", "adaptive_avg_pool2d"),
    *("adaptive_avg_pool2d_grad", "repeat_interleave", "tile", "concat", "gather", "take_along_axis", "put_along_axis"),
    *("index_add", "getitem", "getitem_copy", "getitem_advanced", "setitem", "setitem_copy", "setitem_add", "embedding"),
    *("embedding_spread", "nll", "nll_spread", "diagonal", "diagonal_copy", "diagonal_scatter", "fit_length", "mirror_weights"),
    *("spectrum_like", "pad", "pad_fold", "one_hot", "topk", "list.stack", "list.concat_tensors", "stack"),
)
ENDLESS = ("py.pow", "math.call")  # numbers of any length: a Program may compute for ever, as Python may
FORBIDDEN = ("exec", "compile", "open", "import", "os.", "subprocess.", "ctypes.", "socket.", "shutil.", "pickle.", "marshal.")


class TooLong(BaseException):
    pass


class Watch:
    """Which calls of the interpreter were made that a kernel has no business with."""

    def __init__(self) -> None:
        self.active, self.seen = False, ""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: tuple) -> None:
        if self.active and event.startswith(FORBIDDEN):
            self.seen = f"{event} {args[0] if args else ''}"


def fault_of(case: Case, watch: Watch) -> str | None:
    """What is wrong with how a call ended; None where all is well, "" where the call can't be made in this way."""
    operands, attrs, value = call_of(case)
    guarded = Guarded()
    try:
        call = WAYS[case.way](case.operator, [guarded.guard(x) for x in operands], attrs, case.place)
    except NotThisWay:
        return ""
    watch.seen, given = "", None
    watch.active = case.way in ("kernel", "eager")  # loading a file compiles source, our own
    try:
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        given = call()
        signal.setitimer(signal.ITIMER_REAL, 0)
    except TooLong:
        return None if case.operator in ENDLESS else "too long"
    except InternalError as error:
        return f"raised {error!r}"
    except Dy2stError:
        pass
    except PLAIN as error:
        by_number = case.operator in ADDRESSES and case.way in ("kernel", "eager") and isinstance(case.place[0], str)
        if by_number and type(value) is int and not isinstance(error, MemoryError | IndexError):
            return f"not in our words: {error!r}"
    except BaseException as error:
        return f"raised {error!r}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        watch.active = False
    return f"ran {watch.seen}" if watch.seen else guarded.damage(given)


def _interrupt(*_: Any) -> None:
    raise TooLong


def prepare() -> Watch:
    """All that is imported when it is first needed is there; memory is limited."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    signal.signal(signal.SIGALRM, _interrupt)
    sys.stdout = open(os.devnull, "w")  # what `io.print` prints
    for name in ("fft_c2c", "einsum", "qr", "io.print"):
        sample = copy.deepcopy(SAMPLES[name][0])
        OPERATORS[name].kernel(*sample.operands, **sample.attrs)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    return Watch()


def main() -> None:
    """Arguments as JSON: where to start, what `all_cases` takes, the descriptor for progress."""
    start, chosen, progress = json.loads(sys.argv[1])
    cases = all_cases(*chosen)
    watch = prepare()
    done = 0
    for number in range(start, len(cases)):
        os.pwrite(progress, number.to_bytes(8, "little"), 0)
        fault = fault_of(cases[number], watch)
        done += fault != ""
        if fault:
            os.write(2, (json.dumps([number, fault[:300]]) + "\n").encode())
    os.write(2, (json.dumps(["done", done]) + "\n").encode())


if __name__ == "__main__":
    main()
