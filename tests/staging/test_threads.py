"""Threads share static functions, layers and loaded models: what a call gives is what plain Python gives."""

from __future__ import annotations

import random
import sys
import threading
import time
import warnings
from collections import Counter

import numpy as np
import pytest
from support.sampling import amount

import dy2st as paddle
from dy2st import jit, nn
from dy2st.config import limits
from dy2st.errors import Dy2stWarning
from dy2st.jit.interface.recent import LRUCache
from dy2st.jit.static import static_function
from dy2st.runtime.staging_lock import StagingLock, _runs
from dy2st.static import InputSpec

THREADS = 32
KEPT = 4  # Programs, where the calls have three times as many shapes
CALLS = amount(10_000, 512)  # in the day's run 128, of which a test makes one in each thread


@pytest.fixture(autouse=True)
def threads_change_often(monkeypatch):
    """Python goes to another thread after a microsecond; few Programs are kept."""
    monkeypatch.setattr(limits, "programs", KEPT)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)  # that it is staged often
        yield
    sys.setswitchinterval(before)


def in_threads(work, calls=CALLS):
    """Call `work(length)` with one of many lengths, in all threads at once; what went wrong, and how often."""
    wrong: Counter = Counter()
    barrier = threading.Barrier(THREADS)

    def run(seed):
        drawn = random.Random(seed)
        barrier.wait()
        for _ in range(calls // THREADS):
            try:
                work(drawn.randrange(1, 3 * KEPT + 1))
            except Exception as error:
                wrong[repr(error)[:300]] += 1

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def array(length):
    return np.linspace(-1, 2, 3 * length, dtype="float32").reshape(length, 3)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x)
        if y.sum() > 0:
            y = y * 2
        return y.tanh()


class Counting(Net):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.seen = []
        self.last = None

    def forward(self, x):
        self.calls += 1
        self.seen.append(x.shape[0])
        self.last = x[:1] + self.calls
        return super().forward(x)


@pytest.mark.long
def test_l_05_a_static_function_gives_the_right_results_in_32_threads_with_more_shapes_than_are_kept():
    def plain(x):
        total = x.sum()
        return (x * 2 if total > 0 else x - 1), total

    static = jit.to_static(plain)

    def work(length):
        x = paddle.to_tensor(array(length))
        for got, expected in zip(static(x), plain(x), strict=True):
            np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=1e-6)

    assert in_threads(work) == {}
    assert len(static.program_cache) <= KEPT


@pytest.mark.long
def test_l_05_the_method_of_a_layer_and_its_gradients():
    plain, net = Net(), Net()
    net.set_state_dict(plain.state_dict())
    expected = {n: gradient_of(plain, n) for n in range(1, 3 * KEPT + 1)}
    net = jit.to_static(net)

    def work(length):
        with paddle.no_grad():
            np.testing.assert_allclose(
                net(paddle.to_tensor(array(length))).numpy(), plain(paddle.to_tensor(array(length))).numpy(), rtol=1e-5, atol=1e-6
            )
        np.testing.assert_allclose(gradient_of(net, length), expected[length], rtol=1e-4, atol=1e-5)

    assert in_threads(work, CALLS // 2) == {}


def gradient_of(net, length):
    x = paddle.to_tensor(array(length), stop_gradient=False)
    return paddle.grad(net(x).sum(), [x])[0].numpy()


@pytest.mark.long
@pytest.mark.parametrize("lengths", [None, 2])
def test_l_05_a_loaded_model(tmp_path, lengths):
    net = Net()
    jit.save(net, str(tmp_path / "net"), input_spec=[InputSpec([lengths, 3])])
    loaded = jit.load(str(tmp_path / "net"))

    def work(length):
        x = array(lengths or length)
        with paddle.no_grad():
            np.testing.assert_allclose(loaded(x).numpy(), net(paddle.to_tensor(x)).numpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(
            gradient_of(loaded, lengths or length), gradient_of(net, lengths or length), rtol=1e-4, atol=1e-5
        )

    assert in_threads(work, CALLS // 2) == {}


@pytest.mark.long
def test_l_05_calls_of_a_method_that_keeps_state_come_one_after_the_other():
    net = jit.to_static(Counting())

    def work(length):
        with paddle.no_grad():
            net(paddle.to_tensor(array(length)))

    calls = CALLS // 4
    assert in_threads(work, calls) == {}
    made = calls // THREADS * THREADS
    assert type(net.calls) is int and net.calls == len(net.seen) == made
    assert all(type(n) is int for n in net.seen)
    assert float(net.last[0, 0]) == net.calls - 1


@pytest.mark.long
def test_l_05_calls_of_a_loaded_model_that_keeps_state_come_one_after_the_other(tmp_path):
    class Total(nn.Layer):
        def __init__(self):
            super().__init__()
            self.total = paddle.zeros([3])

        def forward(self, x):
            self.total = self.total + x.sum(axis=0)
            return self.total

    jit.save(Total(), str(tmp_path / "net"), input_spec=[InputSpec([None, 3])])
    loaded = jit.load(str(tmp_path / "net"))

    def work(length):
        with paddle.no_grad():
            loaded(np.ones((length % 2 + 1, 3), "float32"))

    assert in_threads(work) == {}
    drawn = [random.Random(seed) for seed in range(THREADS)]
    total = sum(d.randrange(1, 3 * KEPT + 1) % 2 + 1 for d in drawn for _ in range(CALLS // THREADS))
    np.testing.assert_array_equal(loaded(np.zeros((1, 3), "float32")).numpy(), np.full(3, total, "float32"))


def test_l_05_first_calls_at_the_same_time_stage_once(monkeypatch):
    stagings = []
    stage = static_function.stage
    monkeypatch.setattr(static_function, "stage", lambda *args, **kwargs: (stagings.append(1), stage(*args, **kwargs))[1])
    static = jit.to_static(lambda x: x * 2)
    assert in_threads(lambda length: static(paddle.to_tensor(array(2))), THREADS) == {}
    assert len(static.program_cache) == len(stagings) == 1


class Slow(nn.Layer):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        pause()
        return x * 2


INSIDE = threading.Event()


@jit.not_to_static
def pause():
    INSIDE.set()
    time.sleep(0.3)


def staging_thread(static):
    """A thread in the middle of staging."""
    INSIDE.clear()
    found = threading.Thread(target=lambda: static(paddle.to_tensor(array(1))))
    found.start()
    assert INSIDE.wait(10)
    return found


def test_l_05_a_call_with_state_waits_for_the_end_of_staging_in_another_thread():
    """Meanwhile, the attributes of the layer are staged values."""
    warnings.simplefilter("ignore")
    net = jit.to_static(Slow())
    stager = staging_thread(net)
    np.testing.assert_array_equal(net(paddle.to_tensor(array(2))).numpy(), array(2) * 2)
    stager.join()
    assert net.calls == 2 and type(net.calls) is int


def test_l_05_calls_without_state_go_on_while_another_thread_stages():
    warnings.simplefilter("ignore")
    quick = jit.to_static(lambda x: x + 1)
    quick(paddle.to_tensor(array(1)))
    stager = staging_thread(jit.to_static(Slow()))
    for _ in range(3):
        quick(paddle.to_tensor(array(1)))
    assert stager.is_alive()
    stager.join()


# --- the lock and the cache ---


def test_l_05_two_calls_with_state_that_stage_do_not_wait_for_each_other():
    lock, barrier, order = StagingLock(), threading.Barrier(2), []

    def work(name):
        with lock.stateful_call(name), lock.stateful_call(name):
            barrier.wait()
            with lock.staging(), lock.staging():
                order.append(name)

    threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in ("f", "g")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert sorted(order) == ["f", "g"]


def test_l_05_an_error_frees_the_lock():
    lock = StagingLock()
    for _ in range(2):
        with pytest.raises(ValueError, match="no"), lock.stateful_call(lock), lock.staging():
            raise ValueError("no")
    done = []
    other = threading.Thread(target=lambda: done.append(lock.staging().__enter__()))
    other.start()
    other.join(10)
    assert done == [None]
    lock.forget_other_threads()
    with lock.staging():
        pass


def frame_of_a_call():
    return sys._getframe()


def test_l_05_a_frame_runs_whatever_generator_its_thread_has_left_meanwhile():
    generator = (sys._getframe() for _ in range(1))
    suspended = next(generator)
    assert suspended.f_back is None
    assert _runs(sys._getframe(), suspended) and _runs(sys._getframe(1), suspended)
    assert not _runs(frame_of_a_call(), suspended)


def test_l_05_the_cache_of_recent_entries_keeps_the_last(monkeypatch):
    monkeypatch.setattr(limits, "programs", 2)
    cache: LRUCache[str, int] = LRUCache()
    assert [cache.get_or_create(key, lambda: len(cache.keys())) for key in "abac"] == [0, 1, 0, 2]
    assert cache.keys() == ["a", "c"] and cache.put("d", 4) == [("a", 0)]
    cache.touch("c")
    cache.touch("a")
    assert cache.items() == [("d", 4), ("c", 2)] and cache.values() == [4, 2]
