"""`jit.save(..., weights=)`: parameters in two bytes an element, against ml_dtypes and the safetensors library."""

import io
import json

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file
from support.sampling import amount

import dy2st
from dy2st import nn
from dy2st.errors import ModelFileError
from dy2st.ir.builder import Builder
from dy2st.saving import Info, info, narrow, read_files, write_files
from dy2st.saving.params import ParamsFile, read_params
from dy2st.static import InputSpec

KINDS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
BOUND = {"float16": 2.0**-11, "bfloat16": 2.0**-8}


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)
        self.second.weight = self.first.weight
        self.register_buffer("scale", dy2st.full([8], 1.1))
        self.register_buffer("steps", dy2st.full([1], 3, "int64"))

    def forward(self, x):
        return self.second(self.first(x)) * self.scale + self.steps.astype("float32")


def net():
    return dy2st.jit.to_static(Net(), input_spec=[InputSpec([None, 8], "float32")])


@pytest.mark.parametrize("weights", KINDS)
@pytest.mark.parametrize("name", ["net", "net.dy2st"])
def test_a_model_of_narrow_weights_is_the_model_with_rounded_ones(weights, name, tmp_path):
    model, x = net(), dy2st.randn([4, 8])
    dy2st.jit.save(model, tmp_path / name, weights=weights)
    loaded = dy2st.jit.load(tmp_path / name)
    own = model.state_dict()
    for key, value in loaded.state_dict().items():
        rounded = own[key].numpy() if key == "steps" else own[key].numpy().astype(KINDS[weights]).astype("float32")
        assert value.numpy().dtype == own[key].numpy().dtype
        np.testing.assert_array_equal(value.numpy(), rounded)
        np.testing.assert_allclose(value.numpy(), own[key].numpy(), rtol=BOUND[weights])
    model.set_state_dict(loaded.state_dict())
    np.testing.assert_array_equal(loaded(x).numpy(), model(x).numpy())
    assert loaded.info.extra["weights"] == weights


@pytest.mark.parametrize("weights", KINDS)
def test_other_tools_see_the_dtype_and_the_info_file_says_it(weights, tmp_path):
    dy2st.jit.save(net(), tmp_path / "net", weights=weights)
    with safe_open(tmp_path / "net.params.safetensors", "np") as file:
        found = {name: file.get_slice(name).get_dtype() for name in file.keys()}
        casts = json.loads(file.metadata()["dy2st.cast"])
    code = narrow.CODES[weights]
    assert found == {"first.weight": code, "first.bias": code, "second.bias": code, "scale": code, "steps": "I64"}
    assert casts == dict.fromkeys(["first.weight", "first.bias", "second.bias", "scale"], "float32")
    assert json.loads((tmp_path / "net.info.json").read_text())["extra"]["weights"] == weights
    if weights == "float16":
        assert load_file(tmp_path / "net.params.safetensors")["scale"].dtype == np.float16


def test_a_model_saved_again_has_the_weights_that_save_is_told(tmp_path):
    dy2st.jit.save(net(), tmp_path / "narrow", weights="float16")
    loaded = dy2st.jit.load(tmp_path / "narrow")
    dy2st.jit.save(loaded, tmp_path / "wide")
    again = dy2st.jit.load(tmp_path / "wide")
    assert "weights" not in again.info.extra
    for name, value in loaded.state_dict().items():
        np.testing.assert_array_equal(again.state_dict()[name].numpy(), value.numpy())


def test_script_archives_too():
    buffer, model = io.BytesIO(), dy2st.jit.script(nn.Linear(64, 64))
    plain = io.BytesIO()
    dy2st.jit.save(model, plain)
    dy2st.jit.save(model, buffer, weights="bfloat16")
    assert len(plain.getvalue()) - len(buffer.getvalue()) > 64 * 64 * 2 - 500
    buffer.seek(0)
    np.testing.assert_allclose(dy2st.jit.load(buffer).weight.numpy(), model.weight.numpy(), rtol=2.0**-8)


def test_what_does_not_fit_is_refused_before_anything_is_written(tmp_path):
    model = net()
    model.first.bias.set_value(dy2st.full([8], 70000.0))
    with pytest.raises(ValueError, match="'first.bias' holds .*70000.0.*too large for float16.*bfloat16"):
        dy2st.jit.save(model, tmp_path / "net", weights="float16")
    assert not list(tmp_path.iterdir())
    dy2st.jit.save(model, tmp_path / "net", weights="bfloat16")
    with pytest.raises(ValueError, match="'float16', 'bfloat16' or None.*not 'int8'"):
        dy2st.jit.save(model, tmp_path / "net", weights="int8")


def test_tied_weights_stay_tied_and_constants_as_they_are_even_where_a_parameter_shares_them():
    b, shared, alone = Builder(), np.full(2, 0.1, np.float32), np.full(2, 0.2, np.float32)
    with b.function("main", x="float32[2]") as (x,):
        for name, data in (("p", shared), ("w", alone), ("tied", alone)):
            x = b.op("add", x, b.param(name, data), types="float32[2]")
        b.return_(b.op("add", x, b.param("c", shared, kind="constant"), types="float32[2]"))
    file = io.BytesIO()
    write_files(file, b.program, Info(), weights="float16")
    file.seek(0)
    parameters = read_files(file)[0].parameters
    assert parameters["c"].data is parameters["p"].data and parameters["c"].data[0] == np.float32(0.1)
    assert parameters["w"].data is parameters["tied"].data and parameters["w"].data[0] == np.float32(np.float16(0.2))


@pytest.mark.parametrize("said", [None, "bfloat16", "int8", ["float16"]])
def test_the_storage_dtype_is_the_one_that_the_info_file_says(said, tmp_path):
    dy2st.jit.save(net(), tmp_path / "net", weights="float16")
    found, hashes = info.info_from_json((tmp_path / "net.info.json").read_bytes())
    found.extra["weights"] = said
    (tmp_path / "net.info.json").write_text(info.info_to_json(found, hashes))
    with pytest.raises(ModelFileError, match="'F16' that is to become 'float32'"):
        dy2st.jit.load(tmp_path / "net")


@pytest.mark.parametrize(
    "casts", [{"w": "float16"}, {"w": "int64"}, {"v": "float32"}, {"w": "list"}], ids=["narrow", "int", "absent", "no dtype"]
)
def test_a_cast_that_makes_no_sense_is_refused(casts):
    data = b"".join(ParamsFile({"w": np.ones(4, np.float32)}, ["w"], "float16"))
    changed = data.replace(b'{\\"w\\": \\"float32\\"}', json.dumps(json.dumps(casts)).encode()[1:-1].ljust(18))
    assert changed != data
    with pytest.raises(ModelFileError):
        read_params(bytes(_resized(changed)), "float16")


def _resized(data: bytes) -> bytes:
    """The file with the length of its header as it is now."""
    end = data.index(b"}", data.rindex(b"shape")) + 2
    return (end - 8).to_bytes(8, "little") + data[8:end] + data[-8:]


@pytest.mark.long
@settings(max_examples=amount(200, 35), deadline=None)
@given(st.lists(st.floats(width=32), min_size=1, max_size=20), st.sampled_from(["float32", "float64"]))
def test_rounding_is_that_of_ml_dtypes(numbers, dtype):
    array = np.array(numbers, "float32").astype(dtype)
    expected = array.astype("float32").astype(ml_dtypes.bfloat16)
    if (np.isinf(expected.astype("float32")) & np.isfinite(array)).any():
        with pytest.raises(ValueError, match="too large for bfloat16"):
            narrow.narrow("w", array, "bfloat16")
        return
    found = narrow.widen(narrow.narrow("w", array, "bfloat16"), "float32")
    np.testing.assert_array_equal(found, expected.astype("float32"))


def test_bfloat16_weights_need_no_further_package(tmp_path):
    import subprocess
    import sys

    dy2st.jit.save(net(), tmp_path / "net", weights="bfloat16")
    code = f"""
import sys
sys.modules["ml_dtypes"] = None
import numpy as np, dy2st
model = dy2st.jit.load({str(tmp_path / "net")!r})
dy2st.jit.save(model, {str(tmp_path / "again")!r}, weights="bfloat16")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert (tmp_path / "again.params.safetensors").read_bytes() == (tmp_path / "net.params.safetensors").read_bytes()


