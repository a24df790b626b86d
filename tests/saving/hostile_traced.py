"""Hostile archives of traced modules and of state dicts: valid ones, changed where it tells, and sealed again.

`models()` gives the valid files, `mutated` one changed at random, and `attempt` loads and uses one: it gives what happened, or
lets an error out that no file may cause. As a script it is the campaign: `python tests/saving/hostile_traced.py 20000 [seed]`.
"""

from __future__ import annotations

import collections
import copy
import io
import json
import random as randoms
import sys
import traceback
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from saving.mutation import JUNK, look_up, mutate_bytes, mutate_tree, nodes

import dy2st
import dy2st.nn.functional as F
from dy2st import jit, nn, optimizer
from dy2st import traced_module as tm
from dy2st.errors import ModelFileError, TraceError
from dy2st.ops.registry import OPERATORS
from dy2st.saving.archive import read_archive, write_archive
from dy2st.saving.files import MODEL, PARAMS, seal
from dy2st.static import InputSpec
from dy2st.traced_module.node import Node, TensorNode
from dy2st.traced_module.tree import map_tree

# --- the valid files --------------------------------------------------------------------------------------------------


class Block(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(2, 2, 3, padding=1)
        self.norm = nn.BatchNorm2D(2)
        self.act = nn.Sequential(nn.LeakyReLU(0.1), nn.Identity())

    def forward(self, x):
        return x + self.act(self.norm(self.conv(x)))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.parts = nn.LayerList([self.first, Block()])
        self.pool = nn.AvgPool2D(2)
        self.fc = nn.Linear(8, 3)

    def forward(self, x, scale=2.0):
        for part in self.parts:
            x = part(x)
        x = F.flatten(self.pool(x), 1)
        return {"y": self.fc(x * scale), "rest": (x[:, 1:3], None)}


class Deciding(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        outs, i = [], 0
        while x.abs().max() < 20:
            x = x * 2 + self.fc(x) + 1
            outs.append(x)
            i += 1
            if i > 3:
                break
        if x.sum() < -100:
            raise ValueError("too small")
        y = x - 1 if x.sum() > 0 else -x
        return y, i, dy2st.stack(outs, 0) if len(outs) > 1 else y


@tm.wrap
def doubled(x, times=2):
    return x * times


class Wrapping(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", dy2st.zeros([3]))

    def forward(self, xs, k, *, mode="fast"):
        self.seen[:] = doubled(xs["a"][0], times=3)
        rows = xs["a"][np.array([1, 0])].astype("float64").reshape([xs["a"].shape[0], -1])
        return [rows.sum(axis=-1), F.pad(xs["b"] * k, [1, 1], value=0.5), self.seen + dy2st.to_tensor([1.0, 2.0, 3.0])]


@cache
def models() -> list[tuple[str, bytes]]:
    """(name, bytes) of one file of each kind."""
    dy2st.seed(0)
    image, row = dy2st.ones([1, 2, 4, 4]), dy2st.ones([2, 4])
    net = Net()
    convs = tm.trace_module(net, image)
    loaded = io.BytesIO()
    jit.save(jit.to_static(Deciding(), input_spec=[InputSpec([None, 4], "float32", "x")]), loaded)
    loaded.seek(0)
    opt = optimizer.Adam(optimizer.lr.StepDecay(0.1, 2), parameters=net.parameters())
    net(image)["y"].sum().backward()
    opt.step()
    found = {
        "convs": convs,
        "flat": convs.flatten(),
        "deciding": tm.trace_module(Deciding(), row),
        "wrapping": tm.trace_module(Wrapping(), {"a": dy2st.ones([2, 3]), "b": dy2st.ones([1, 4])}, 2),
        "operators": tm.from_translated(jit.load(loaded)),
        "layer state": net.state_dict(),
        "optimizer state": {"opt": opt.state_dict(), "epoch": 3, "best": [1.5, (float("inf"), None)]},
    }
    return [(name, _file(value)) for name, value in found.items()]


def _file(value: Any) -> bytes:
    buffer = io.BytesIO()
    dy2st.save(value, buffer)
    return buffer.getvalue()


# --- changing them ----------------------------------------------------------------------------------------------------


def opened(data: bytes) -> tuple[Any, dict[str, bytes]]:
    """The Info and the files of an archive."""
    info, files = read_archive(io.BytesIO(data))
    return info, {name: bytes(files[name]) for name in (MODEL, PARAMS)}


def sealed(info: Any, files: dict[str, bytes]) -> bytes:
    """An archive whose hashes are right."""
    buffer = io.BytesIO()
    write_archive(buffer, seal({name: [data] for name, data in files.items()}, info))
    return buffer.getvalue()


def changed(data: bytes, change: Any) -> bytes:
    """The archive with its JSON tree as `change(tree)` leaves it."""
    info, files = opened(data)
    tree = json.loads(files[MODEL])
    change(tree)
    files[MODEL] = json.dumps(tree).encode()
    return sealed(info, files)


METHODS = (
    "__call__", "__add__", "__getitem__", "__setitem__", "numpy", "register_hook", "backward", "apply", "tolist", "__class__",
)  # fmt: skip
FUNCTIONS = (
    "operator.add", "operator.pow", "traced_module.axis_length", "traced_module.kind_of", "dy2st.api.math.add",
    "dy2st.api.joining.concat", "dy2st.nn.functional.conv.conv2d", "dy2st.runtime.tensors.random_state.seed",
    "dy2st.api.modes.set_device", "os.system", f"{__name__}.doubled",
)  # fmt: skip
CLASSES = ("Linear", "Conv2D", "Layer", "LayerList", "Sequential", "LSTM", "BatchNorm", "Dropout", "Identity", "ParameterList")
OPS = tuple(OPERATORS)
ARGUMENTS = (
    *({"node": 0}, {"node": 3}, {"node": 10**18}, {"slice": [None, -1, None]}, {"ellipsis": None}, {"dtype": "int64"}),
    *({"tuple": []}, {"unbound": "x"}, {"no value": None}, {"dict": [["a", 1], ["a", 2]]}, {"array": "0.constant"}),
    *({"int": "0x" + "f" * 40}, 10**18),
)  # fmt: skip
_SWAPS = {
    "func": (*FUNCTIONS, *OPS), "method": METHODS, "class": CLASSES,
    "kind": ("input", "getattr", "constant", "function", "operator", "method", "if", "while", "raise"),
}  # fmt: skip
_STEP = "args kwargs outputs writes places results blocks id graph inputs body form added next".split()


def mutated(data: bytes, random: Any) -> bytes:
    """The file with something changed at random: mostly in its JSON, by what stands there."""
    way = random.random()
    if way < 0.03:
        return mutate_bytes(data, random)
    info, files = opened(data)
    if way < 0.10:
        files[PARAMS] = _other_parameters(files[PARAMS], random)
    elif way < 0.45:
        files[MODEL] = mutate_tree(files[MODEL], random).encode()
    else:
        tree = json.loads(files[MODEL])
        for _ in range(random.randint(1, 3)):
            _mutate_step(tree, random)
        files[MODEL] = json.dumps(tree).encode()
    return sealed(info, files)


def _other_parameters(data: bytes, random: Any) -> bytes:
    size = int.from_bytes(data[:8], "little")
    header = mutate_tree(data[8 : 8 + size], random).encode()
    if random.random() < 0.5:
        header = data[8 : 8 + size].replace(b"F32", random.choice([b"I32", b"F64", b"U32", b"F16"]), random.randint(1, 3))
    return len(header).to_bytes(8, "little") + header + data[8 + size :]


def _mutate_step(tree: Any, random: Any) -> None:
    """Another function, method, class, kind, number or argument where there is one; parts swapped between places of one name."""
    places = nodes(tree)
    key = random.choice([*_SWAPS, *_STEP, "leaf", "attributes"])
    if key == "leaf":
        found = [path for path in places if path and not isinstance(look_up(tree, path), (dict, list))]
        fresh = lambda old: random.choice([old + random.choice([-1, 1, 7]) if type(old) is int else old, *ARGUMENTS, *JUNK])  # noqa: E731
    else:
        found = [path for path in places if path and path[-1] == key]
        if key in _SWAPS:
            fresh = lambda old: random.choice(_SWAPS[key])  # noqa: E731
        elif random.random() < 0.5:
            fresh = lambda old: copy.deepcopy(look_up(tree, random.choice(found)))  # noqa: E731
        else:
            fresh = lambda old: _shuffled(old, random)  # noqa: E731
    if found:
        *path, last = random.choice(found)
        parent = look_up(tree, path)
        parent[last] = copy.deepcopy(fresh(parent[last]))  # later changes leave the tables alone


def _shuffled(value: Any, random: Any) -> Any:
    if isinstance(value, list):
        value = list(value)
        if value and random.random() < 0.5:
            value.pop(random.randrange(len(value)))
        else:
            value.insert(random.randint(0, len(value)), copy.deepcopy(random.choice([*ARGUMENTS, *value])))
        return value
    return random.choice([*ARGUMENTS, *JUNK])


# --- using them -------------------------------------------------------------------------------------------------------

RAW = (KeyError, IndexError, AttributeError, RecursionError, UnboundLocalError, AssertionError, NameError)
OWN = ("traced_module", "saving", "state_files.py")


def attempt(data: bytes) -> str:
    """What became of a file: "refused", "loaded", or "call: <class of the error>". Any other error comes out of here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = dy2st.load(io.BytesIO(data))
        except ModelFileError:
            return "refused"
        if not isinstance(found, tm.TracedModule):
            return "loaded"
        look_at(found)
        return call(found)


def look_at(module: Any) -> None:
    """What a user does with a module that he doesn't run; nothing here may fail."""
    for graph in module._graphs:
        for spec in ("", "i"):
            format(graph, spec)
        for expr in graph.exprs():
            str(expr), expr.inputs, expr.written, expr.const_val, getattr(expr, "named_args", None)
        for node in graph.nodes():
            node.users, node.kind, node.top_graph
        graph.to_dot(), graph.to_html(), graph.diff(graph)
    repr(module), module.state_dict(), list(module.named_sublayers()), list(module.named_parameters()), module.argspec.signature()
    copied = copy.deepcopy(module)
    if len(module._graphs) == 1:
        copied.graph.compile()
        try:
            module.flatten().graph.nodes().as_count()
        except TraceError:
            pass  # a Layer may be an argument, of a wrapped function, say
    if _file(dy2st.load(io.BytesIO(_file(module)))) != _file(module):
        raise AssertionError("a module that was loaded, saved and loaded again is another one")


def call(module: Any) -> str:
    """Call each graph with such arguments as it was traced with."""
    outcome = "loaded"
    for graph in module._graphs:
        args, kwargs = map_tree(_value, graph.form)
        more = [_value(node) for node in graph.added]
        try:
            module(*args, *more, **kwargs)
        except Exception as error:
            *_, (innermost, _) = traceback.walk_tb(error.__traceback__)  # which opens no file
            where = innermost.f_code.co_filename
            if isinstance(error, RAW) and any(part in where for part in OWN):
                raise
            outcome = f"call: {type(error).__name__}"
    return outcome


def _value(leaf: Any) -> Any:
    if not isinstance(leaf, Node):
        return leaf
    if not isinstance(leaf, TensorNode):
        return 1
    shape = [min(max(n, 1), 8) for n in leaf._shape[:5]]
    return dy2st.to_tensor(np.full(shape, 0.5)).astype(leaf.dtype)


# --- the campaign -----------------------------------------------------------------------------------------------------


class TimedOut(BaseException):
    """A file took too long."""


def campaign(count: int, seed: int, keep: Path | None = None) -> collections.Counter:
    """Try `count` mutated files; how often which outcome came."""
    random, outcomes = randoms.Random(seed), collections.Counter()
    for k in range(count):
        name, data = random.choice(models())
        hostile = mutated(data, random)
        try:
            outcome = attempt(hostile)
        except (Exception, TimedOut) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            outcome = f"HOLE {type(error).__name__} {Path(last.filename).name}:{last.name}"
            if keep is not None and not outcomes[outcome]:
                (keep / f"{k}.dy2st").write_bytes(hostile)
                (keep / f"{k}.txt").write_text(f"{name}\n{outcome}\n{''.join(traceback.format_exception(error))}")
        outcomes[outcome] += 1
    return outcomes


if __name__ == "__main__":
    import resource
    import signal

    def stop(*_: Any) -> None:
        raise TimedOut

    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    signal.signal(signal.SIGALRM, stop)
    attempt_ = attempt

    def attempt(data: bytes) -> str:  # noqa: F811
        signal.alarm(20)
        try:
            return attempt_(data)
        finally:
            signal.alarm(0)

    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    for outcome, times in campaign(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0, folder).most_common():
        print(f"{times:7d}  {outcome}")
