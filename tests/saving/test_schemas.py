"""Files of every kind go by the schemas in docs/schemas, wrong ones don't. `tests/conftest.py` looks at all other saves."""

import contextlib
import copy
import io
import json
import re
import zipfile

import pytest
from saving import kinds
from support import schemas
from support.schemas import header, problems, schema_of

from dy2st.errors import ModelFileError
from dy2st.saving.format import FORMAT
from dy2st.saving.model_json import program_from_json

PARTS = ("info.json", "model.json", "params.safetensors")


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """Kind -> (info, model, header of the parameters) of its files."""
    folder = tmp_path_factory.mktemp("kinds")
    found = {}
    for name in kinds.KINDS:
        path = kinds.save_kind(name, folder)
        if path.suffix == ".safetensors":
            found[name] = (None, None, header(path.read_bytes()))
            continue
        if path.is_file():
            with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
                parts = list(map(archive.read, PARTS))
        else:
            parts = [path.with_name(f"{path.name}.{part}").read_bytes() for part in PARTS]
        found[name] = (json.loads(parts[0]), json.loads(parts[1]), header(parts[2]))
    return found


@pytest.mark.parametrize("name", kinds.KINDS)
def test_a_file_goes_by_its_schemas(name, trees):
    info, model, params = trees[name]
    assert problems("params", params) == []
    if info is not None:
        assert problems("info", info) == [] and problems(schema_of(model), model) == []


def keys(schema):
    """The names of all properties in a schema."""
    if isinstance(schema, list):
        parts = schema
    elif isinstance(schema, dict):
        own = schema.get("properties", {})
        yield from own
        parts = [*own.values(), *(part for word, part in schema.items() if word != "properties")]
    else:
        return
    for part in parts:
        yield from keys(part)


@pytest.mark.parametrize("path", sorted(schemas.SCHEMAS.iterdir()), ids=lambda path: path.name)
def test_the_page_explains_every_key(path):
    page = (schemas.SCHEMAS.parent / "format.md").read_text(encoding="utf-8")
    assert [key for key in keys(json.loads(path.read_text())) if not re.search(rf"\b{re.escape(key)}\b", page)] == []


def places(tree, at=()):
    """Every object of a tree, by where it is."""
    if isinstance(tree, dict):
        yield at
    for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from places(part, (*at, key))


def at(tree, place):
    for key in place:
        tree = tree[key]
    return tree


@pytest.mark.parametrize("name", ["perceptron", "scripted", "many", "traced_module"])
def test_a_key_too_many_is_told_wherever_it_stands(name, trees):
    for tree, schema in ((trees[name][0], "info"), (trees[name][1], schema_of(trees[name][1]))):
        tables = ("entries", "versions.", "attrs", "parameters", "constants", "buffers", "sublayers", "other_mode", "properties")
        found = list(places(tree))
        for place in found[:: len(found) // 20 + 1]:
            if place and place[-1] in (*tables, "inputs", "outputs", "methods"):
                continue  # a table of names of the user's
            changed = copy.deepcopy(tree)
            at(changed, place)["unheard of"] = []
            assert problems(schema, changed), place


@pytest.mark.parametrize(
    "name, part, place, value",
    [
        ("perceptron", 1, ["dy2st_model"], FORMAT + 1),
        ("perceptron", 1, ["functions"], []),
        ("perceptron", 1, ["functions", 0, "block", "ops", 0, "loc"], ["kinds.py", "forward", "7"]),
        ("perceptron", 1, ["functions", 0, "block", "ops", 0, "loc"], [0, 7, "forward"]),
        ("perceptron", 1, ["functions", 0, "block", "ops", 0, "out"], [["w"]]),
        ("perceptron", 1, ["functions", 0, "block", "ops", 0, "attrs"], {"a": {"eval": "1"}}),
        ("perceptron", 1, ["functions", 0, "block", "ops", 0, "positional"], -1),
        ("perceptron", 1, ["parameters", 0, "kind"], "weight"),
        ("perceptron", 0, ["sha256", "model.json"], "0" * 63),
        ("perceptron", 0, ["needs"], "latest; rm"),
        ("perceptron", 0, ["versions"], {"dy2st": "0.1.0", "python": "3.11"}),
        ("perceptron", 0, ["training"], 1),
        ("many", 0, ["inputs", "forward", 0, 1], {"tensor": 3}),
        ("state", 1, ["dict", 0, 1], {"object": 3}),
        ("traced_module", 1, ["layers", 0, "traced"], None),
        ("traced_module", 1, ["graphs", 0, "body", 0, "kind"], "exec"),
        ("traced_module", 1, ["graphs", 0, "body", 0, "outputs", 0], ["tensor", 1, "x"]),
        ("perceptron", 2, ["__metadata__", "dy2st.more"], "{}"),
        ("perceptron", 2, ["first.weight", "dtype"], "F8"),
    ],
)
def test_a_wrong_file_is_told(name, part, place, value, trees):
    changed = copy.deepcopy(trees[name][part])
    at(changed, place[:-1])[place[-1]] = value
    assert problems(("info", schema_of(changed), "params")[part], changed)


@pytest.mark.parametrize("name, right", [("torch", True), ("numpy", False), ("", False), (None, False)])
def test_the_schema_and_the_reader_agree_about_whose_errors_operators_have(name, right, trees):
    changed = {**trees["perceptron"][1], "errors": name}
    assert (problems("model", changed) == []) == right
    with contextlib.nullcontext() if right else pytest.raises(ModelFileError, match="errors"):
        assert program_from_json(json.dumps(changed)).errors == "torch"


def test_the_suite_looks_at_what_it_saves(tmp_path, monkeypatch):
    from dy2st.saving import model_json

    monkeypatch.setattr(model_json, "FORMAT", FORMAT + 1)
    with pytest.raises(AssertionError, match="dy2st_model"):
        kinds.save_kind("perceptron", tmp_path)
