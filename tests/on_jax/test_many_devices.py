"""Training on many devices: the losses are those of one device and of plain Python, whatever is split among them.

Each scenario of `many_devices.py` runs in a process of its own, on 8 devices of the host; and on GPUs, where there are some.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="steps run in JAX: pip install '.[jax]'")

from jax.sharding import AbstractMesh, AxisType, Mesh  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import dy2st.jax  # noqa: E402

TESTS = Path(__file__).parents[1]
DEVICES = 8


def begun(platform, devices, *arguments):
    flags = f"--xla_force_host_platform_device_count={devices}" if platform == "cpu" else ""
    paths = os.pathsep.join([str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "JAX_PLATFORMS": platform, "XLA_FLAGS": flags, "PYTHONPATH": paths}
    command = [sys.executable, "-m", "on_jax.many_devices", *map(str, arguments)]
    return subprocess.Popen(command, env=env, cwd=TESTS, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def told(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err[-3000:]
    return json.loads(out.splitlines()[-1])


@cache
def gpus():
    """Why nothing runs on a GPU; "" where there is one."""
    command = [sys.executable, "-c", "import jax; jax.devices('cuda')"]
    if not Path("/dev/nvidiactl").exists() and not Path("/dev/dxg").exists():
        return "this machine has no GPU of NVIDIA's"
    found = subprocess.run(command, env={**os.environ, "JAX_PLATFORMS": "cuda"}, capture_output=True, text=True)
    return "" if found.returncode == 0 else f"jax has no GPU here: {found.stderr.splitlines()[-1]}"


@pytest.fixture(params=["cpu", "cuda"])
def platform(request):
    if request.param == "cuda" and gpus():
        pytest.skip(gpus())
    return request.param


def agree(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    assert len(set(wanted)) == len(wanted)


def test_rows_of_the_digits_on_each_device(platform):
    pytest.importorskip("sklearn", reason="the digits are scikit-learn's: pip install '.[test]'")
    found = told(begun(platform, DEVICES, "digits"))
    assert platform == "cuda" or found["devices"] == DEVICES
    agree(found["one"], found["python"])
    agree(found["losses"], found["one"])
    if platform == "cpu":
        assert set(found["sent"]) == {"all-reduce"}  # of gradients, and of what batch normalisation sums up
        ring = 2 * (DEVICES - 1) / DEVICES
        assert found["size"] * ring <= found["sent"]["all-reduce"] < found["size"] * ring * 1.1


def test_layers_split_among_devices(platform):
    found = told(begun(platform, DEVICES, "tensor"))
    agree(found["one"], found["python"])
    agree(found["losses"], found["one"])
    if platform == "cpu":
        assert found["shards"]["net.0.weight"] == found["shards"]["net.0.weight.moment1"] == [16, 32]
        assert found["shards"]["net.2.weight"] == [32, 32] and found["shards"]["net.4.weight"] == [32, 8]


def test_gradients_where_each_device_takes_its_path(platform):
    found = told(begun(platform, DEVICES, "paths"))
    for name, slope in found["python"].items():
        np.testing.assert_allclose(found["many"][name], slope, rtol=1e-4, atol=1e-5, err_msg=name)


def test_two_processes():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    processes = [begun("cpu", DEVICES // 2, "process", number, 2, port) for number in range(2)]
    for found in map(told, processes):
        assert found["devices"] == DEVICES
        agree(found["losses"], found["python"])


@pytest.fixture(scope="module")
def held():
    params = {"net.fc.weight": np.zeros((6, 4)), "net.fc.bias": np.zeros(4), "net.head.weight": np.zeros((4, 3))}
    slots = {"net.fc.weight.moment1": np.zeros((6, 4)), "net.fc.weight.count": np.zeros(()), "opt.steps": np.zeros(())}
    return params, slots


def mesh():
    return Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))


def test_rules_are_globs_or_expressions(held):
    import re

    rules = {"*.fc.weight": P(None, "model"), re.compile(r".*\.(fc|none)\.bias"): P("model")}
    params, slots = dy2st.jax.place(mesh(), rules, *held)
    assert {name: x.sharding.spec for name, x in params.items()} == {
        "net.fc.weight": P(None, "model"), "net.fc.bias": P("model"), "net.head.weight": P()
    }  # fmt: skip
    assert [x.sharding.spec for x in slots.values()] == [P(None, "model"), P(), P()]
    alone = dy2st.jax.place(mesh(), rules, held[0])
    assert alone.keys() == params.keys() and all(x.dtype == "float64" for x in alone.values())


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"*.wieght": P("model")}, r"no name matches the rule '\*.wieght'; there are net\."),
        ({"*.bias": P(None, "model")}, r"net.fc.bias has the shape \[4\], and no dimension 1"),
        ({"*.fc.weight": P("model")}, r"net.fc.weight has the shape \[6, 4\], and 4 devices don't divide its dimension 0"),
        ({"*.head.weight": P(("data", "model"))}, "8 devices don't divide its dimension 0"),
        ({"*.fc.weight": P("rows")}, "the mesh has no axis 'rows'; it has data, model"),
    ],
)
def test_what_a_rule_cannot_do_is_told(held, rules, message):
    with pytest.raises(ValueError, match=message):
        dy2st.jax.place(AbstractMesh((2, 4), ("data", "model")), rules, *held)


def test_explicit_axes_are_told(held):
    explicit = jax.make_mesh((1,), ("data",), axis_types=(AxisType.Explicit,))
    with pytest.raises(ValueError, match="kind Explicit; make the mesh by jax.sharding.Mesh"):
        dy2st.jax.place(explicit, {}, *held)
    f, params = dy2st.jax.function(lambda x: x * 2, [dy2st.static.InputSpec([None], "float32", "x")])
    x = jax.device_put(np.ones(3, "float32"), jax.sharding.NamedSharding(explicit, P("data")))
    with pytest.raises(ValueError, match="x has axes of the kind Explicit"):
        jax.jit(f)(params, x)


TEXT = """
%body (a: f32[4]) -> f32[4] {
  %r = f32[4]{0} all-reduce(%a), replica_groups={{0,1,2,3},{4,5,6,7}}, to_apply=%add
}
%far (a: f32[4]) -> f32[4] {
  %g = bf16[8,4]{1,0:T(8,128)} all-gather(%a), replica_groups=[1,8]<=[8], dimensions={0}
}
%near (a: f32[4]) -> f32[4] {
  %p = f32[4]{0} collective-permute(%a), source_target_pairs={{0,1}}
}
ENTRY %main (a: f32[4]) -> f32[4] {
  %w = f32[4]{0} while(%a), condition=%test, body=%body, backend_config={"known_trip_count":{"n":"5"}}
  %v = f32[4]{0} while(%a), condition=%test, body=%body
  %c = f32[4]{0} conditional(%i, %a, %a), branch_computations={%far, %near}
  %s = ((f32[2]{0}, f32[4]{0}), (f32[16]{0}, f32[32]{0})) all-gather-start(%x, %y), replica_groups=mesh['a'=8,'b'=2] {'a'}
  %d = f32[16]{0} all-gather-done(%s)
  %t = f32[3]{0} reduce-scatter(%a), replica_groups=[2,4]<=[8]
}
"""


def test_traffic_of_a_text():
    ring, gathered = 2 * 3 / 4 * 16, 7 / 8
    assert dy2st.jax.traffic(TEXT) == {
        "all-reduce": 5 * ring, "all-reduce in each turn of a loop that data ends": ring,
        "all-gather": gathered * (64 + 192), "reduce-scatter": 3 * 12.0,
    }  # fmt: skip
    with pytest.raises(ValueError, match="which devices exchange messages"):
        dy2st.jax.traffic("ENTRY %main (a: f32[4]) -> f32[4] {\n  %r = f32[4]{0} all-reduce(%a), replica_groups=new\n}")
