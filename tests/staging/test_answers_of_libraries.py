"""What objects of this package, files and modes say may be something else at the next call: a static function asks them again."""

from __future__ import annotations

import decimal
import glob
import os
import pathlib
import shutil
import tempfile
import weakref

import pytest

import dy2st as paddle
from dy2st import nn
from dy2st.errors import ConversionError

pytestmark = pytest.mark.filterwarnings("ignore::dy2st.errors.Dy2stWarning")
X = paddle.to_tensor([1.0, 2.0])


class Data(paddle.io.Dataset):
    length = 4

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        return i


class Rate(paddle.optimizer.lr.LRScheduler):
    def get_lr(self):
        return self.base_lr * (self.last_epoch + 1)


class Things:
    """Objects of this package, and how to change what they say."""

    def __init__(self, folder):
        self.path, self.link = folder / "flag", folder / "link"
        self.link.symlink_to("short")
        self.net = nn.Linear(1, 1)
        self.data, self.metric = Data(), paddle.metric.Accuracy()
        self.batches, self.loader = paddle.io.BatchSampler(self.data, batch_size=1), paddle.io.DataLoader(self.data, batch_size=2)
        self.decay, self.rate = paddle.optimizer.lr.StepDecay(1.0, 1, 0.5), Rate(1.0)
        self.sgd = paddle.optimizer.SGD(0.1, parameters=self.net.parameters())
        self.scheduled = paddle.optimizer.SGD(self.decay, parameters=self.net.parameters())
        self.dying = Data()
        self.ref = weakref.ref(self.dying)

    def change(self):
        self.path.write_text("abcde")
        self.path.chmod(0o755)
        self.link.unlink()
        self.link.symlink_to("much_longer")
        os.chdir(self.path.parent)
        tempfile.tempdir = str(self.path.parent)
        self.metric.update(paddle.to_tensor([[1.0], [0.0]]))
        self.batches.batch_size = 2
        Data.length = 8
        self.sgd.set_lr(0.5)
        self.decay.step()
        self.rate.step()
        self.net.eval()
        self.net.register_buffer("another", X)
        self.net.weight.name = "another_name"
        self.net.weight.stop_gradient = True
        self.dying = None
        decimal.getcontext().prec = 5


READS = {
    "accumulate": lambda t: t.metric.accumulate(),
    "len of batches": lambda t: len(t.batches),
    "len of a loader": lambda t: len(t.loader),
    "batch size": lambda t: t.batches.batch_size,
    "len of data": lambda t: len(t.data),
    "rate": lambda t: t.sgd.get_lr(),
    "scheduled rate": lambda t: t.scheduled.get_lr(),
    "called scheduler": lambda t: t.decay(),
    "last_lr": lambda t: t.decay.last_lr,
    "epoch by getattr": lambda t: getattr(t.decay, "last_" + "epoch"),
    "state of a scheduler": lambda t: t.decay.state_dict()["last_epoch"],
    "scheduler of the user's": lambda t: t.rate() + t.rate.get_lr(),
    "training": lambda t: 1 if t.net.training else 2,
    "buffers": lambda t: len(list(t.net.named_buffers())),
    "state dict": lambda t: len(t.net.state_dict()),
    "frozen": lambda t: len([p for p in t.net.parameters() if not p.stop_gradient]),
    "frozen weight": lambda t: 1 if t.net.weight.stop_gradient else 2,
    "trainable weight": lambda t: 1 if t.net.weight.trainable else 2,
    "by getattr": lambda t: 1 if getattr(t.net.weight, "stop_gradient") else 2,
    "name": lambda t: len(t.net.weight.name),
    "exists": lambda t: 1 if os.path.exists(t.path) else 2,
    "is a file": lambda t: 1 if os.path.isfile(str(t.path)) else 2,
    "size": lambda t: os.path.getsize(t.path) if os.path.exists(t.path) else 2,
    "exists of pathlib": lambda t: 1 if t.path.exists() else 2,
    "made path": lambda t: 1 if pathlib.Path(str(t.path)).is_file() else 2,
    "named": lambda t: 1 if os.path.exists(path=t.path) else 2,
    "may be read": lambda t: 1 if os.access(t.path, os.R_OK) else 2,
    "working folder": lambda t: len(os.getcwd()),
    "size in a result": lambda t: os.stat(t.path).st_size if os.path.exists(t.path) else 2,
    "link": lambda t: len(os.readlink(t.link)),
    "program": lambda t: 1 if shutil.which("flag", path=str(t.path.parent)) is None else 2,
    "folder for files": lambda t: len(tempfile.gettempdir()),
    "precision": lambda t: decimal.getcontext().prec,
    "lives": lambda t: 1 if t.ref() is not None else 2,
    "of what may die": lambda t: t.ref().length if t.ref() is not None else 2,
}


@pytest.fixture
def things(tmp_path, monkeypatch):
    monkeypatch.setattr(Data, "length", 4)
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    monkeypatch.chdir("/")
    with decimal.localcontext():
        yield Things(tmp_path)


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_library_is_asked_at_each_call(things, read):
    def function(x):
        return x * read(things)

    static = paddle.jit.to_static(function)
    for _ in range(2):
        assert static(X).tolist() == function(X).tolist() == static(X).tolist()
        things.change()


LISTS = [lambda f: len([*os.scandir(f)]), lambda f: len([*os.walk(f)][0][2]), lambda f: len(glob.glob(f"{f}/*"))]


NET = nn.Linear(2, 2)


def of_a_result(x):
    return x * (2 if NET(x).stop_gradient else 3)


def of_an_input(x):
    return x * (2 if (x * 2).stop_gradient else 3)


def under_no_grad(x):
    with paddle.no_grad():
        y = NET(x)
    return x * (2 if y.stop_gradient else 3)


def detached(x):
    return x * (2 if NET(x).detach().stop_gradient else 3)


def of_integers(x):
    return x * (2 if NET(x).astype("int64").stop_gradient else 3)


def asked(x):
    return x * (2 if paddle.is_grad_enabled() else 3)


def asked_inside(x):
    with paddle.enable_grad():
        return x * (2 if paddle.is_grad_enabled() else 3)


@pytest.mark.parametrize("function", [of_a_result, of_an_input, under_no_grad, detached, of_integers, asked, asked_inside])
def test_whether_gradients_flow(function):
    static = paddle.jit.to_static(function)
    for stops in (True, False):
        x = paddle.to_tensor([1.0, 2.0], stop_gradient=stops)
        for is_on in (True, False):
            for is_frozen in (False, True):
                NET.weight.stop_gradient = NET.bias.stop_gradient = is_frozen
                with paddle.set_grad_enabled(is_on):
                    assert static(x).tolist() == function(x).tolist() == static(x).tolist()


def joined(x):
    y = NET(x)
    if x.sum() > 0:
        y = y * 2
    return x * (2 if y.stop_gradient else 3)


def looped(x):
    y = x
    while y.sum() < 5:
        y = y + NET.weight.sum() ** 2 + 1
    return x * (2 if y.stop_gradient else 3)


def in_the_loop(x):
    y = x
    while y.sum() < 5:
        y = y + NET.weight.sum() ** 2 + (1 if y.stop_gradient else 2)
    return y


def listed(x):
    made = []
    for _ in range(int(x.sum())):
        made.append(NET(x))
    return x * (2 if made[0].stop_gradient else 3)


def of_one_path(x):
    y = x * NET.weight.sum() if x.sum() > 0 else x
    return x * (2 if (y + 1).stop_gradient else 3)


def detached_of_many(x):
    y = x * NET.weight.sum() if x.sum() > 0 else x
    return x * (2 if y.detach().stop_gradient else 3)


@pytest.mark.parametrize("function", [joined, looped, in_the_loop, listed, of_one_path, detached_of_many])
@pytest.mark.parametrize("is_frozen", [True, False])
def test_whether_gradients_flow_to_what_control_flow_gives_is_told_or_refused(function, is_frozen):
    NET.weight.stop_gradient = NET.bias.stop_gradient = is_frozen
    NET.weight.set_value(paddle.ones([2, 2]))
    try:
        found = paddle.jit.to_static(function)(X).tolist()
    except ConversionError as error:
        assert "stop_gradient" in str(error) and not is_frozen
    else:
        assert found == function(X).tolist()
