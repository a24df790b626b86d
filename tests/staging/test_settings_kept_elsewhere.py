"""What `__getattr__` and `__setattr__` keep in a dict of the object's own, and what a statement inside a function imports."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

import dy2st as paddle

X = paddle.to_tensor([1.0])


class Settings:
    """Attributes lie in a dict of the object's own."""

    def __init__(self, **held):
        self.__dict__["store"] = held

    def __getattr__(self, name):
        try:
            return self.__dict__["store"][name]
        except KeyError:
            return 0

    def __setattr__(self, name, value):
        self.store[name] = value


def stores(c, x):
    c.z = 5
    return x * c.z


def counts(c, x):
    c.z = c.z + 1
    return x * c.z + c.other


def keeps_a_tensor(c, x):
    c.seen = c.seen + x
    return c.seen * 2


def on_a_path(c, x):
    if x.sum() > 0:
        c.z += 1
    return x * c.z


def by_name(c, x):
    setattr(c, "z", getattr(c, "z") + 1)  # noqa: B009, B010
    return x * c.z


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("use", [stores, counts, keeps_a_tensor, on_a_path, by_name])
def test_settings_change_as_in_plain_python(use):
    plain, live = Settings(other=1), Settings(other=1)
    static = paddle.jit.to_static(lambda x: use(live, x))
    for _ in range(3):
        assert static(X).tolist() == use(plain, X).tolist()
        assert repr(live.store) == repr(plain.store)


@pytest.fixture
def module():
    made = sys.modules["settings_of_a_test"] = ModuleType("settings_of_a_test")
    made.obj, made.scale, made.names = SimpleNamespace(n=0), 1, ["a"]
    yield made
    del sys.modules["settings_of_a_test"]


def names_it(x):
    from settings_of_a_test import obj

    obj.n += 1
    return x * obj.n


def names_the_module(x):
    import settings_of_a_test

    settings_of_a_test.obj.n += 1
    settings_of_a_test.names.append("b")
    return x * settings_of_a_test.obj.n + len(settings_of_a_test.names)


def stores_in_the_module(x):
    import settings_of_a_test as settings

    settings.scale = settings.scale * 2
    return x * settings.scale


@pytest.mark.parametrize("use", [names_it, names_the_module, stores_in_the_module])
def test_what_a_function_imports_is_state(module, use):
    expected = [use(X).tolist() for _ in range(3)]
    module.obj, module.scale, module.names = SimpleNamespace(n=0), 1, ["a"]
    static = paddle.jit.to_static(use)
    assert [static(X).tolist() for _ in range(3)] == expected


def reads(x):
    import settings_of_a_test

    return x * settings_of_a_test.scale


def reads_a_name(x):
    from settings_of_a_test import scale

    return x * scale


@pytest.mark.parametrize("use", [reads, reads_a_name])
def test_what_a_function_imports_may_change(module, use):
    static = paddle.jit.to_static(use)
    found = []
    for module.scale in (1, 5, 5, 2):
        found.append(static(X).item())
    assert found == [1, 5, 5, 2]


def test_a_module_that_the_first_call_imports(tmp_path, monkeypatch):
    (tmp_path / "imported_by_a_call.py").write_text("from types import SimpleNamespace\nobj = SimpleNamespace(n=0)\n")
    monkeypatch.syspath_prepend(tmp_path)

    @paddle.jit.to_static
    def use(x):
        from imported_by_a_call import obj

        obj.n += 1
        return x * obj.n

    try:
        assert [use(X).item() for _ in range(3)] == [1, 2, 3]
    finally:
        sys.modules.pop("imported_by_a_call", None)
