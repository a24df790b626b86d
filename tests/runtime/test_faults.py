"""A fault of this package is an InternalError that names its place, wherever it arises while the user's code is staged."""

from __future__ import annotations

import builtins
import contextlib
import functools
import json
import sys
import traceback
from collections import defaultdict

import numpy as np
import pytest
from support import parts_of_models
from support.planting import functions_in, planted
from support.sampling import sampled

import dy2st as paddle
from dy2st import jit, runtime
from dy2st.errors import ConversionError, InternalError
from dy2st.runtime import taped
from dy2st.runtime.convert.operations import access
from dy2st.runtime.engine import operators as engine_operators
from dy2st.runtime.heap.elements import Elements
from dy2st.runtime.where import faults, per_code
from dy2st.runtime.where.faults import as_the_user, is_fault, speaks_for_the_user
from dy2st.static import InputSpec

SPECS = [InputSpec([3], "float32"), InputSpec([], "int64")]
X, N = np.array([1, 2, 3], np.float32), np.int64(2)
ROOMS = (
    "where tensors library engine proxies heap joining recorder outside control "
    "convert/operations convert/iteration convert/builtins convert/calls stage"
).split()
FEWEST = {"where": 5, "library": 1, "outside": 15, "joining": 15, "convert/operations": 40, "convert/calls": 25}
LOOKING = {id(f) for f in (*vars(faults).values(), *vars(per_code.Notes).values())}  # what looks for faults finds none in itself


# --- the user's code around it: his `except KeyError` must not catch it ---------------------------------------------------


def in_a_branch(part):
    def model(x, n):
        y, k = x, int(n)
        if x.sum() > 0:
            try:
                part(x, k)
            except KeyError:
                y = x * 0
        return y

    return model


def in_a_loop(part):
    def model(x, n):
        y, k = x, int(n)
        for _ in range(k):
            try:
                part(x, k)
            except (KeyError, IndexError):
                y = x * 0
        return y

    return model


def in_a_try(part):
    def model(x, n):
        y, k = x, int(n)
        try:
            part(x, k)
        except Exception:
            y = x * 0
        finally:
            y = y + 0
        return y

    return model


PLACES = {f.__name__: f for f in (in_a_branch, in_a_loop, in_a_try)}
MODELS = {(part.__name__, name): place(part) for part in parts_of_models.PARTS for name, place in PLACES.items()}


def first_call(model):
    """A function that stages a model and runs it."""
    parts_of_models.SEEN = {"calls": 0, "last": None}  # a fault in what takes back may leave the old one as it was staged
    static, x, n = jit.to_static(model, input_spec=SPECS), paddle.to_tensor(X), paddle.to_tensor(N)
    return lambda: static(x, n)


def values(model):
    return first_call(model)().numpy().tolist()


@functools.cache
def callers():
    """The functions of each room that are called when these models are staged and run, and by which models."""
    known = {id(f.__code__): f for f in functions_in(runtime)}
    found = defaultdict(lambda: defaultdict(list))
    for key, model in MODELS.items():
        for function in map(known.get, codes_called(model) & known.keys()):
            if id(function) not in LOOKING and not faults._speaking.get(function.__code__):
                path = function.__code__.co_filename.replace("\\", "/").rpartition("/runtime/")[2]
                room = path.rpartition("/")[0]
                found[room][path, function.__code__.co_firstlineno, function].append(key)
    return found


def codes_called(model):
    assert values(model) == X.tolist()  # what is found out once is known from here on
    call, seen, before = first_call(model), set(), sys.gettrace()
    sys.settrace(lambda frame, event, argument: seen.add(id(frame.f_code)))
    try:
        call()
    finally:
        sys.settrace(before)
    return seen


@pytest.mark.long
@pytest.mark.parametrize("room", ROOMS)
def test_s_05_a_fault_in_any_room_names_its_place(room):
    called = sorted(callers()[room].items(), key=lambda item: item[0][:2])
    assert len(called) >= FEWEST.get(room, 10)
    for number, ((path, _, function), models) in enumerate(sampled(called, 3)):
        model = MODELS[models[number % len(models)]]
        call = first_call(model)
        with planted(function), pytest.raises(InternalError) as caught:
            call()
        message = str(caught.value)
        assert f"KeyError: 'planted', at dy2st/runtime/{path}:" in message and f", in {function.__code__.co_name};" in message
        assert isinstance(caught.value.__cause__, KeyError)
        assert values(model) == X.tolist()


def test_s_05_the_message_begins_with_the_line_of_the_user():
    call = first_call(MODELS["lists", "in_a_loop"])
    with planted(access.At.__getitem__), pytest.raises(InternalError, match=r"parts_of_models.py:\d+: dy2st has failed here"):
        call()


def test_a_fault_on_the_tape_is_not_caught_by_the_program(monkeypatch):
    table = {1: 2.0, 2: 3.0}

    def model(x, n):
        y = x
        try:
            y = x * table[int(n)]
        except KeyError:
            y = x * 0
        return y.sum()

    static = jit.to_static(model, input_spec=SPECS)
    x = paddle.to_tensor(X, stop_gradient=False)
    assert float(static(x, paddle.to_tensor(N))) == 18
    assert float(static(x, paddle.to_tensor(np.int64(7)))) == 0
    with planted(taped.operate), pytest.raises(InternalError, match="at dy2st/runtime/taped.py:[0-9]+, in operate"):
        static(x, paddle.to_tensor(N))


def test_a_fault_while_source_is_generated_names_its_place(tmp_path):
    def model(x, n):
        return x * 2 + n

    static = jit.to_static(model, input_spec=SPECS)
    jit.save(static, str(tmp_path / "model"))
    place = "at dy2st/runtime/engine/operators.py:[0-9]+, in emit_operator"
    with planted(engine_operators.emit_operator):
        with pytest.raises(InternalError, match=place):
            static(paddle.to_tensor(X), paddle.to_tensor(N))
        with pytest.raises(InternalError, match=place):
            jit.load(str(tmp_path / "model"))(X, N)
    assert static(paddle.to_tensor(X), paddle.to_tensor(N)).numpy().tolist() == [4, 6, 8]


def test_no_manager_swallows_a_fault_or_a_refusal():
    def refused(x, n):
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.suppress(Exception))
            x = x * len(input())
        return x

    def indexed(x, n):
        items = [1]
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.suppress(Exception))
            x = x * items[0]
        return x

    with pytest.raises(ConversionError, match="input"):
        values(refused)
    call = first_call(indexed)
    with planted(access.At.__getitem__), pytest.raises(InternalError, match="access.py"):
        call()


# --- what tells a fault -----------------------------------------------------------------------------------------------------


def compiled_in_the_runtime(text, name="function"):
    """A function of the runtime, as far as its file tells."""
    names = {"operator": __import__("operator"), "as_the_user": as_the_user, "json": json}
    exec(compile(text, faults.__file__.replace("faults.py", "unheard_of.py"), "exec"), names)
    return names[name]


def raised_by(function, *arguments):
    with pytest.raises(Exception) as caught:
        function(*arguments)
    return caught.value


FAULTS = {
    "a lookup": "def function(): return {}['k']",
    "an attribute": "def function(): return None.k",
    "a call of C": "def function(): return int('k')",
    "an operator": "def function(): return 1 + 'k'",
    "a name": "def function(): return unheard_of",
    "an assertion": "def function():\n    assert False, 'never'",
    "what Python's library is given": "def function(): return json.loads('{')",
    "in a clause that ends": "def function():\n    try:\n        return {}['k']\n    finally:\n        json",
    "raised again": "def function():\n    try:\n        return {}['k']\n    except KeyError:\n        raise",
}
MEANT = {
    "raised": "def function(): raise KeyError('k')",
    "raised from another": "def function():\n    try:\n        {}['k']\n    except KeyError as e:\n        raise OSError from e",
    "done for the user": "def function(): return as_the_user(operator.getitem, {}, 'k')",
    "done for the user, by the library": "def function(): return as_the_user(json.loads, '{')",
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_fails_by_itself_is_a_fault(name):
    assert is_fault(raised_by(compiled_in_the_runtime(FAULTS[name])))


@pytest.mark.parametrize("name", MEANT)
def test_what_is_raised_or_done_for_the_user_is_none(name):
    assert not is_fault(raised_by(compiled_in_the_runtime(MEANT[name])))


def test_what_the_user_hands_over_is_his():
    assert not is_fault(raised_by(compiled_in_the_runtime("def function(f): return f()"), lambda: {}["k"]))
    assert is_fault(raised_by(compiled_in_the_runtime("def function(f): return f()"), None))


def test_a_function_that_speaks_for_the_user_does_so_with_those_inside_it():
    outer = speaks_for_the_user(compiled_in_the_runtime("def function():\n    return lambda: {}['k']"))
    assert not is_fault(raised_by(outer()))


@pytest.mark.parametrize("error", [RecursionError(), MemoryError(), ConversionError("refused"), UserWarning("w")])
def test_what_may_befall_any_line_is_none(error):
    def befall():
        raise error

    assert not is_fault(raised_by(compiled_in_the_runtime("def function(f): return [f() for _ in '1']"), befall))


def test_ctrl_c_is_none():
    with pytest.raises(KeyboardInterrupt) as caught:
        compiled_in_the_runtime("def function(): raise KeyboardInterrupt")()
    assert not is_fault(caught.value)


def test_each_plant_fails_where_it_stands():
    function = Elements.link
    before = function.__code__
    with planted(function):
        assert repr(error := raised_by(function, None, None)) == "KeyError('planted')"
    assert function.__code__ is before
    place = traceback.extract_tb(error.__traceback__)[-1]
    assert place.filename == before.co_filename and before.co_firstlineno < place.lineno < before.co_firstlineno + 9


def called_late():
    return 3


def replaces_import():
    real = builtins.__import__
    builtins.__import__ = lambda name, *where: name
    try:
        number = called_late()
        import nothing_at_all

        [][number]
    except IndexError:
        number += 1
    finally:
        builtins.__import__ = real
    return number, nothing_at_all


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="its linecache imports os and tokenize where it is called")
def test_staging_imports_nothing_through_an_import_of_the_users():
    assert paddle.jit.to_static(replaces_import)() == (4, "nothing_at_all")
