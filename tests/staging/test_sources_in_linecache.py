"""A function whose source lies in `linecache` alone is converted, as in a notebook."""

from __future__ import annotations

import linecache

import dy2st as paddle


def test_a_source_that_was_split_into_lines_is_converted():
    source = "def doubled(x):\n    if x.sum() > 0:\n        x = x * 2\n    return x"
    linecache.cache["<made here>"] = (len(source), None, source.split("\n"), "<made here>")
    made = {}
    exec(compile(source, "<made here>", "exec"), made)
    static, x = paddle.jit.to_static(made["doubled"]), paddle.to_tensor([1.0, 2.0])
    assert static(x).tolist() == [2, 4] and static(-x).tolist() == [-1, -2]
