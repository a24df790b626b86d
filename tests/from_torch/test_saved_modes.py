"""Modes of PyTorch modules that are saved and loaded: `train()` and `eval()` do what they do to the module."""

from __future__ import annotations

import copy
import warnings

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import Dy2stWarning  # noqa: E402
from dy2st.jit import load, save  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402

SPECS = [InputSpec([None, 3], "float32", "x")]
X = torch.arange(12.0).reshape(4, 3) / 6 - 0.5


class Net(nn.Module):
    """Dropout with p=1 drops everything, and draws nothing that would have to be compared."""

    def __init__(self):
        super().__init__()
        self.drop, self.norm, self.frozen = nn.Dropout(1.0), nn.BatchNorm1d(3), nn.BatchNorm1d(3)
        self.frozen.running_mean.fill_(0.5)

    def forward(self, x):
        y = self.drop(x) + self.norm(x) * 2 + self.frozen(x)
        if self.training:
            y = y + 100
        return y


class KeepsFrozen(Net):
    def train(self, mode=True):
        super().train(mode)
        self.frozen.eval()
        return self


def saved(module, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Dy2stWarning)
        save(dy2st.torch.to_static(module, SPECS), path, **options)
    return load(path)


def same(loaded, module):
    assert loaded.training is module.training
    torch.testing.assert_close(torch.from_numpy(loaded(X.numpy()).numpy()), module(X).detach())


@pytest.mark.parametrize("switches", [("eval", "train"), ("train", "eval"), ("eval", "eval", "train", "train")])
@pytest.mark.parametrize("cls", [Net, KeepsFrozen])
@pytest.mark.parametrize("start", ["train", "eval", "frozen", "dropping"])
def test_s_01_train_and_eval_of_a_loaded_model_do_what_they_do_to_the_module(start, cls, switches, tmp_path):
    module = cls()
    module.train(start in ("train", "frozen"))
    if start == "frozen":
        module.frozen.eval()
    if start == "dropping":
        module.drop.train()
    loaded = saved(module, tmp_path / "net")
    same(loaded, module)
    for switch in switches:
        getattr(loaded, switch)(), getattr(module, switch)()
        same(loaded, module)
        same(copy.deepcopy(loaded), copy.deepcopy(module))


def test_s_01_a_function_follows_the_modules_that_it_names(tmp_path):
    module = Net()

    def function(x):
        return module(x) * 2

    loaded = saved(function, tmp_path / "function")
    for _ in range(2):
        torch.testing.assert_close(torch.from_numpy(loaded(X.numpy()).numpy()), function(X).detach())
        loaded.eval(), module.eval()


def test_s_01_a_model_that_is_switched_and_saved_again_is_in_that_mode(tmp_path):
    module = Net()
    module.frozen.eval()
    for mode in (False, True):
        loaded = saved(module, tmp_path / "net").train(mode)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Dy2stWarning)
            save(loaded, tmp_path / "again")
        again, plain = load(tmp_path / "again"), copy.deepcopy(module).train(mode)
        same(again, plain)
        same(again.train(not mode), plain.train(not mode))


def test_s_01_a_train_that_changes_more_than_modes_is_refused_in_the_other_mode(tmp_path):
    class Merging(nn.Linear):
        def train(self, mode=True):
            if self.training and not mode:
                self.weight.data.mul_(2)
            return super().train(mode)

        def forward(self, x):
            return super().forward(x) + (1 if self.training else 0)

    module = Merging(3, 3)
    before = module.weight.clone()
    loaded = saved(module, tmp_path / "net")
    assert torch.equal(module.weight, before) and module.training
    same(loaded, module)
    with pytest.raises(RuntimeError, match="Merging.train changes Merging.weight"):
        loaded.eval()(X.numpy())


def test_s_01_a_part_of_a_loaded_model_is_not_switched_alone(tmp_path):
    loaded = saved(Net(), tmp_path / "net")
    with pytest.raises(RuntimeError, match="frozen is a part of the loaded Net"):
        loaded.frozen.eval()


def test_i_04_a_model_saved_while_training_is_told_once_at_the_users_line(tmp_path):
    module = Net()
    net = dy2st.torch.to_static(module, SPECS)
    for options in ({}, {"one_mode": True}):
        with pytest.warns(Dy2stWarning, match="Net is saved in training mode") as told:
            save(net, tmp_path / "net", **options)
        assert [each.filename for each in told] == [__file__]
        assert module.training
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        module.eval()
        save(net, tmp_path / "net")
        save(load(tmp_path / "net"), tmp_path / "again")
        save(dy2st.torch.to_static(nn.Linear(3, 2), SPECS), tmp_path / "linear")  # which has no modes


def test_i_04_exports_of_a_model_in_training_are_told(tmp_path):
    pytest.importorskip("onnx")
    net = dy2st.torch.to_static(Net(), SPECS)
    with pytest.warns(Dy2stWarning, match="Net is saved in training mode") as told:
        dy2st.onnx.export(net, tmp_path / "net.onnx")
    assert len(told) == 1
    loaded = saved(Net(), tmp_path / "net")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dy2st.onnx.export(loaded.eval(), tmp_path / "net.onnx")


def test_i_04_functions_for_jax_of_a_model_in_training_are_told():
    pytest.importorskip("jax")
    with pytest.warns(Dy2stWarning, match="Net is saved in training mode") as told:
        dy2st.jax.function(dy2st.torch.to_static(Net(), SPECS))
    assert len(told) == 1


def test_i_05_a_model_has_the_name_of_its_class(tmp_path):
    net = dy2st.torch.to_static(Net().eval(), SPECS)
    assert type(net).__name__ == "Net" and repr(net).startswith("Net(")
    loaded = saved(net.module, tmp_path / "net")
    assert loaded.info.name == "Net" and repr(loaded).startswith("<TranslatedLayer Net:")
    assert "Static" not in (tmp_path / "net.info.json").read_text()
    assert net.forward.concrete_program.to_html().count("StaticLayer") == 0
