"""Files written by hand that once got past the checks, each as it did."""

from __future__ import annotations

import copy
import io
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import dy2st as paddle
from dy2st.config import file_limits
from dy2st.errors import EngineError, ModelFileError

from .by_hand import RETURN, TENSOR, YIELD, archive, beside, block, does, function, gives, info, op, program
from .names import METHOD, held, scripted

TESTS = Path(__file__).parents[1]
INPUT = np.ones(2, "float32")
FLAG = op("const", [], [["c", "bool"]], value=False)


def load(data):
    return paddle.jit.load(io.BytesIO(data))


def test_a_name_that_means_something_elsewhere_is_a_name():
    names = ["__import__('os').system('id')", "__class__", "_parameters", "{0.__class__}", "%s%n%(x)s", "\ufb01", "lambda"]
    found = subprocess.run([sys.executable, "-m", "hostile.names", *names], cwd=TESTS, capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


@pytest.mark.parametrize("bad", [5, True, [5], {"ref": 0}, [["a"], 5], {"dict": [["a", 1]]}])
@pytest.mark.parametrize("kind, key", [("exception.new", "fields"), ("exception.new", "bases"), ("try", "handlers"),
                                       ("caught.is", "exceptions"), ("call", "function")])  # fmt: skip
def test_attributes_of_core_operations_that_are_of_another_kind_are_refused(kind, key, bad):
    wrong = op(kind, [], [["e", "exception<A>"]], **{"exception": "A", key: bad})
    inside = op("try", [], [], block(YIELD), block(wrong, YIELD), handlers=[["A"]])
    around = op("try", [], [], block(YIELD), block(op("caught", [], [["e", "exception<A>"]]), YIELD), handlers=bad)
    for data in (does(wrong), does(inside), does(around)):
        with pytest.raises(ModelFileError):
            load(data)


def test_exceptions_of_too_many_kinds_of_arguments_are_refused():
    there, here = ("exception<E(sum<" + " | ".join(f"class {c}{i}" for i in range(20)) + ">)>" for c in "AB")
    callee = function("h", op("return", ["a"]), args=[["a", there]])
    with pytest.raises(ModelFileError, match="argument 0: exception<E"):
        load(beside(callee, function("g", op("call", ["a"], [], function="h"), op("return", ["a"]), args=[["a", here]])))


@pytest.mark.parametrize("text", ["object A{x: *1}", "[*1]", "cell(*1)"])
def test_state_that_holds_itself_is_of_its_type_or_refused_in_words(text):
    with pytest.raises(ModelFileError, match="but starts from"):
        load(does(state=[{"name": "s", "type": "int", "value": f"&1 {text}"}]))


def test_state_is_looked_at_anew_for_each_type_that_it_may_be_of():
    type_ = "sum<sequence<list<int>> | tuple<list<int>, str>>"
    with pytest.raises(ModelFileError, match="but starts from"):
        load(does(state=[{"name": "s", "type": type_, "value": '(["a"], "b")'}]))
    load(does(state=[{"name": "s", "type": type_, "value": '([1], "b")'}]))


def test_a_length_that_the_info_file_leaves_open_is_open_in_the_program():
    given = {"tensor": {**TENSOR["tensor"], "shape": [None]}}
    for length, is_open in (("2", False), ("?", True), ("n", True)):
        type_ = f"float32[{length}]"
        tree = program(function("main", RETURN, args=[["x", type_]]))
        data = archive(tree, info(inputs={"forward": [["x", given]]}, outputs={"forward": [type_]}))
        if is_open:
            assert load(data)(INPUT).shape == [2]
        else:
            with pytest.raises(ModelFileError, match="takes"):
                load(data)


@pytest.mark.parametrize("type_", ["dict<int, int>", "set<int>"])
def test_keys_of_one_hash_are_refused_before_they_are_stored(type_):
    keys = [hex(i * ((1 << 61) - 1)) for i in range(2000)]
    value = f"set({', '.join(keys)})" if type_ == "set<int>" else f"{{{', '.join(f'{k}: 1' for k in keys)}}}"
    with pytest.raises(ModelFileError, match="2000 keys of one hash"):
        load(does(state=[{"name": "s", "type": type_, "value": value}]))


def test_what_nothing_reads_may_be_of_every_dtype():
    assert load(gives("bfloat16[1]", op("undef", [], [["u", "bfloat16[1]"]])))(INPUT).shape == [1]


@pytest.mark.parametrize("nested", ["body", "handler"])
@pytest.mark.parametrize("final", [False, True])
def test_try_inside_try_runs_at_any_depth(nested, final):
    inner = [YIELD]
    for _ in range(40):
        inside, other = block(*inner), block(YIELD)
        blocks = [inside, other] if nested == "body" else [other, inside]
        end = [block(YIELD)] if final else []
        inner = [op("try", [], [], *blocks, *end, handlers=[["ValueError"]], **({"finally": True} if final else {})), YIELD]
    assert load(does(inner[0]))(INPUT).tolist() == [1, 1]


@pytest.mark.parametrize("kind", ["if", "try", "while"])
def test_deep_blocks_are_refused_where_the_stack_is_deep_already(kind):
    inner = [YIELD]
    for _ in range(150):
        inner = [{"if": op("if", ["c"], [], block(*inner), block(YIELD)),
                  "try": op("try", [], [], block(*inner), block(YIELD), handlers=[["ValueError"]]),
                  "while": op("while", [], [], block(op("yield", ["c"])), block(*inner))}[kind], YIELD]  # fmt: skip
    data = does(FLAG, inner[0])

    def deeper(frames):
        return load(data) if frames == 0 else deeper(frames - 1)

    for frames in (0, 200, 400, 500, 600, 700):
        try:
            assert deeper(frames)(INPUT).tolist() == [1, 1]
        except ModelFileError as error:
            assert "deep" in str(error)


def test_python_s_containers_that_hold_something_else_fail_in_words():
    for kind in ("Counter", "OrderedDict", "defaultdict", "deque"):
        with pytest.raises(EngineError, match=f"an object of collections.{kind} holds a"):
            load(held(f"class collections.{kind}", f"object collections.{kind}{{_items: 1}}"))(INPUT)
        state = [{"name": "s", "type": f"class collections.{kind}", "value": f"object collections.{kind}{{}}"}]
        with pytest.raises(EngineError):
            _ = load(scripted({"forward": METHOD}, attributes=["s"], state=state)).s
    assert load(held("class collections.Counter", "object collections.Counter{_items: {1: 2}}"))(INPUT) == Counter({1: 2})


@pytest.mark.parametrize("fields", ["b: 1", "class: 1", "_a: 1", "a: 1, a: 2"])
def test_a_namedtuple_has_the_fields_of_its_type(fields):
    with pytest.raises(ModelFileError):
        load(held("tuple P<a: int>", f"record P({fields})"))
    if fields != "b: 1":
        with pytest.raises(EngineError, match="no namedtuple"):
            load(held("class A", f"object A{{x: record P({fields})}}"))(INPUT)


def test_names_that_are_one_name_in_source_make_no_namedtuple():
    with pytest.raises(ModelFileError, match="can't be a namedtuple"):
        load(held('tuple P<fi: int, "\ufb01": int>', 'record P(fi: 1, "\ufb01": 2)'))


def test_objects_that_only_the_saver_knew_pass_through_a_recording_by_name():
    type_ = 'tuple<atom<"f">, float32[2]>'
    atom = op("atom", [], [["f", 'atom<"f">']], text="f")
    loaded = load(gives(type_, atom, op("tuple.new", ["f", "x"], [["t", type_]])))
    eager, staged = loaded(INPUT), paddle.jit.to_static(lambda x: loaded(x))(paddle.to_tensor(INPUT))
    assert repr(eager[0]) == repr(staged[0]) == "<f>"


def test_what_was_scripted_has_no_inputs_of_another_kind():
    script = {"methods": {"forward": METHOD}, "is_module": True, "attributes": [], "constants": {}}
    about = info(entries={"m": "main"}, inputs={"parameters": [["x", TENSOR]]}, outputs={}, extra={"script": script})
    with pytest.raises(ModelFileError, match="inputs"):
        load(archive(program(function("main", RETURN)), about))


def test_what_a_backward_program_can_not_hold_is_differentiated_on_the_tape():
    """A Program that is staged with its state keeps at once what its gradients need."""
    steps = [op("param", [], [["p", "float32[2]"]], name="p"), op("clip", ["p"], [["r", "float32[2]"]], min=[0.0, 1.0], max=None)]
    steps += [op("state.get", [], [["s", "int"]], name="s"), op("state.set", ["s"], [], name="s"), op("return", ["r"])]
    parameters = [{"kind": "parameter", "name": "p", "trainable": True, "type": "float32[2]"}]
    state = [{"name": "s", "type": "int", "value": "1"}]
    loaded = load(archive(program(function("main", *steps), parameters=parameters, state=state), None, {"p": 2}))
    loaded(INPUT).sum().backward()
    assert loaded.p.grad.tolist() == [1.0, 0.0]


def test_messages_are_short_however_long_the_text(tmp_path):
    text = "a" * 1_000_000
    files = [
        does(op(text, ["x"], [["r", "float32[2]"]])), does(op("relu", [text], [["r", "float32[2]"]])),
        does(op("relu", ["x"], [[text, "int"]])), beside(function("g", RETURN, args=[["x", f'"{text}']])),
        does(state=[{"name": "s", "type": "int", "value": f'"{text}"'}]), does(state=[{"name": "s", "type": text, "value": "1"}]),
        does(op("exception.new", [], [["e", "exception<E>"]], exception=text)),
        does(op("relu", ["x"], [["r", "int"]], **{text: 1})),
    ]  # fmt: skip
    for data in files:
        with pytest.raises(ModelFileError) as caught:
            load(data)
        assert len(str(caught.value)) <= ModelFileError.LONGEST


def test_the_limits_of_archives_are_those_of_the_table(monkeypatch):
    data = does()
    for limit, least in (("members", 3), ("archive_bytes", len(data))):
        with monkeypatch.context() as changed:
            changed.setattr(file_limits, limit, least - 1)
            with pytest.raises(ModelFileError, match=f"file_limits.{limit}"):
                load(data)
            changed.setattr(file_limits, limit, least)
            assert copy.deepcopy(load(data))(INPUT).tolist() == [1, 1]
