"""save and load of state dicts: nested values come back as they were, and nothing is ever unpickled."""

from __future__ import annotations

import io
import math
import pickle

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import dy2st
from dy2st import nn, optimizer
from dy2st.errors import ModelFileError


def test_training_goes_on_from_files(tmp_path):
    def make():
        dy2st.seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1D(4), nn.Linear(4, 1))
        scheduler = optimizer.lr.LinearWarmup(optimizer.lr.StepDecay(0.1, 2), 2, 0.0, 0.1)
        return net, optimizer.Adam(scheduler, parameters=net.parameters()), scheduler

    def train(net, opt, scheduler, steps):
        losses = []
        for k in steps:
            x = dy2st.to_tensor(np.random.default_rng(k).standard_normal((4, 3)).astype("float32"))
            loss = (net(x) ** 2).mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
            scheduler.step()
            losses.append(loss.item())
        return losses

    whole = train(*make(), range(6))
    first = make()
    assert train(*first, range(3)) == whole[:3]
    dy2st.save(first[0].state_dict(), tmp_path / "net.pdparams")
    dy2st.save(first[1].state_dict(), tmp_path / "opt.pdopt")
    second = make()
    with pytest.raises(ValueError, match="parameters with other names"):
        second[1].set_state_dict(dy2st.load(str(tmp_path / "opt.pdopt")))
    for new, old in zip(second[0].parameters(), first[0].parameters()):
        new.name = old.name  # as in a fresh process
    second[0].set_state_dict(dy2st.load(tmp_path / "net.pdparams"))
    second[1].set_state_dict(dy2st.load(str(tmp_path / "opt.pdopt")))
    assert train(*second, range(3, 6)) == whole[3:]


def test_nested_values_come_back_as_they_were():
    shared = dy2st.arange(3)
    tree = {
        "epoch": 3, "best": math.inf, "rate": 0.1, "name": "a.b", "none": None, "flags": [True, (1, "x")], 7: {"w": shared},
        "again": [shared, np.float32(2)], "complex": dy2st.to_tensor([1 + 2j]),
    }  # fmt: skip
    buffer = io.BytesIO()
    dy2st.save(tree, buffer)
    found = dy2st.load(io.BytesIO(buffer.getvalue()))
    assert list(found) == list(tree) and found["flags"] == [True, (1, "x")] and type(found["flags"][1]) is tuple
    assert found["best"] == math.inf and found["none"] is None and found["again"][1] == 2.0
    assert found[7]["w"].tolist() == [0, 1, 2] and found["complex"].dtype == "complex64"
    found[7]["w"][0] = 9
    assert found["again"][0].tolist() == [0, 1, 2]


def test_one_tensor_and_a_plain_safetensors_file(tmp_path):
    dy2st.save(dy2st.ones([2]), tmp_path / "one")
    assert dy2st.load(tmp_path / "one").tolist() == [1, 1]
    dy2st.save({"a.b": dy2st.ones([2])}, tmp_path / "w.safetensors")
    assert dy2st.load(tmp_path / "w.safetensors")["a.b"].tolist() == [1, 1]
    assert load_file(tmp_path / "w.safetensors")["a.b"].tolist() == [1, 1]
    save_file({"x": np.arange(2)}, tmp_path / "theirs.safetensors")
    assert dy2st.load(tmp_path / "theirs.safetensors")["x"].tolist() == [0, 1]
    with pytest.raises(TypeError, match="dict of tensors by name"):
        dy2st.save({"a": 1}, tmp_path / "v.safetensors")


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_pickle_is_refused(tmp_path, protocol):
    (tmp_path / "old.pdparams").write_bytes(pickle.dumps({"w": 1}, protocol))
    with pytest.raises(ModelFileError, match="is a pickle, which can run any code"):
        dy2st.load(tmp_path / "old.pdparams")


def test_what_has_no_place_in_a_file_is_refused(tmp_path):
    with pytest.raises(TypeError, match="model.0 is a Linear"):
        dy2st.save({"model": [nn.Linear(1, 1)]}, tmp_path / "x")
    with pytest.raises(TypeError, match="neither a str nor an int"):
        dy2st.save({(1, 2): 1}, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def again(tree):
    buffer = io.BytesIO()
    dy2st.save(tree, buffer)
    return dy2st.load(io.BytesIO(buffer.getvalue()))


def test_tensors_whose_places_read_alike_are_all_kept():
    found = again({"a.b": dy2st.ones([2]), "a": {"b": dy2st.zeros([3]), "b:1": dy2st.ones([1])}})
    assert found["a.b"].tolist() == [1, 1] and found["a"]["b"].tolist() == [0, 0, 0] and found["a"]["b:1"].tolist() == [1]


def test_tensors_of_one_array_share_it_until_one_is_written():
    shared = dy2st.ones([1000])
    found = again({str(k): shared for k in range(50)})
    assert len({tensor._data.ctypes.data for tensor in found.values()}) == 1
    found["0"][0] = 5
    assert found["0"][0].item() == 5 and all(found[str(k)].sum().item() == 1000 for k in range(1, 50))


def test_nesting_has_a_limit_on_both_ways():
    deep: list = []
    deep.append(deep)
    with pytest.raises(TypeError, match="or within itself"):
        dy2st.save(deep, io.BytesIO())
    nested: list = []
    for _ in range(60):
        nested = [nested]
    assert again(nested) == nested


def test_a_path_without_a_file_is_one_clear_error(tmp_path):
    for path in (tmp_path, tmp_path / "missing", tmp_path / "missing.safetensors"):
        with pytest.raises(ModelFileError, match="can't read"):
            dy2st.load(path)


def nested_tree(count):
    tree: object = 1
    for _ in range(count):
        tree = {"list": [tree]}
    return tree


@pytest.mark.parametrize(
    "tree",
    [
        *({"tensor": "gone"}, {"float": "1e999"}, {"set": []}, {"dict": [["a"]]}, {"dict": 1}, {}, {"tensor": 3}),
        *({"dict": [["a", 1], ["a", 2]]}, {"dict": [[True, 1]]}, {"tensor": []}, nested_tree(5000)),
    ],
)
def test_a_damaged_tree_is_refused(tree):
    from dy2st.saving.trees import unpacked

    with pytest.raises(ModelFileError):
        unpacked(tree, {}, lambda array: array)
