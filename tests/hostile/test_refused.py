"""What a hostile model file tries before anything of it runs: one file for each, and the words in which it is refused."""

from __future__ import annotations

import io
import json
import os

import numpy as np
import pytest

import dy2st as paddle
from dy2st import config, jit
from dy2st.errors import EngineError, ModelFileError, VerifyError
from dy2st.ir import types
from dy2st.ir.parser import parse_program
from dy2st.ir.verify import verify
from dy2st.ops.registry import OPERATORS
from dy2st.static import InputSpec
from hostile.archives import INFO, MODEL, PARAMS, put_together, taken_apart

pytestmark = pytest.mark.usefixtures("wrong_files")
X = np.array([[1.0, -2.0], [3.0, 0.5]], "float32")


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear, self.history = paddle.nn.Linear(2, 2), []

    def forward(self, x):
        self.history.append(float(x.sum()))
        if x.sum() > 0:
            x = x + 1
        return self.linear(x)


@pytest.fixture(scope="module")
def members():
    file = io.BytesIO()
    jit.save(Net(), file, input_spec=[InputSpec([None, 2], "float32", "x")])
    return taken_apart(file.getvalue())


def load(members, model=None, info=None, params=None):
    """Load the model with its trees changed."""
    members = dict(members)
    for name, change in ((MODEL, model), (INFO, info)):
        if change is not None:
            tree = json.loads(members[name])
            change(tree)
            members[name] = json.dumps(tree).encode()
    if params is not None:
        members[PARAMS] = params(members[PARAMS])
    return jit.load(io.BytesIO(put_together(members)))


def block(tree):
    return tree["functions"][0]["block"]


def first(op, **fields):
    """Put an operation in front of all others."""
    return lambda tree: block(tree)["ops"].insert(0, {"op": op, **fields})


def of_kind(tree, name):
    found, pending = [], [block(tree)]
    while pending:
        for op in pending.pop()["ops"]:
            found += [op] if op["op"] == name else []
            pending += op.get("blocks", [])
    return found


def text(value, name="t"):
    return {"op": "const", "attrs": {"value": value}, "out": [[name, "str"]]}


def named_by_an_operand(op, result):
    """A name that comes by Ref: `eval` is the value of an operand."""

    def change(tree):
        ops = [text("__import__('os').system('id')"), text("eval", "n")]
        spelt = {"op": op, "in": ["t", "n"], "positional": 1, "attrs": {"name": {"ref": 1}}, "out": [["s", result]]}
        block(tree)["ops"][:0] = [*ops, spelt]

    return change


def spelt(tree):
    spell = {"op": "py.spell", "in": ["t"], "attrs": {"name": "eval"}, "out": [["s", "str"]]}
    block(tree)["ops"][:0] = [text("__import__('os').system('id')"), spell]


def nested(kind, depth):
    def change(tree):
        inner = {"args": [], "ops": [{"op": "yield"}]}
        for _ in range(depth):
            blocks = [inner] * (2 if kind != "while" else 1) + ([inner] if kind == "while" else [])
            inner = {"args": [], "ops": [{"op": kind, "in": ["x"], "blocks": blocks[:1]}, {"op": "yield"}]}
        block(tree)["ops"].insert(0, inner["ops"][0])

    return change


def out_of_an_operator(tree):
    """NumPy's `out` writes to memory that the Program doesn't say it writes to."""
    add = of_kind(tree, "add")[0]
    add.update(attrs={"out": {"ref": 2}}, positional=2)
    add["in"].append("x")


def narrower(tree):
    (loaded,) = of_kind(tree, "state.get")
    loaded["out"][0][1] = "list<int>"


def state(value, type_="list<float>"):
    def change(tree):
        tree["state"][0].update(type=type_, value=value)

    return change


SHARED = "&1 [1.0, 2.0]" + "".join(f", &{k} [*{k - 1}, *{k - 1}]" for k in range(2, 42))

PROGRAMS = {
    # code
    "eval by name": (spelt, "py.spell"),
    "eval by an operand": (named_by_an_operand("py.spell", "str"), "py.spell"),
    "system of math": (named_by_an_operand("math.call", "float"), "math.call"),
    "a method by an operand": (named_by_an_operand("str.method", "str"), "str.method"),
    "an operator that isn't there": (first("os.system", attrs={"value": "id"}), "there is no operator 'os.system'"),
    "source for an attribute's name": (first("full", attrs={"x=__import__('os')": 1}), "is no name of an attribute"),
    "a name in other letters": (first("full", attrs={"ﬁll": 1}), "is no name of an attribute"),
    "a keyword of NumPy": (lambda tree: of_kind(tree, "add")[0].update(attrs={"where": False}), "no attribute"),
    "memory to write to": (out_of_an_operator, "has no attribute 'out'"),
    # claims
    "a state of another type": (narrower, "breaks the rules"),
    "types that inference denies": (lambda tree: of_kind(tree, "matmul")[0]["out"][0].__setitem__(1, "int"), "is declared int"),
    "too few operands": (lambda tree: of_kind(tree, "matmul")[0]["in"].pop(), "lacks y"),
    "too many operands": (lambda tree: of_kind(tree, "matmul")[0]["in"].extend(["x"] * 5), "operands at most"),
    "a block too few": (lambda tree: of_kind(tree, "if")[0]["blocks"].pop(), "takes 2 blocks"),
    "a result of another type": (lambda tree: block(tree)["args"][0].__setitem__(1, "str"), "str"),
    "two values of one name": (lambda tree: block(tree)["args"].append(["x", "int"]), "two entries are called"),
    "an element of another type": (state('["text"]'), "starts from"),
    "an operand as state": (state("$0", "int"), "expected a literal"),
    "a namedtuple of no names": (lambda tree: block(tree)["args"].append(["p", "tuple P<class: int>"]), "can't be a namedtuple"),
    # size
    "state shared 40 deep": (state(f"[{SHARED}]", "list<never>"), "each counted wherever it is shared"),
    "a tensor of 1e18 elements": (lambda tree: block(tree)["args"][0].__setitem__(1, f"float32[{10**18}]"), "larger than"),
    "a type 100 deep": (lambda tree: block(tree)["args"][0].__setitem__(1, "list<" * 100 + "int" + ">" * 100), "nested deeper"),
    "a literal 100 deep": (state("[" * 100 + "]" * 100), "nested deeper"),
    "attributes 100 deep": (first("full", attrs={"shape": json.loads("[" * 100 + "]" * 100)}), "nesting of values"),
    "attributes by the million": (first("full", attrs={"shape": [[]] * 200_000}), "values in its attributes: 200002"),
    "blocks 201 deep": (nested("try", 201), "nesting of blocks|nested too deeply"),
    "a number of a million digits": (state("[" + "9" * 10**6 + "]"), "decimal digits"),
    "a line of no file": (lambda tree: block(tree)["ops"][0].update(loc=["net.py", "f", 10**30]), "is no line"),
}


@pytest.mark.parametrize("tried", PROGRAMS)
def test_a_program_is_refused_before_it_runs(members, tried):
    change, message = PROGRAMS[tried]
    with pytest.raises(ModelFileError, match=message) as error:
        load(members, change)
    assert len(str(error.value)) < 5000


def spec(tree):
    return tree["inputs"]["forward"][0][1]["tensor"]


def nodes(depth):
    node = {"constant": 1}
    for _ in range(depth):
        node = {"list": [node]}
    return node


def compiled(tree, **tables):
    tree.update(tables)
    tree["extra"]["script"] = {"methods": {}, "is_module": False, "attributes": [], "constants": {}}


INFOS = {
    "an entry that isn't there": (lambda tree: tree["entries"].update(forward="nobody"), "which the Program lacks"),
    "another input": (lambda tree: tree["inputs"]["forward"].append(["y", {"tensor": dict(spec(tree))}]), "its Function takes"),
    "another dtype": (lambda tree: spec(tree).update(dtype="int64"), "its Function takes"),
    "another rank": (lambda tree: spec(tree).update(shape=[2]), "its Function takes"),
    "a dtype that isn't one": (lambda tree: spec(tree).update(dtype="os.system"), "is no dtype"),
    "another result": (lambda tree: tree["outputs"].update(forward=["int"]), "not what the info file says"),
    "inputs of another method": (lambda tree: tree["inputs"].update(other=[]), "aren't of the same methods"),
    "arguments 400 deep": (lambda tree: tree["inputs"]["forward"].append(["y", nodes(400)]), "nesting"),
    "an unknown key": (lambda tree: tree["extra"].update(code="import os"), "unknown key 'code'"),
    "a mode that isn't there": (lambda tree: tree["extra"].update(other_mode={"forward": "nobody"}), "the Program lacks"),
    "a promise about memory": (lambda tree: tree["extra"].update(input_memory={"forward": "apart eval"}), "is none of"),
    "a property that is no value": (lambda tree: tree["extra"].update(properties={"f": {"a": 1}}), "neither a number nor a text"),
    "a compiled function without one": (lambda tree: compiled(tree, inputs={}, outputs={}), "there is no function"),
    "a compiled function with inputs": (lambda tree: compiled(tree), "have no inputs and outputs beside it"),
    "a name with a thousand dots": (lambda tree: tree["entries"].update({"a." * 1000: "main"}), "dots"),
}


@pytest.mark.parametrize("tried", INFOS)
def test_an_info_file_that_lies_is_refused(members, tried):
    change, message = INFOS[tried]
    with pytest.raises(ModelFileError, match=message):
        load(members, info=change)


def test_what_a_file_calls_like_a_method_of_layers_replaces_none(members):
    net = load(members, info=lambda tree: tree["extra"].update(properties={"state_dict": 1, "__class__": 2, "released": 3}))
    assert set(net.state_dict()) == {"linear.weight", "linear.bias"} and net.released() == 3


def test_two_million_doubled_keys_take_no_time(members):
    keys = ", ".join(f'"k{k}": 1' for k in range(100_000))
    model = members[MODEL].replace(b'"state"', f'"more": {{{keys}, "k0": 2}}, "state"'.encode(), 1)
    with pytest.raises(ModelFileError, match="'k0' stands twice"):
        jit.load(io.BytesIO(put_together({**members, MODEL: model})))


def test_a_type_that_is_a_lie_ends_in_a_word_about_it(members):
    """A sum's alternative is what the file says it is: the operator that meets another value fails as a fault of the file."""

    def change(tree):
        made = {"op": "sum.make", "in": ["t"], "attrs": {"index": 1}, "out": [["s", "sum<list<int> | str>"]]}
        got = {"op": "sum.get", "in": ["s"], "attrs": {"index": 0}, "out": [["l", "list<int>"]]}
        one = {"op": "const", "attrs": {"value": 1}, "out": [["n", "int"]]}
        block(tree)["ops"][:0] = [text("no list"), made, got, one, {"op": "list.append", "in": ["l", "n"]}]

    net = load(members, change)
    with pytest.raises(EngineError, match="aren't what they are said to be"):
        net(X)


# --- limits -----------------------------------------------------------------------------------------------------------

LIMITS = {  # limit -> a value that the model itself goes beyond
    "text_bytes": 100, "values": 20, "depth": 0, "attribute_values": 1, "members": 2, "archive_bytes": 1000, "elements": 3,
}  # fmt: skip


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_is_told_of_and_can_be_raised(members, monkeypatch, limit):
    load(members)
    monkeypatch.setattr(config.file_limits, limit, LIMITS[limit])
    types._remembered.cache_clear()  # a type that was read within the limit is known
    with pytest.raises(ModelFileError, match=f"file_limits.{limit}"):
        load(members)


def test_limits_come_from_the_environment():
    found = config.read_limits(config.FileLimits, {"DY2ST_FILE_DEPTH": "7"}, "DY2ST_FILE_")
    assert found.depth == 7 and found.blocks == config.FileLimits().blocks
    with pytest.raises(ValueError, match="DY2ST_FILE_BLOCKS must be a positive integer"):
        config.read_limits(config.FileLimits, {"DY2ST_FILE_BLOCKS": "many"}, "DY2ST_FILE_")


# --- what is no file ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["net.info.json", "net.model.json", "net.dy2st", "net.safetensors"])
@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "socket link"])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, members, suffix, kind):
    for name in (INFO, MODEL, PARAMS):
        (tmp_path / f"net.{name}").write_bytes(members[name])
    place = tmp_path / suffix
    place.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "device":
        place.symlink_to("/dev/zero")
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(tmp_path / "nowhere")
    prefix = tmp_path / "net"
    with pytest.raises(ModelFileError):
        if suffix.endswith(".json"):
            jit.load(str(prefix))
        else:
            (paddle.load if suffix.endswith(".safetensors") else jit.load)(str(place))


def test_more_positional_operands_than_there_are_end_a_load_at_once():
    program = parse_program("def main(%x: int) -> list<int>:\n  %0 = list.new %x : list<int>\n  return %0\n")
    program.entry.block.ops[0].n_positional = 1 << 60
    with pytest.raises(VerifyError, match="operands are positional, and it has 1"):
        verify(program, OPERATORS)
