"""What is kept between calls: so many Programs, so much memory, and nothing once it is released."""

import gc
import tracemalloc
import warnings
import weakref

import numpy as np
import pytest

import dy2st
from dy2st import jit, nn
from dy2st.config import limits
from dy2st.errors import Dy2stWarning
from dy2st.jit.interface.recent import LRUCache
from dy2st.runtime.engine.buffers import LEAST_CALLS, MOST_CALLS, POOLED, SWEEP
from dy2st.static import InputSpec

ROWS = 1000
TEMPORARIES = ROWS * 256 * 4  # bytes of one


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([64, 256])

    def forward(self, x):
        return (nn.functional.relu(dy2st.matmul(x, self.weight)) * 2.0).sum()


def loaded(path):
    jit.save(jit.to_static(Net(), input_spec=[InputSpec([None, 64], "float32")]), path)
    return jit.load(path)


def frozen(model):
    """What is compiled from hints runs on the tape, operator by operator, where a gradient may be asked for."""
    for parameter in model.parameters():
        parameter.stop_gradient = True
    return model


def traced():
    return frozen(jit.trace(Net(), dy2st.ones([ROWS, 64])))


def loaded_module(tmp_path):
    jit.save(traced(), str(tmp_path / "net.dy2st"))
    return frozen(jit.load(str(tmp_path / "net.dy2st")))


def loaded_function(tmp_path):
    weight = dy2st.ones([64, 256])
    jit.save(jit.trace(lambda x: dy2st.tanh(dy2st.matmul(x, weight)).sum(), dy2st.ones([ROWS, 64])), str(tmp_path / "f.dy2st"))
    return jit.load(str(tmp_path / "f.dy2st"))


MODELS = {
    "static": lambda tmp_path: jit.to_static(Net()).forward,
    "loaded": lambda tmp_path: loaded(tmp_path / "net"),
    "traced": lambda tmp_path: traced(),
    "loaded module": loaded_module,
    "loaded function": loaded_function,
}


def kept_by(call, release) -> tuple[int, int]:
    """How much memory is allocated after a call, beyond that before it, and after `release`."""
    call()
    release()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        call()
        after = tracemalloc.get_traced_memory()[0] - before
        release()
        return after, tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind, training", [*((kind, False) for kind in MODELS), ("static", True), ("loaded", True)])
def test_release_gives_back_what_calls_keep(kind, training, tmp_path):
    model, x = MODELS[kind](tmp_path), dy2st.ones([ROWS, 64])
    x.stop_gradient = not training

    def call():
        y = model(x)
        if training:
            y.backward()
            x.grad = None

    kept, left = kept_by(call, model.release)
    assert kept >= TEMPORARIES > 100_000 > left
    assert model(x).item() == model(x).item(), "and it runs as before"


def test_nothing_is_kept_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(limits, "pooled_bytes", TEMPORARIES // 2)
    model, x = jit.to_static(Net()).forward, dy2st.ones([ROWS, 64])
    kept, _ = kept_by(lambda: model(x), model.release)
    assert kept < 100_000




def test_the_programs_called_last_are_kept_and_a_warning_says_so_once(monkeypatch):
    monkeypatch.setattr(limits, "programs", 3)
    function, x = jit.to_static(lambda x, n: x * n), dy2st.ones([2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (1, 2, 3, 1, 2, 3):
            assert function(x, n).tolist() == [n, n]
    first = {n: weakref.ref(p) for n, p in zip((1, 2, 3), function.program_cache)}
    function(x, 1)
    with pytest.warns(Dy2stWarning, match="more than 3 times.*limits.programs") as warned:
        for n in (4, 5):
            assert function(x, n).tolist() == [n, n]
    assert len(warned) == 1 and warned[0].filename == __file__
    programs = function.program_cache
    assert len(programs) == 3 and first[1]() in programs, "2 and 3 were called longer ago"
    assert first[2]() not in programs and first[3]() not in programs
    for n in range(6, 40):
        assert function(x, n).tolist() == [n, n]
    assert len(function.program_cache) == 3


def test_so_are_those_of_one_kind_of_arguments_and_another_state(monkeypatch):
    monkeypatch.setattr(limits, "programs", 2)

    class Scaled(nn.Layer):
        scale = 1

        def forward(self, x):
            return x * self.scale

    net = Scaled()
    static, x = jit.to_static(net), dy2st.ones([2])
    with pytest.warns(Dy2stWarning, match="limits.programs"):
        for scale in range(1, 6):
            net.scale = float(scale)
            assert static(x).tolist() == [scale, scale]
    assert len(static.forward.program_cache) == 2


def test_a_program_that_goes_gives_its_memory_back(monkeypatch):
    monkeypatch.setattr(limits, "programs", 1)
    function = jit.to_static(lambda x, n: ((x * n) + 1.0).sum())
    x = dy2st.ones([ROWS, 256])
    function(x, 1)
    (program,) = function.program_cache
    assert program.executable.pooled_bytes >= TEMPORARIES
    with pytest.warns(Dy2stWarning):
        function(x, 2)
    assert program.executable.pooled_bytes == 0


def test_forms_for_gradients_are_bounded_too(monkeypatch):
    monkeypatch.setattr(limits, "programs", 2)
    function = jit.to_static(lambda a, b, c: a * b + b * c + c * a)
    (program,) = [function.get_concrete_program(*[InputSpec([2], "float32")] * 3)]
    for needed in [(True, False, False), (False, True, False), (False, False, True), (True, True, True)]:
        inputs = [dy2st.to_tensor(np.ones(2, "float32"), stop_gradient=not need) for need in needed]
        program(inputs).sum().backward()
        assert [x.grad is not None for x in inputs] == list(needed)
    assert len(program.gradients._pairs.keys()) == len(program.gradients.flags._flows.keys()) == 2


def test_what_was_used_last_stays(monkeypatch):
    monkeypatch.setattr(limits, "programs", 2)
    kept, made = LRUCache(), []
    for key in "abacab":
        assert kept.get_or_create(key, lambda key=key: made.append(key) or key.upper()) == key.upper()
    assert made == ["a", "b", "c", "b"] and kept.keys() == ["a", "b"]


# --- what is kept follows the recent calls (L-07) ---


def chain(x):
    return (dy2st.exp(x) * dy2st.tanh(x) - dy2st.exp(x)).sum()


def of_rows(rows):
    return dy2st.ones([rows, 256])


def pooled():
    return sum(POOLED.sizes.values())


@pytest.fixture
def nothing_else():
    """No memory is kept for Programs of other tests."""
    POOLED.release()


@pytest.mark.parametrize("spec", [None, [InputSpec([None, 256])]], ids=["a Program for each shape", "one for all"])
@pytest.mark.parametrize("small", [2, ROWS // 2], ids=["no large temporaries", "some"])
def test_l_07_a_few_small_calls_give_the_memory_of_a_large_one_back(spec, small, nothing_else):
    static = jit.to_static(chain, input_spec=spec)
    with dy2st.no_grad():
        static(of_rows(8 * ROWS))
        assert pooled() >= 16 * TEMPORARIES
        for _ in range(20):
            static(of_rows(small))
    assert pooled() <= 3 * small * 1024, "only what the small calls need"


def test_l_07_lengths_that_differ_a_little_leave_what_the_longest_of_the_last_calls_needs(nothing_else):
    static = jit.to_static(chain, input_spec=[InputSpec([None, 256])])
    with dy2st.no_grad():
        for rows in [ROWS, *[ROWS // 2, ROWS // 3] * 20]:
            static(of_rows(rows))
    assert 0 < pooled() <= 3 * TEMPORARIES // 2


def test_l_07_memory_that_every_call_uses_stays():
    static, x = jit.to_static(chain), of_rows(ROWS)
    with dy2st.no_grad():
        static(x)
        executable = static.concrete_program.executable
        held = id(executable._sources.pools()[0]._free[0])
        for _ in range(3 * MOST_CALLS):
            static(x)
        assert id(executable._sources.pools()[0]._free[0]) == held


def test_l_07_functions_that_take_turns_keep_theirs(nothing_else):
    """Each is called less often than LEAST_CALLS: from its second use on, its memory stays for as long as it takes."""
    functions = [jit.to_static(lambda x, n=n: (dy2st.exp(x) * n - dy2st.tanh(x)).sum()) for n in range(3 * LEAST_CALLS)]
    x = of_rows(ROWS // 4)
    with dy2st.no_grad():
        for _ in range(3):
            for function in functions:
                function(x)
    assert len(POOLED.sizes) == len(functions)
    small = jit.to_static(lambda x: x + 1)
    for _ in range(6 * LEAST_CALLS + 2 * SWEEP):
        small(dy2st.ones([1]))
    assert pooled() == 0


def test_l_07_the_limit_is_one_for_all_programs(monkeypatch, nothing_else):
    monkeypatch.setattr(limits, "pooled_bytes", 5 * TEMPORARIES)
    static = jit.to_static(chain)
    with dy2st.no_grad():
        for _ in range(2):
            for rows in range(ROWS, ROWS + 6):
                static(of_rows(rows))
                assert pooled() <= 5 * TEMPORARIES
    assert pooled() > 0


def test_l_07_a_program_that_is_gone_leaves_nothing(nothing_else):
    static = jit.to_static(chain)
    with dy2st.no_grad():
        static(of_rows(ROWS))
    assert pooled() > 0
    del static
    gc.collect()
    assert pooled() == 0
