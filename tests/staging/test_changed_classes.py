"""A class, a base class or a metaclass that gets another attribute or method after a call: the next call sees it."""

from __future__ import annotations

from abc import ABC

import pytest

import dy2st as paddle


class Named:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


def classes():
    """A class with a base, a metaclass and an abstract class, all new; and an object of it."""
    meta = type("Meta", (type,), {"kind": 1, "__iter__": lambda cls: iter([2]), "__call__": lambda cls: type.__call__(cls)})
    base = meta("Base", (), {"size": 1})
    made = meta("Made", (base,), {})
    return meta, base, made, type.__call__(made)


def of_the_metaclass(cls, o):
    return cls.kind


def looked_for_in_the_metaclass(cls, o):
    return getattr(cls, "other", 3)


def looked_for(cls, o):
    return getattr(o, "other", 3)


def of_a_base(cls, o):
    return o.size


def of_a_new_object(cls, o):
    return cls().size


def iterated(cls, o):
    return sum([item for item in cls])


def true(cls, o):
    return 2 if o else 1


def equal(cls, o):
    return 2 if o == 5 else 1


def spelled(cls, o):
    return 2 if str(o) == "spelled" else 1


def an_instance(cls, o):
    return 2 if isinstance(3, cls) else 1


def of_a_class(cls, o):
    return 2 if isinstance(o, OTHER) else 1


def stored(cls, o):
    o.stored = 2
    return o.stored


OTHER = type("Other", (), {})


def set_size(self):
    self.size = 7


CHANGES = {
    of_the_metaclass: lambda meta, base, made: setattr(meta, "kind", property(lambda cls: 7)),
    looked_for_in_the_metaclass: lambda meta, base, made: setattr(meta, "__getattr__", lambda cls, name: 7),
    looked_for: lambda meta, base, made: setattr(base, "__getattr__", lambda self, name: 7),
    of_a_base: lambda meta, base, made: setattr(base, "size", 7),
    of_a_new_object: lambda meta, base, made: setattr(base, "__init__", set_size),
    iterated: lambda meta, base, made: setattr(meta, "__iter__", lambda cls: iter([7])),
    true: lambda meta, base, made: setattr(made, "__bool__", lambda self: False),
    equal: lambda meta, base, made: setattr(base, "__eq__", lambda self, other: True),
    spelled: lambda meta, base, made: setattr(base, "__str__", lambda self: "spelled"),
    an_instance: lambda meta, base, made: setattr(meta, "__instancecheck__", lambda cls, value: True),
    of_a_class: lambda meta, base, made: setattr(made, "__bases__", (base, OTHER)),
    stored: lambda meta, base, made: setattr(made, "__setattr__", lambda self, name, value: vars(self).update({name: 7})),
}


@pytest.mark.parametrize("read", CHANGES)
def test_the_next_call_sees_the_change(read):
    meta, base, made, o = classes()

    @paddle.jit.to_static
    def function(x):
        return x * read(made, o)

    x = paddle.to_tensor([1.0])
    assert function(x).item() == read(made, o)
    before = read(made, o)
    CHANGES[read](meta, base, made)
    assert read(made, o) != before
    assert [function(x).item(), function(x).item()] == [read(made, o)] * 2


def test_a_class_that_is_registered_later():
    class Kind(ABC): ...

    class Made: ...

    o = Made()

    @paddle.jit.to_static
    def function(x):
        return x * 2 if isinstance(o, Kind) else x

    x = paddle.to_tensor([1.0])
    assert function(x).item() == 1.0
    Kind.register(Made)
    assert function(x).item() == 2.0


def test_other_classes_that_are_registered_leave_the_program():
    """As an import may do."""

    class Kind(ABC): ...

    class Other(ABC): ...

    class Made: ...

    o = Made()

    @paddle.jit.to_static
    def function(x, n):
        return x * 2 if isinstance(o, Kind) else x + isinstance(x.shape, Kind) + isinstance(n, Kind) + isinstance(x, Kind)

    x = paddle.to_tensor([1.0])
    assert function(x, 3).item() == 1.0
    (program,) = function.program_cache
    Other.register(Made)
    Kind.register(dict)
    assert function(x, 3).item() == 1.0 and [*function.program_cache] == [program]
    Kind.register(paddle.Tensor)
    assert function(x, 3).item() == 2.0


def test_the_equality_of_keys(monkeypatch):
    table, key = {Named("a"): 5}, Named("a")

    @paddle.jit.to_static
    def function(x):
        return x * table.get(key, 9)

    x = paddle.to_tensor([1.0])
    assert function(x).item() == 5.0
    monkeypatch.setattr(Named, "__eq__", lambda self, other: False)
    assert function(x).item() == 9.0


ANSWERS = {"__bool__": False, "__len__": 0, "__eq__": True, "__hash__": 7, "__str__": "spelled", "__call__": 5}


@pytest.mark.parametrize("of_metaclass", [False, True])
@pytest.mark.parametrize("special, answer", ANSWERS.items())
def test_s_04_a_class_loses_one_name_and_gains_a_special_method(special, answer, of_metaclass):
    meta = type("Meta", (type,), {"gone": 1})
    made = meta("Made", (), {"gone": 1})
    owner, o = (meta, made) if of_metaclass else (made, made())

    def plain(x):
        asked = [bool(o), o == 5, hash(o) == 7, str(o) == "spelled", callable(o) and not isinstance(o, type) and o() == 5]
        return x * sum(2**k for k, answer in enumerate(asked) if answer)

    static, x = paddle.jit.to_static(plain), paddle.to_tensor([1.0])
    assert [static(x).item() for _ in range(3)] == [plain(x).item()] * 3
    before = plain(x).item()
    del owner.gone
    setattr(owner, special, lambda *_: answer)
    assert [static(x).item(), static(x).item()] == [plain(x).item()] * 2
    assert of_metaclass or plain(x).item() != before


def test_s_04_names_of_a_class_that_are_state_may_come_and_go():
    class Counted: ...

    @paddle.jit.to_static
    def function(x):
        Counted.calls = getattr(Counted, "calls", 0) + 1
        return x * Counted.calls * (2 if Counted() else 1)

    x = paddle.to_tensor([1.0])
    assert [function(x).item() for _ in range(3)] == [2.0, 4.0, 6.0]
    Counted.__bool__ = lambda self: False
    assert [function(x).item() for _ in range(2)] == [4.0, 5.0]


def test_a_special_method_that_is_absent_by_none():
    class Manager:
        def __exit__(self, *error): ...

    Manager.__enter__ = None

    @paddle.jit.to_static
    def function(x):
        with Manager():
            return x

    with pytest.raises(TypeError, match="'NoneType' object is not callable"):
        function(paddle.to_tensor([1.0]))


def test_a_metaclass_that_takes_the_hash_away():
    meta = type("Meta", (type,), {"__eq__": lambda cls, other: other == 5})
    Made = meta("Made", (), {"rate": 3.0})
    o = Made()

    @paddle.jit.to_static
    def function(x):
        return x * o.rate if Made == 5 else x

    assert function(paddle.to_tensor([1.0])).item() == 3.0
