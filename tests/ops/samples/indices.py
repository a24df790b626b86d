"""Subscripts, gather, scatter, nonzero."""

from __future__ import annotations

import numpy as np

from .sample import flags, integers, sample, values

ALL = {"slice": [None, None, None]}
X, CUBE = values(3, 4), values(3, 4, 5)
PICK = integers(4, 2, low=0, high=4)
ROWS, LABELS = np.array([0, 2, 0]), np.array([[0, 1, 2, 0], [1, 2, 0, 1]])


def tensor(k: int) -> dict:
    return {"tensor": k}


PLAIN = (
    [{"int": 1}],
    [ALL, {"int": -1}],
    [{"slice": [0, 2, None]}, "newaxis", "ellipsis", {"slice": [None, None, -2]}],
    ["ellipsis", {"int": 0}],
    [{"int": 0}, {"int": 1}, {"int": 2}],
    [],
)
PICKED = (
    ([ALL, tensor(0)], PICK),
    ([tensor(0), ALL, tensor(1)], integers(3, 2, low=0, high=3), integers(3, 2, low=0, high=5)),
    ([ALL, tensor(0), "ellipsis", tensor(1)], integers(3, low=0, high=4), integers(3, low=0, high=5)),
    ([{"int": 1}, tensor(0), tensor(1)], integers(6, low=0, high=4), integers(6, low=0, high=5)),
    ([{"slice": [1, None, None]}, tensor(0)], integers(3, 1, low=-4, high=4)),
    ([tensor(0)], np.array(2)),
)
MASKED = (
    ([ALL, tensor(0)], flags(4, 5)),
    ([tensor(0)], flags(3, 4, 5)),
    ([tensor(0), "ellipsis", tensor(1)], np.array([True, False, True]), integers(2, low=0, high=5)),
)

SAMPLES = {
    "getitem": [sample(CUBE, index=i) for i in PLAIN],
    "getitem_advanced": [sample(CUBE, *tensors, index=i) for i, *tensors in (*PICKED, *MASKED)],
    "setitem": [
        sample(CUBE, values(5, seed=1), index=[{"int": 1}, {"slice": [0, 2, None]}]),
        sample(X, values(1, 4, seed=1), index=[{"int": 1}]),
        sample(X, 2.0, flags(3, 4), index=[tensor(0)]),
        sample(X, values(2, 4, seed=1), np.array([0, 2]), index=[tensor(0)]),
        sample(CUBE, values(3, 2, 5, seed=1), np.array([0, 2]), index=[ALL, tensor(0)]),
    ],
    "setitem_copy": [
        sample(CUBE, values(5, seed=1), index=[{"int": 1}, {"slice": [0, 2, None]}]),
        sample(X, values(seed=1), index=["ellipsis", {"slice": [None, None, -2]}]),
        sample(X, values(2, seed=1).astype("float32"), np.array([0, 2]), index=[tensor(0), {"int": 1}], grad=False),
    ],
    "setitem_add": [
        sample(X, values(4, seed=1), ROWS, index=[tensor(0)]),
        sample(CUBE, values(3, 5, seed=1), ROWS, index=[{"int": 1}, tensor(0)]),
    ],
    "gather": [sample(CUBE, PICK[:3], axis=1), sample(X, np.array(1), axis=0), sample(X, ROWS, axis=-1)],
    "index_add": [sample(X, ROWS, values(3, 3, seed=1), axis=1), sample(X, ROWS, values(3, 4, seed=1), axis=0)],
    "take_along_axis": [sample(X, LABELS, axis=0), sample(X, integers(3, 2, low=0, high=4), axis=-1)],
    "put_along_axis": [
        sample(X, LABELS, values(2, 4, seed=1), axis=0, reduce="assign"),
        sample(X, np.zeros((2, 4), np.int64), values(2, 4, seed=1), axis=0, reduce="add"),
        sample(X, LABELS, values(2, 4, seed=1), axis=0, reduce="multiply"),
        *(sample(X, LABELS[:1], values(1, 4, seed=1), axis=0, reduce=r) for r in ("amin", "amax")),
    ],
    "nonzero": [sample(flags(3, 4)), sample(np.array([0.0, 2.0, -1.0])), sample(np.array(3))],
}
