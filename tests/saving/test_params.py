"""Parameter files, against the safetensors library."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save
from saving.mutation import mutate_bytes
from support.sampling import amount

from dy2st.dtypes import NAMES
from dy2st.errors import ModelFileError
from dy2st.saving.params import ALIGNMENT, ParamsFile, map_file, read_params


def params_bytes(arrays):
    return b"".join(ParamsFile(arrays))


def array(dtype, *shape, seed=0):
    return np.asarray(np.random.default_rng(seed).standard_normal(shape) * 3).astype(dtype)


def everything():
    return {
        f"{dtype}.{'x'.join(map(str, shape)) or 'scalar'}": array(dtype, *shape)
        for dtype in NAMES
        if dtype != "bfloat16"  # whose arrays another package has: tests/api/test_bfloat16.py
        for shape in [(), (3,), (0, 2), (2, 3, 4)]
    }


def test_every_dtype_and_shape_comes_back():
    arrays = everything()
    loaded = read_params(params_bytes(arrays))
    assert loaded.keys() == arrays.keys()
    for name, found in loaded.items():
        assert (found.dtype, found.shape, found.tobytes()) == (arrays[name].dtype, arrays[name].shape, arrays[name].tobytes())


def test_the_safetensors_library_reads_it():
    arrays = {name: a for name, a in everything().items() if a.dtype.kind != "c"}
    for name, found in load(params_bytes(arrays)).items():
        np.testing.assert_array_equal(found, arrays[name])


def test_files_of_the_safetensors_library_are_read():
    arrays = {"a b": array("float32", 2, 3), "é": array("int8", 3), "u": np.arange(3, dtype=np.uint16)}
    for name, found in read_params(save(arrays, metadata={"who": "x"})).items():
        np.testing.assert_array_equal(found, arrays[name])


def test_the_same_bytes_whatever_the_order_and_layout():
    a, b = array("float32", 3, 4), array("int64", 2)
    assert params_bytes({"a": a, "b": b}) == params_bytes({"b": b.copy(), "a": np.asfortranarray(a)})
    assert params_bytes({"a": a.astype(">f4")}) == params_bytes({"a": a})
    assert params_bytes({"a": a.T}) == params_bytes({"a": a.T.copy()})


def test_arrays_are_mapped_aligned_and_read_only(tmp_path):
    path = tmp_path / "w"
    path.write_bytes(params_bytes(everything() | {"odd": array("uint8", 3)}))
    buffer = map_file(path)
    whole = np.frombuffer(buffer, np.uint8)
    for found in read_params(buffer).values():
        assert found.flags.aligned and not found.flags.writeable
        assert found.size == 0 or np.shares_memory(found, whole)
    assert int.from_bytes(path.read_bytes()[:8], "little") % ALIGNMENT == ALIGNMENT - 8


def test_tied_arrays_are_stored_once():
    w = array("float32", 100)
    data = params_bytes({"head.weight": w, "embedding.weight": w, "view": w[:50], "alike": w.copy()})
    loaded = read_params(data)
    assert loaded["head.weight"] is loaded["embedding.weight"]
    assert loaded["alike"] is not loaded["head.weight"] and loaded["view"].shape == (50,)
    assert set(load(data)) == {"embedding.weight", "view", "alike"}


def test_what_the_format_lacks():
    with pytest.raises(ValueError, match="'w' of dtype object"):
        params_bytes({"w": np.array([object()])})
    with pytest.raises(ValueError, match="__metadata__"):
        params_bytes({"__metadata__": array("float32", 1)})


def raw(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def entry(dtype="F32", shape=(1,), offsets=(0, 4)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "too short"),
        (b"\xff" * 8, "header claims"),
        (raw(b"[]"), "expected an object"),
        (raw(b"{"), "not valid JSON"),
        (raw({"w": entry()}, b"\0" * 3), "don't lie in 3 bytes"),
        (raw({"w": entry()}, b"\0" * 5), "truncated or damaged"),
        (raw({"w": entry(), "v": entry()}, b"\0" * 4), "a gap or an overlap"),
        (raw({"w": entry(offsets=(4, 8))}, b"\0" * 8), "a gap or an overlap"),
        (raw({"w": entry(dtype="PICKLE")}, b"\0" * 4), "unknown dtype 'PICKLE'"),
        (raw({"w": entry(shape=(2,))}, b"\0" * 4), "doesn't take 4 bytes"),
        (raw({"w": entry(shape=(-1, -1))}, b"\0" * 4), "doesn't take 4 bytes"),
        (raw({"w": entry(shape=(0, 2**61), offsets=(0, 0))}), "parameter 'w'"),
        (raw({"w": entry(shape=[1] * 65)}, b"\0" * 4), "doesn't take"),
        (raw({"w": entry(offsets=(0, 4, 8))}, b"\0" * 4), "don't lie"),
        (raw({"w": {**entry(), "x": 1}}, b"\0" * 4), "unknown key"),
        (raw({"w": entry(), "__metadata__": {"dy2st.aliases": '{"v": "u"}'}}, b"\0" * 4), "an alias"),
        (raw({"w": entry(), "__metadata__": {"dy2st.complex": '{"w": "complex64"}'}}, b"\0" * 4), "pairs of reals"),
        (raw({"w": entry(), "__metadata__": {"dy2st.complex": "["}}, b"\0" * 4), "not valid JSON"),
        (raw({"__metadata__": {"dy2st.complex": 3}}), "expected a text"),
    ],
)
def test_what_is_wrong_is_said(data, reason):
    with pytest.raises(ModelFileError) as error:
        read_params(data)
    assert reason in str(error.value)


@pytest.mark.long
@settings(max_examples=amount(300, 50), deadline=None)
@given(st.randoms(use_true_random=False))
def test_changed_bytes_load_or_are_refused(random):
    w = array("float32", 3)
    data = params_bytes({"a": w, "b": w, "c": array("complex64", 2), "d": array("int8", 3)})
    try:
        for found in read_params(mutate_bytes(data, random)).values():
            found.sum()
    except ModelFileError as error:
        assert str(error)
