"""Files of traced modules that somebody made up: each is refused when it is loaded, or fails in words when it is called."""

from __future__ import annotations

import functools
import io
import json
import random
from inspect import Parameter, signature
from pathlib import Path

import numpy as np
import pytest
from saving.hostile_traced import attempt, call, changed, look_at, models, mutated, opened, sealed

import dy2st
from dy2st import nn
from dy2st import traced_module as tm
from dy2st.errors import ModelFileError
from dy2st.saving.files import PARAMS
from dy2st.traced_module import allowed, builtin


@functools.cache
def valid_files():
    """A valid file of each kind, by name."""
    return dict(models())


def steps(tree):
    """All steps of all graphs, with those of blocks."""
    pending = list(tree["graphs"])
    while pending:
        part = pending.pop(0)
        for step in [*part["inputs"], *part["body"]]:
            yield step
            pending += step.get("blocks", ())


def step(tree, kind, n=0):
    return [s for s in steps(tree) if s["kind"] == kind][n]


def layer(tree, cls):
    return next(part for part in tree["layers"] if part.get("builtin", part.get("traced"))["class"] == cls)


def loaded(data):
    return dy2st.load(io.BytesIO(data))


def put(kind, n=0, **entries):
    """A change of one step."""
    return lambda tree: step(tree, kind, n).update(entries)


def put_layer(cls, table, **entries):
    return lambda tree: layer(tree, cls)[table].update(entries)


def attribute(name, value, cls="LeakyReLU"):
    return lambda tree: layer(tree, cls)["builtin"]["attributes"]["dict"].append([name, value])


def spec(**entries):
    def change(tree):
        pairs = dict(tree["layers"][0]["traced"]["argspec"]["dict"]) | entries
        tree["layers"][0]["traced"]["argspec"] = {"dict": [list(pair) for pair in pairs.items()]}

    return change


def graph(**entries):
    return lambda tree: tree["graphs"][0].update(entries)


def other_block(tree):
    """A loop's body reads what its condition made."""
    condition, body = step(tree, "while")["blocks"]
    seen = next(k for k in range(99) if {"node": k} in [a for s in steps({"graphs": [condition]}) for a in s["args"]])
    number = max(k for k in range(seen, 99) if {"node": k} in condition["results"])
    body["body"][0]["args"] = [{"node": number}]


def chained(count):
    """Layers each of which holds the next one twice."""

    def change(tree):
        like = layer(tree, "LayerList")
        first = len(tree["layers"])
        for k in range(count):
            inner = {"a": first + k + 1, "b": first + k + 1} if k + 1 < count else {}
            tree["layers"].append({**like, "sublayers": inner})
        tree["layers"][0]["sublayers"]["chain"] = first

    return change


def beside(tree):
    tree["layers"].append({**layer(tree, "LayerList"), "sublayers": {"a": len(tree["layers"])}})


def nested_layers(count):
    def change(tree):
        chained(count)(tree)
        for part in tree["layers"]:
            part["sublayers"].pop("b", None)

    return change


def calls(count, times):
    """Traced layers each of which calls the next one, and that again with what it gave."""

    def change(tree):
        tree["layers"], tree["graphs"] = tree["layers"][:1], tree["graphs"][:1]
        plain = {"kwargs": {"dict": []}, "writes": [], "shares": False, "results": 1, "loc": None, "path": "", "places": None}
        spec = {"args": ["self", "x"], "varargs": None, "varkw": None, "defaults": [], "kwonlyargs": []}

        def made(kind, number, out, args=(), **more):
            args = [{"node": k} for k in args]
            outs = [[out, number, f"n{number}", *([[1], "float32"] if out == "tensor" else [])]]
            return {**plain, "kind": kind, "id": number, "args": args, "outputs": outs, **more}

        for k in range(count):
            body = []
            if k + 1 < count:
                body = [made("getattr", 2, "layer", [0], name="inner")]
                body += [made("method", 3 + n, "tensor", [2, 1 + 2 * n], method="__call__", graph=k + 1) for n in range(times)]
            inputs, form = [made("input", 0, "layer"), made("input", 1, "tensor")], [{"tuple": [{"node": 1}]}, {"dict": []}]
            rest = {"top": True, "results": {"node": 1}, "next": [9, 9], "added": [], "form": {"tuple": form}}
            tree["graphs"][k:] = [{"name": f"g{k}", "inputs": inputs, "body": body, **rest}]
            pairs = [*spec.items(), ["kwonlydefaults", {"dict": []}], ["declared", 2]]
            traced = {"class": f"L{k}", "argspec": {"dict": pairs}, "graphs": [k, 1]}
            tables = {"parameters": {}, "buffers": {}, "unsaved": [], "sublayers": {"inner": k + 1} if k + 1 < count else {}}
            tree["layers"][k:] = [{"training": False, "dtype": "float32", **tables, "traced": traced}]
        for part in tree["graphs"][:-1]:
            for n, again in enumerate(part["body"][2:]):
                again["args"] = [{"node": 2}, {"node": 3 + n}]
            part["results"] = {"node": 2 + times}

    return change


def nested_blocks(count):
    """The `if` that may raise, within others that are taken just as it is."""

    def change(tree):
        body = tree["graphs"][0]["body"]
        at = next(k for k, s in enumerate(body) if s["kind"] == "if" and not s["outputs"])
        for _ in range(count):
            empty = {"name": "else_", "inputs": [], "body": [], "results": []}
            body[at] = {**body[at], "blocks": [{"name": "then", "inputs": [], "body": [body[at]], "results": []}, empty]}

    return change


def nested_list(count):
    tree = []
    for _ in range(count):
        tree = [tree]
    return tree


HOLES = {
    # what a graph calls
    "seed by name": ("wrapping", put("function", func="dy2st.runtime.tensors.random_state.seed"), "can't call"),
    "set_device by name": ("wrapping", put("function", func="dy2st.api.modes.set_device"), "can't call"),
    "set_flags by name": ("wrapping", put("function", func="dy2st.api.flags.set_flags"), "can't call"),
    "a function beyond the tables": ("wrapping", put("function", func="dy2st.state_files.save"), "can't call"),
    "a name with control codes": ("wrapping", put("function", func="os.\x1b[2Jsystem"), "is no name"),
    "a name that isn't one": ("wrapping", put("function", func="eval('1')"), "can't call"),
    "too many arguments of a function": ("wrapping", put("function", 0, args=[1] * 40), "doesn't take the arguments"),
    "an argument that a function hasn't": ("wrapping", put("function", 0, kwargs={"dict": [["act", 1]]}), "doesn't take"),
    "arguments named by numbers": ("wrapping", put("function", 0, kwargs={"dict": [[1, 1]]}), "name is a text"),
    "register_hook": ("wrapping", put("method", method="register_hook"), "can't call the method"),
    "backward": ("wrapping", put("method", method="backward"), "can't call the method"),
    "apply": ("wrapping", put("method", method="apply"), "can't call the method"),
    "numpy": ("wrapping", put("method", method="numpy"), "can't call the method"),
    "__reduce__": ("wrapping", put("method", method="__reduce_ex__"), "can't call the method"),
    "a Tensor called": ("wrapping", put("method", method="__call__"), "can't call the method"),
    "a method of a Layer": ("convs", put("method", method="state_dict"), "can't call the method"),
    "a method of nothing": ("wrapping", put("method", args=[]), "can't call the method"),
    "gradient_hook": ("operators", put("operator", func="gradient_hook"), "no operator that a graph can call"),
    "an operator without operands": ("operators", put("operator", 1, args=[]), "the operator sum lacks x"),
    "an attribute that an operator hasn't": ("operators", put("operator", 2, kwargs={"dict": [["hook", 1]]}), "no attribute"),
    "out of an operator": ("operators", put("operator", 2, kwargs={"dict": [["out", 1]]}), "no attribute 'out'"),
    "a Layer as an operand": ("operators", put("operator", 2, args=[{"node": 0}]), "takes no Layer"),
    "a Layer that calls itself": ("convs", put("method", args=[{"node": 0}, {"node": 1}], graph=0), "calls itself"),
    "a graph of another layer": ("convs", put("method", graph=4), "is no graph of the Layer"),
    "a graph that isn't there": ("convs", put("method", graph=-1), "no graph -1"),
    "a call without a graph": ("convs", put("method", graph=None), "runs no graph"),
    "a call of a list of layers": ("convs", put("getattr", name="parts"), "Layer that is called"),
    "a call of other arguments": ("convs", put("method", args=[{"node": 2}, {"node": 1}, {"node": 1}]), "other arguments"),
    "a layer of the library given nothing": ("flat", put("method", args=[{"node": 2}]), "doesn't take"),
    "SystemError by 10,000 bases": ("deciding", put("raise", exception=["E"] * 10_000), "bases"),
    # layers
    "forward as an attribute": ("convs", attribute("forward", 3), "no attribute 'forward'"),
    "__class__ as an attribute": ("convs", attribute("__class__", 3), "no attribute '__class__'"),
    "hooks as an attribute": ("convs", attribute("_forward_pre_hooks", {"dict": [["a", 1]]}), "_forward_pre_hooks"),
    "_derived as an attribute": ("convs", attribute("_derived", {"dict": [["a", 1]]}), "no attribute '_derived'"),
    "what the class decides": ("convs", attribute("_axes", 9, "Conv2D"), "'_axes'"),
    "attributes by number": ("convs", attribute(1, 3), "no attribute 1"),
    "no attributes": ("convs", put_layer("LeakyReLU", "builtin", attributes={"dict": []}), "lacks negative_slope"),
    "no weights": ("convs", lambda t: layer(t, "Linear")["parameters"].clear(), "lacks bias, weight"),
    "a class by a path": ("convs", put_layer("Linear", "builtin", **{"class": "Layer.__subclasses__"}), "isn't known"),
    "a module for a class": ("convs", put_layer("Linear", "builtin", **{"class": "functional"}), "isn't known"),
    "a layer in itself": ("convs", put_layer("LayerList", "sublayers", again=0), "within themselves"),
    "a layer beside the module, in itself": ("convs", beside, "within themselves"),
    "layers 100 deep": ("convs", nested_layers(100), "nested more than 64"),
    "layers shared 40 deep": ("convs", chained(40), "more than 1000000 layers"),
    "calls shared 40 deep": ("convs", calls(40, 2), "more than 1000000 steps"),
    "a layer that isn't there": ("convs", put_layer("LayerList", "sublayers", again=10**18), "no layer"),
    "one name for two parts": ("convs", put_layer("Linear", "buffers", weight=None), "'weight' twice"),
    "one tensor as two": ("convs", put_layer("Linear", "parameters", more=["0.weight", True, "x"]), "said to be two"),
    "a tensor that isn't there": ("convs", put_layer("Linear", "parameters", more=["w", True, "x"]), "lacks 'w'"),
    "a list as a tensor's name": ("convs", put_layer("Linear", "parameters", more=[[], True, "x"]), "a tensor is its name"),
    "a dtype that isn't one": ("convs", lambda t: layer(t, "Linear").update(dtype="float999"), "dtype"),
    "one graph of two layers": ("convs", put_layer("Block", "traced", graphs=[0, 2]), "two layers"),
    "a graph of no layer": ("convs", put_layer("Block", "traced", graphs=[0, 0]), "no layer"),
    "graphs from -1 on": ("convs", put_layer("Block", "traced", graphs=[-1, 1]), "no number"),
    # graphs
    "a Node of a block that is over": ("deciding", other_block, "another block"),
    "a Node before it is made": ("convs", put("method", args=[{"node": 3}, {"node": 1}]), "no Node 3"),
    "a Node of no number": ("convs", put("method", args=[{"node": -1}]), "no Node -1"),
    "two outputs of one result": ("wrapping", put("method", outputs=[["number", 1, "a"], ["number", 2, "b"]]), "one result"),
    "no output": ("wrapping", put("method", outputs=[]), "one result has 0"),
    "an output that is a Layer": ("wrapping", put("method", outputs=[["layer", 1, "a"]]), "can be a Layer"),
    "places beyond the results": ("wrapping", put("method", places=[7]), "1 places among 1"),
    "writes beyond the inputs": ("wrapping", put("method", writes=[10**6]), "can't write number 1000000"),
    "a huge id": ("wrapping", put("method", id=10**18 * 10), "no number"),
    "a negative id": ("wrapping", put("method", id=-1), "no number"),
    "a name twice": ("wrapping", put("method", outputs=[["number", 1, "self"]]), "taken"),
    "a name of two lines": ("wrapping", graph(name="a\nb"), "is no name"),
    "a type that is none": ("wrapping", put("method", outputs=[["value", 1, "a", "list<list"]]), "list<list"),
    "a type of many lines": ("wrapping", put("method", outputs=[["value", 1, "a", "in\nt"]]), "the graph Wrapping"),
    "a shape of 1e30": ("wrapping", put("method", outputs=[["tensor", 1, "a", [10**15, 10**15], "float32"]]), "no shape"),
    "a shape of 100 axes": ("wrapping", put("method", outputs=[["tensor", 1, "a", [1] * 100, "float32"]]), "no shape"),
    "a loop of one block": ("deciding", lambda t: step(t, "while")["blocks"].pop(), "has 1 blocks"),
    "a loop that carries less": ("deciding", lambda t: step(t, "while")["args"].pop(), "takes"),
    "a block that yields less": ("deciding", lambda t: step(t, "while")["blocks"][1]["results"].pop(), "doesn't yield"),
    "containers that a block yields": (
        "deciding", lambda t: step(t, "while")["blocks"][1].update(results=[[{"node": 1}]] * 3), "no containers of Nodes",
    ),
    "blocks 100 deep": ("deciding", nested_blocks(100), "nested deeper than 64"),
    "arguments 400 deep": ("wrapping", put("method", args=nested_list(400)), "nesting"),
    "an integer of 100,000 bits": ("wrapping", put("method", args=[{"node": 1}, {"int": "0x" + "f" * 25_000}]), "no argument"),
    "a key twice": ("wrapping", put("function", kwargs={"dict": [["a", 1], ["a", 2]]}), "a key twice"),
    "next without end": ("wrapping", graph(next=[]), "next"),
    "a form that forgets an input": ("wrapping", graph(form={"tuple": [{"tuple": []}, {"dict": []}]}), "each input once"),
    "a form that is none": ("wrapping", graph(form=None), "the form of a call"),
    "a Layer as result": ("wrapping", graph(results={"node": 0}), "no Layer"),
    "a graph without inputs": ("wrapping", graph(inputs=[]), "no Node|first input"),
    "a part that isn't there": ("wrapping", put("getattr", name="state_dict"), "isn't there"),
    "a part that is something else": ("convs", put("getattr", name="pool.kernel_size"), "isn't there"),
    "a Layer taken for a tensor": ("wrapping", lambda t: t["layers"][0].update(buffers={"seen": None}), "something else"),
    # signatures
    "argspec of other keys": ("wrapping", spec(__class__=1), "argspec"),
    "argspec of a keyword": ("wrapping", spec(args=["self", "class", "k"]), "argspec"),
    "argspec with more defaults": ("wrapping", spec(defaults=[1] * 9), "argspec"),
    "argspec with numbers for names": ("wrapping", spec(args=[1, 2, 3]), "argspec"),
    "argspec with a name of no letters": ("wrapping", spec(args=["self", "", "k"]), "'' is no name of a parameter"),
    "argspec with another self": ("wrapping", spec(varkw="self"), "'self' is the name of the Layer"),
    "argspec declared at -1": ("wrapping", spec(declared=-1), "argspec"),
}  # fmt: skip


@pytest.mark.parametrize("hole", HOLES)
def test_what_a_hostile_file_tries_is_refused_at_load(hole):
    name, change, message = HOLES[hole]
    hostile = changed(valid_files()[name], change)
    with pytest.raises(ModelFileError, match=message):
        loaded(hostile)


def test_the_files_themselves_load_and_run():
    for name, data in valid_files().items():
        assert attempt(data) == "loaded", name


def test_a_method_is_one_of_a_tensor_when_it_runs():
    hostile = loaded(changed(valid_files()["wrapping"], put("method", method="split", args=["a b", 1])))
    look_at(hostile)
    assert call(hostile) == "call: TypeError"


def test_functions_that_nobody_wrapped_are_not_looked_for():
    hostile = loaded(changed(valid_files()["wrapping"], put("function", func="os.system", args=["true"])))
    look_at(hostile)
    assert call(hostile) == "call: RuntimeError"


def test_what_nests_as_deep_as_is_allowed_runs():
    deep = loaded(changed(valid_files()["deciding"], nested_blocks(60)))
    assert call(deep) == "loaded"
    assert attempt(changed(valid_files()["convs"], calls(10, 2))) == "loaded"
    assert attempt(changed(valid_files()["convs"], calls(60, 1))) == "loaded"
    assert attempt(changed(valid_files()["convs"], nested_layers(60))) == "loaded"


def test_limits_can_be_raised(monkeypatch):
    monkeypatch.setattr(dy2st.config.file_limits, "depth", 80)
    assert call(loaded(changed(valid_files()["deciding"], nested_blocks(70)))) == "loaded"
    monkeypatch.setattr(dy2st.config.file_limits, "steps", 10)
    with pytest.raises(ModelFileError, match="more than 10 layers"):
        loaded(valid_files()["convs"])


def test_tensors_of_one_array_take_no_more_memory_than_it_until_they_are_written():
    info, files = opened(valid_files()["convs"])
    tree = json.loads(files["model.json"])
    names = [f"more{k}" for k in range(200)]
    size = int.from_bytes(files[PARAMS][:8], "little")
    header = json.loads(files[PARAMS][8 : 8 + size])
    header["__metadata__"] = {"dy2st.aliases": json.dumps({name: "0.weight" for name in names})}
    text = json.dumps(header).encode()
    files[PARAMS] = len(text).to_bytes(8, "little") + text + files[PARAMS][8 + size :]
    tree["layers"][0]["buffers"] = {name: [name, True, None] for name in names}
    files["model.json"] = json.dumps(tree).encode()
    found = loaded(sealed(info, files))
    assert len({tensor._data.ctypes.data for tensor in found._buffers.values()}) == 1
    before = found.more1.numpy().copy()
    found.more0[0] = 7
    np.testing.assert_array_equal(found.more1.numpy(), before)
    assert found.more0[0].max() == 7


def test_an_array_of_a_dtype_that_tensors_lack_is_refused():
    info, files = opened(valid_files()["convs"])
    files[PARAMS] = files[PARAMS].replace(b'"F32"', b'"U32"')
    with pytest.raises(ModelFileError, match="uint32"):
        loaded(sealed(info, files))


def test_a_parameter_is_one_wherever_else_it_stands():
    def change(tree):
        tree["layers"][0]["buffers"]["first_seen"] = layer(tree, "Linear")["parameters"]["weight"]

    found = loaded(changed(valid_files()["convs"], change))
    assert type(found.fc.weight) is nn.Parameter and found.fc.weight is found.first_seen


# --- the tables -----------------------------------------------------------------------------------------------------------


def test_a_graph_calls_only_what_computes_on_tensors():
    """allowed.txt lists all that a file may name: whoever adds to the library decides here whether that may be named, too."""
    listed = (Path(__file__).parent / "allowed.txt").read_text().split()
    assert sorted([*allowed.library(), *(f"Tensor.{name}" for name in allowed.methods())]) == listed


@pytest.mark.parametrize(
    "name", "seed set_device set_flags set_printoptions enable_static no_grad save load set_rng_state set_default_dtype".split()
)
def test_what_acts_on_the_process_is_out(name):
    assert not any(full.endswith(f".{name}") for full in allowed.library())


EXAMPLES = {
    "SpectralNorm": lambda: nn.SpectralNorm([2, 3]),
    "Unflatten": lambda: nn.Unflatten(0, [1]),
    "RNN": lambda: nn.RNN(nn.LSTMCell(2, 3)),
    "BiRNN": lambda: nn.BiRNN(nn.GRUCell(2, 3), nn.GRUCell(2, 3)),
    "TransformerEncoder": lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(2, 1, 2), 1),
    "TransformerDecoder": lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(2, 1, 2), 1),
}


def test_all_layers_of_the_library_have_what_a_file_must_give_them():
    classes = {v for v in vars(nn).values() if isinstance(v, type) and issubclass(v, nn.Layer) and builtin.is_of_library(v)}
    assert len(classes) > 100
    for cls in classes:
        parameters = signature(cls).parameters.values()
        needs = sum(p.default is p.empty and p.kind is Parameter.POSITIONAL_OR_KEYWORD for p in parameters)
        made = EXAMPLES[cls.__name__]() if cls.__name__ in EXAMPLES else cls(*[2] * needs)
        for part in made.sublayers(include_self=True):
            has = {*vars(part), *part._parameters, *part._buffers, *part._sub_layers}
            assert builtin.assigned_names(type(part), "__init__") <= has, cls
            own = has - set(vars(nn.Layer())) - {*part._parameters, *part._buffers, *part._sub_layers}
            assert not any(builtin.attribute_problem(type(part), name) for name in own), cls


@tm.register_as_builtin
class Registered(nn.Layer):
    scale = 1

    def __init__(self):
        super().__init__()
        self._kept, self.scale, self.table = 2, 3, {"a": np.ones(2)}

    def forward(self, x):
        return x * self._kept * self.scale


class Holding(nn.Layer):
    def __init__(self):
        super().__init__()
        self.part = Registered()

    def forward(self, x):
        return self.part(x)


def test_registered_classes_keep_what_they_assign_and_nothing_else():
    net = Holding()
    net.part.note = "mine"
    made = tm.trace_module(net, dy2st.ones([2]))
    found = loaded(tm.files.module_bytes(made))
    assert found(dy2st.ones([1])).tolist() == [6.0] and found.part.note == "mine" and found.part.table["a"].tolist() == [1, 1]
    made.part._unknown = 1
    with pytest.raises(TypeError, match="Registered._unknown can't be saved"):
        tm.files.module_bytes(made)
    del made.part._unknown
    for name in ("forward", "_unknown", "__call__", "_parameters", "training", "state_dict"):
        with pytest.raises(ModelFileError, match="no attribute"):
            loaded(changed(tm.files.module_bytes(made), attribute(name, 1, f"{__name__}.Registered")))


# --- anything ---------------------------------------------------------------------------------------------------------


def test_a_few_hundred_mutated_valid_files():
    chance = random.Random(12)
    outcomes = [attempt(mutated(chance.choice(list(valid_files().values())), chance)) for _ in range(150)]
    assert outcomes.count("refused") > 60 and outcomes.count("loaded") > 20


@pytest.mark.parametrize("name", ["numpy", "backward", "__class__", "annotations", "Tensor"])
def test_an_activation_by_name_is_one(name):
    for use in (lambda: dy2st.scale(dy2st.ones([2]), act=name), lambda: nn.BatchNorm(2, act=name)(dy2st.ones([3, 2]))):
        with pytest.raises(ValueError, match=name):
            use()
    assert dy2st.scale(dy2st.ones([2]), -1.0, act="relu").tolist() == [0, 0]
