"""Random types, literals and Programs for property-based tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from dy2st.dtypes import DTYPES, NAMES
from dy2st.ir.builder import Builder
from dy2st.ir.core import Loc
from dy2st.ir.join import join_types, kind
from dy2st.ir.native import UNBOUND, Atom, Cell, Instance, Record
from dy2st.ir.types import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    NUMBER,
    STR,
    AtomType,
    CellType,
    ClassType,
    DictType,
    FunctionType,
    ListType,
    SequenceType,
    SetType,
    SumType,
    TensorType,
    TupleType,
)
from dy2st.ir.types import UNBOUND as UNBOUND_TYPE

names = st.text(min_size=1, max_size=6) | st.sampled_from(["x", "n", "self.w", "int", "sum", "a b", "<locals>", "1", "-", "then"])
dims = st.none() | st.integers(0, 4) | st.sampled_from(["n", "batch", "odd name", "3d"])
dtypes = st.sampled_from(NAMES)
tensors = st.builds(TensorType, dtypes, st.none() | st.lists(dims, max_size=3).map(tuple))
scalars = st.sampled_from([BOOL, INT, FLOAT, STR, NONE, NUMBER, UNBOUND_TYPE])


def _tuples(inner):
    plain = st.lists(inner, max_size=3).map(lambda e: TupleType(tuple(e)))
    field = st.tuples(st.sampled_from(["x", "y", "a b"]), inner)
    fields = st.lists(field, max_size=2, unique_by=lambda f: f[0])
    named = st.builds(lambda n, f: TupleType(tuple(t for _, t in f), n, tuple(k for k, _ in f)), names, fields)
    return plain | named


def _classes(inner):
    fields = st.lists(st.tuples(st.sampled_from(["x", "y", "z w"]), inner), max_size=3, unique_by=lambda f: f[0])
    return st.builds(lambda n, f: ClassType(n, tuple(f)), st.sampled_from(["A", "B.<locals>.C"]), fields)


def _sums(inner):
    """Canonical sums: alternatives of different kinds, sorted by kind."""
    flat = inner.filter(lambda t: t != NEVER and not isinstance(t, SumType))
    many = st.lists(flat, min_size=2, max_size=4, unique_by=kind).filter(lambda ts: not _has_two_tuples(ts))
    return many.map(lambda ts: SumType(tuple(sorted(ts, key=kind))))


def _has_two_tuples(types):
    """A tuple of known length and one of unknown length are one kind."""
    return any(isinstance(t, SequenceType) for t in types) and any(isinstance(t, TupleType) and not t.name for t in types)


def _compound(inner):
    return st.one_of(
        st.builds(ListType, inner | st.just(NEVER)),
        st.builds(SetType, inner),
        st.builds(SequenceType, inner),
        st.builds(DictType, inner, inner),
        st.builds(CellType, inner),
        _tuples(inner),
        _classes(inner),
        st.builds(FunctionType, st.lists(inner, max_size=2).map(tuple), inner | st.just(NEVER)),
        _sums(inner),
    )


types = st.recursive(scalars | tensors | st.builds(AtomType, names), _compound, max_leaves=8)
types_or_never = types | st.just(NEVER)

# --- literals -------------------------------------------------------------------------------------------------------

any_text = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(['"', "\\n", "\n\r\u2028\u0085", "\ud800", "%x # $1"])
scalar_values = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(2**5000), 2**5000), st.floats(), st.floats(width=16), any_text
)
attributes = st.recursive(
    scalar_values,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple), st.dictionaries(any_text, inner, max_size=3)
    ),
    max_leaves=6,
)
arrays = st.builds(
    lambda dtype, shape: (np.arange(np.prod(shape, dtype=int)) % 2).reshape(shape).astype(DTYPES[dtype].numpy),
    dtypes,
    st.lists(st.integers(0, 4), max_size=4),
)
_hashable = st.booleans() | st.integers() | any_text | st.builds(Atom, any_text)
states = st.recursive(
    scalar_values | st.builds(Atom, any_text) | st.just(UNBOUND) | arrays,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        inner.map(lambda v: [v, v]),
        st.dictionaries(_hashable, inner, max_size=3),
        st.sets(_hashable, max_size=3),
        st.builds(lambda n, v: Record.of(n, tuple(f"f{k}" for k in range(len(v))), v), names, st.lists(inner, max_size=2)),
        st.builds(
            lambda n, v: Instance(n, **v),
            names,
            st.dictionaries(names.filter(lambda n: n != "cls" and n != "self"), inner, max_size=2),
        ),
        st.builds(Cell, inner),
    ),
    max_leaves=6,
)

# --- Programs -------------------------------------------------------------------------------------------------------

locs = st.none() | st.builds(Loc, any_text, st.integers(0, 10**6), any_text, st.integers(0, 10**4))


@st.composite
def programs(draw):
    """A Program of random operations whose structure (dominance, blocks, terminators) is sound; its types may be nonsense."""
    b = Builder()
    for name in draw(st.lists(names, max_size=2, unique=True)):
        b.param(name, np.zeros((2, 3), np.float32)) if b.blocks else _declare_parameter(b, name, draw)
    for name in draw(st.lists(names, max_size=3, unique=True)):
        b.declare_state(name, draw(types), draw(states))
    for name in draw(st.lists(names, min_size=1, max_size=2, unique=True)):
        params = draw(st.dictionaries(names, types, max_size=3))
        with b.function(name, **params) as args:
            _fill(b, draw, list(args), 0)
            b.return_(draw(st.sampled_from(args)) if args else b.const(None))
    return b.program


def _declare_parameter(b, name, draw):
    from dy2st.ir.core import Parameter

    kind_ = draw(st.sampled_from(["parameter", "buffer", "constant"]))
    b.program.parameters[name] = Parameter(draw(tensors), None, kind_, draw(st.booleans()))


def _fill(b, draw, visible, depth):
    for _ in range(draw(st.integers(0, 4))):
        b.loc, b.path = draw(locs), draw(st.sampled_from(["", "layers.0.linear", "odd path", "@"]))
        choice = draw(st.integers(0, 6 if depth < 3 else 3))
        operands = draw(st.lists(st.sampled_from(visible), max_size=3)) if visible else []
        hint = draw(st.sampled_from(["", "x", "x_1", "y", "7"]) | names)
        if choice <= 2:
            attrs = draw(st.dictionaries(names, attributes, max_size=2))
            if operands and draw(st.booleans()):
                attrs["shape"] = [operands[0], 3, (operands[-1],)]
            found = b._append(draw(names), operands, draw(st.lists(types, max_size=2)), attrs, name=hint)
            visible += found if isinstance(found, list) else [found]
        elif choice == 3:
            visible.append(b.const(draw(scalar_values), hint))
        else:
            labels = {4: "if", 5: "while", 6: "try"}[choice]
            attrs = {"handlers": [["A", "B"]], "finally": draw(st.booleans())} if labels == "try" else {}
            count = 2 + attrs.get("finally", False)
            blocks = []
            for _ in range(count):
                args = draw(st.lists(types, max_size=2)) if labels == "while" else []
                blocks.append(b.fill(lambda *a: _fill(b, draw, [*visible, *a], depth + 1), args, ["x", hint]))
            found = b._append(labels, operands, draw(st.lists(types, max_size=2)), attrs, blocks, name=hint)
            visible += found if isinstance(found, list) else [found]


__all__ = ["attributes", "join_types", "programs", "scalar_values", "states", "types", "types_or_never"]
