"""Programs as JSON: the same Program comes back, and no text does anything but that or raise ModelFileError."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ir.programs import CASES, by_name
from ir.strategies import attributes
from saving.mutation import mutate_bytes, mutate_tree
from support.sampling import amount

from dy2st.errors import ModelFileError
from dy2st.ir.core import Ref
from dy2st.ir.printer import print_program
from dy2st.saving.attributes import decode, encode
from dy2st.saving.model_json import program_from_json, program_to_json

TEXTS = [program_to_json(c.build()) for c in CASES]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_the_same_program_comes_back(case):
    program = case.build()
    text = program_to_json(program)
    loaded = program_from_json(text.encode())
    assert program_to_json(loaded) == text
    assert print_program(loaded, locs=True) == print_program(program, locs=True)


@given(attributes)
def test_attributes_come_back(value):
    again = decode(json.loads(json.dumps(encode(value), allow_nan=False)), "here")
    assert repr(again) == repr(value)
    assert decode(encode([Ref(3)]), "here") == [Ref(3)]


def test_one_operation_a_line_and_keys_sorted():
    text = program_to_json(by_name("tensor_and_parameter").build())
    assert text == (
        "{\n"
        '"dy2st_model": 2,\n'
        '"functions": [\n'
        ' {"block": {"args": [["x", "float32[2]"]], "ops": [\n'
        '  {"attrs": {"name": "linear.weight"}, "loc": ["net.py", "forward", 7], "op": "param", '
        '"out": [["weight", "float32[2]"]]},\n'
        '  {"in": ["x", "weight"], "loc": ["net.py", "forward"], "op": "add", '
        '"out": [["#linear.add", "float32[2]"]], "path": "linear"},\n'
        '  {"in": ["#linear.add"], "loc": ["net.py", "forward"], "op": "return", "path": "linear"}\n'
        ' ]}, "name": "main"}\n'
        "],\n"
        '"parameters": [\n'
        ' {"kind": "parameter", "name": "linear.weight", "trainable": true, "type": "float32[2]"}\n'
        "],\n"
        '"state": []\n'
        "}\n"
    )


def loads_or_refuses(data):
    try:
        program = program_from_json(data)
    except ModelFileError as error:
        assert str(error) and len(str(error)) < 10_000
    else:
        print_program(program, locs=True)


@pytest.mark.long
@settings(max_examples=amount(300, 50), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_changed_trees_load_or_are_refused(text, random):
    loads_or_refuses(mutate_tree(text, random))


@pytest.mark.long
@settings(max_examples=amount(200, 35), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_changed_bytes_load_or_are_refused(text, random):
    loads_or_refuses(mutate_bytes(text.encode(), random))


GOOD = program_to_json(by_name("if_yields").build())


@pytest.mark.parametrize(
    "data, reason",
    [
        ("", "not valid JSON"),
        (b"\xff\xfe", "not valid JSON"),
        ("[" * 200_000, "nested too deeply"),
        ("[]", "the model file is none that dy2st wrote"),
        ('{"dy2st_model": 99}', "the model file has the format 99; dy2st 0.1.0 reads format 2: install a newer dy2st"),
        (GOOD.replace('"state": []', '"state": [], "more": 1'), "unknown key 'more'"),
        (GOOD.replace('"state": []', '"state": [], "state": []'), "stands twice"),
        (GOOD.replace(',\n"state": []', ""), "lacks state"),
        (GOOD.replace('"in": ["flag"]', '"in": ["nobody"]'), "uses 'nobody', which nothing before it defines"),
        (GOOD.replace('"in": ["flag"]', '"in": ["x"]'), "breaks the rules of the IR"),
        (GOOD.replace('"bool"', '"floof"'), "no type or dtype is called floof"),
        (GOOD.replace('"bool"', "7"), "expected a text, found 7"),
        (GOOD.replace('"loc": ["net.py"', '"loc": [5'), "expected a text, found 5"),
        (GOOD.replace('"forward", 7]', '"forward", "+1"]'), "'+1' is no line"),
        (GOOD.replace('"forward", 7]', '"forward", "7"]'), "'7' is no line"),
        (GOOD.replace('"forward", 7]', '"forward"]'), "'+0' is no line"),
        (GOOD.replace('"forward", 7]', '"forward", -7]'), "-7 is no line of a source file"),
        (GOOD.replace('"forward", 7', '"forward", NaN'), "NaN is not a JSON number"),
        (GOOD.replace('"forward", 7', '"forward", 1e999'), "too large"),
        (GOOD.replace('"forward", 7', '"forward", ' + "9" * 5000), "not valid JSON"),
        (GOOD.replace('"op": "add"', '"op": ["add"]'), "expected a text, found a list of 1"),
        (GOOD.replace('"op": "add"', '"attrs": {"a": {"eval": "1"}}, "op": "add"'), "'eval' with '1' is not an attribute"),
        (GOOD.replace('"op": "add"', '"attrs": {"a": {"ref": 7}}, "op": "add"'), "$7 is out of range"),
        (GOOD.replace('"op": "add"', '"positional": 9, "op": "add"'), "9 operands are positional"),
        (GOOD.replace('"op": "add"', '"attrs": {"a": ' + "[" * 300 + "]" * 300 + '}, "op": "add"'), "values: 65"),
        (GOOD.replace('"state": []', '"state": [{"name": "n", "type": "int", "value": "os.system"}]'), "expected a literal"),
        (GOOD.replace('"state": []', '"state": [{"name": "n", "type": "int", "value": "\\"s\\""}]'), "starts from 's'"),
    ],
)
def test_what_is_wrong_is_said(data, reason):
    with pytest.raises(ModelFileError) as error:
        program_from_json(data)
    assert reason in str(error.value)


def test_deep_blocks_are_refused():
    block = '{"args": [], "ops": []}'
    for _ in range(250):
        block = '{"args": [], "ops": [{"op": "if", "blocks": [' + block + "]}]}"
    text = f'{{"dy2st_model": 2, "functions": [{{"name": "f", "block": {block}}}], "parameters": [], "state": []}}'
    with pytest.raises(ModelFileError, match="nesting of blocks: 201|nested too deeply"):
        program_from_json(text)
