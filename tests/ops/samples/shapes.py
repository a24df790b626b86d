"""Views, joins, repetitions, padding."""

from __future__ import annotations

from .sample import integers, sample, values

X, CUBE = values(2, 3), values(2, 3, 4)
PADS = ((1, 0), (2, 1))

SAMPLES = {
    "reshape": [
        sample(CUBE, shape=[6, -1]),
        sample(CUBE, shape=[24]),
        sample(values(), shape=[1, 1]),
        sample(integers(4, 3), shape=[2, 6]),
    ],
    "flatten": [
        sample(CUBE, start_axis=1, stop_axis=-1),
        sample(CUBE, start_axis=0, stop_axis=1),
        sample(values(), start_axis=0, stop_axis=-1),
    ],
    "squeeze": [sample(values(2, 1, 3, 1), axis=[1]), sample(values(2, 1, 3, 1), axis=None), sample(X, axis=[0])],
    "unsqueeze": [sample(X, axis=[0, -1]), sample(X, axis=[1]), sample(values(), axis=[0])],
    "checkpoint": [sample(X, at="start", depth=0)],
    "expect": [sample(CUBE, shape=[-1, 3, -1], what="x"), sample(X, shape=[2, 3], what="x")],
    "transpose": [sample(CUBE, perm=[2, 0, 1]), sample(X, perm=[1, 0])],
    "broadcast_to": [sample(values(3, 1), shape=[2, -1, 4]), sample(values(3), shape=[2, 3]), sample(values(), shape=[2])],
    "detach": [sample(X), sample(values()), sample(integers(4))],
    "reshape_scatter": [sample(X, values(6, seed=1), shape=[6])],
    "transpose_scatter": [sample(CUBE, values(4, 2, 3, seed=1), perm=[2, 0, 1])],
    "detach_scatter": [sample(X, values(2, 3, seed=1), grad=False)],  # gradients pass by what is written
    "before_write": [sample(X)],
    "needing": [sample(X, values(2, seed=1))],
    "saving": [sample(X, values(2, seed=1), always=1), sample(X, values(2, seed=1), always=0, result=True)],
    "with_slope": [sample(X, values(3, seed=1), values(2, 1, seed=2), grad=False)],  # the gradient is whatever is said
    "as_strided": [
        sample(CUBE, shape=[2, 3], stride=[12, 4], offset=1),
        sample(X, shape=[2], stride=[3], offset=0),
        sample(X, shape=[2, 3], stride=[1, 1], offset=2),
        sample(X, shape=[], stride=[], offset=5),
    ],
    "as_strided_scatter": [
        sample(CUBE, values(2, 3, seed=1), shape=[2, 3], stride=[12, 4], offset=1),
        sample(X, values(seed=1), shape=[], stride=[], offset=5),
    ],
    "strided_add": [
        sample(CUBE, values(2, 3, seed=1), shape=[2, 3], stride=[12, 4], offset=1),
        sample(X, values(2, 3, seed=1), shape=[2, 3], stride=[1, 1], offset=2),
    ],
    "windows": [
        sample(X, axis=1, size=2, step=1),
        sample(CUBE, axis=1, size=1, step=2),
        sample(CUBE, axis=2, size=3, step=1),
        sample(values(7), axis=0, size=2, step=3),
        sample(X, axis=0, size=0, step=1),
    ],
    "windows_scatter": [
        sample(CUBE, values(2, 3, 2, 2, seed=1), axis=2, size=2, step=2),
        sample(values(7), values(2, 2, seed=1), axis=0, size=2, step=3),
    ],
    "windows_add": [
        sample(X, values(2, 2, 2, seed=1), axis=1, size=2, step=1),
        sample(CUBE, values(2, 2, 4, 1, seed=1), axis=1, size=1, step=2),
    ],
    "diagonal": [
        sample(X, offset=0, axis1=0, axis2=1),
        sample(X, offset=1, axis1=0, axis2=1),
        sample(CUBE, offset=-1, axis1=2, axis2=0),
        sample(X, offset=5, axis1=0, axis2=1),
    ],
    "diagonal_scatter": [
        sample(X, values(2, seed=1), offset=1, axis1=0, axis2=1),
        sample(CUBE, values(3, 2, seed=1), offset=-1, axis1=2, axis2=0),
    ],
    "concat": [
        sample(X, values(4, 3, seed=1), axis=0),
        sample(X, values(2, 1, seed=1), X, axis=-1),
        sample(CUBE, axis=1),
        sample(integers(2), integers(3), axis=0),
    ],
    "stack": [sample(X, values(2, 3, seed=1), axis=0), sample(X, X, X, axis=-1), sample(values(), values(seed=1), axis=0)],
    "tile": [sample(X, repeat_times=[2, 3]), sample(X, repeat_times=[2, 1, 1]), sample(CUBE, repeat_times=[2])],
    "repeat_interleave": [sample(X, repeats=2, axis=0), sample(CUBE, repeats=3, axis=-1)],
    "flip": [sample(X, axis=[1]), sample(CUBE, axis=[0, -1])],
    "roll": [sample(X, shifts=[1], axis=[1]), sample(CUBE, shifts=[2, -1], axis=[0, 2]), sample(X, shifts=[4], axis=None)],
    "pad": [
        sample(X, pads=PADS, mode="constant", value=1.5),
        sample(X, pads=((-1, 0), (2, -1)), mode="constant", value=0.0),
        *(sample(values(3, 4), pads=PADS, mode=mode) for mode in ("reflect", "replicate", "circular")),
    ],
    "pad_fold": [sample(values(4, 7), pads=PADS, mode=mode) for mode in ("reflect", "replicate", "circular")],
}
