"""What walks and copies of values give, held against the same written out in plain Python."""

import copy

import numpy as np

from dy2st import pytree
from dy2st.ir import native


def is_number(value):
    return isinstance(value, int)


def test_nodes_come_before_their_parts_and_what_holds_itself_ends():
    inner = [3]
    tree = [1, {"a": inner, "b": (inner, 4)}]
    found = list(pytree.nodes(tree))
    assert found[:3] == [tree, 1, tree[1]] and [x for x in found if x is inner] == [inner, inner] and found[-1] == 4
    assert [x for x in found if is_number(x)] == [1, 3, 4]  # a part that is held twice is looked into once
    tree.append(tree)
    assert sum(node is tree for node in pytree.nodes(tree)) == 2


def test_nodes_of_anything_that_says_its_parts():
    below = {1: (2, 3), 2: (4,), 3: (), 4: ()}
    assert list(pytree.nodes(1, below.__getitem__)) == [1, 2, 4, 3]


def test_flat_looks_into_the_containers_that_are_named():
    assert pytree.flat([1, (2, [3]), {"a": 4}], list, tuple) == [1, 2, 3, {"a": 4}]
    assert pytree.flat(5, list) == [5]


def test_a_copy_keeps_what_is_shared_where_it_is_asked_to():
    shared = [1]
    tree = {"x": shared, "y": (shared, 2)}
    made = pytree.copied(tree, is_number, lambda n: n * 10, {})
    assert made == {"x": [10], "y": ([10], 20)} and made["x"] is made["y"][0]
    apart = pytree.copied(tree, is_number, lambda n: n)
    assert apart == tree and apart["x"] is not apart["y"][0] and apart["x"] is not shared


def test_held_in_has_the_keys_of_dicts_and_no_attributes():
    class Named(list):
        pass

    named = Named([1, 2])
    named.title = "x"
    assert pytree.held_in(named) == [1, 2] and pytree.held_in({"a": 1}) == ["a", 1] and pytree.held_in("text") == []


def test_native_values_are_mapped_into_containers_of_their_own():
    row = np.ones(2)
    value = [row, (row, 2), {"k": row}, native.Record.of("P", ("x",), [row])]
    made = native.mapped(lambda x: x if isinstance(x, str) else x * 2, lambda x: isinstance(x, (list, dict, tuple)), value)
    assert made[0].tolist() == [2, 2] and made[1][1] == 4 and made[2]["k"].tolist() == [2, 2]
    assert (made[3].name, made[3].fields, made[3][0].tolist()) == ("P", ("x",), [2, 2])
    assert value[0] is row and [x.tolist() for x in native.leaves(value, lambda x: isinstance(x, np.ndarray))] == [[1, 1]] * 4


def test_native_values_are_copied_with_their_aliases_and_circles():
    held = native.Instance("A", n=1)
    value = [held, {"again": held}, native.Cell(held), {3}]
    value.append(value)
    made = native.with_leaves(value, copy.copy)
    assert made is not value and made[4] is made and made[3] == {3}
    assert made[0] is made[1]["again"] is made[2].value and made[0] is not held and made[0].fields == {"n": 1}


def test_placed_gives_all_that_is_held_with_its_place():
    def inside(place, value):
        return [(f"{place}/{key.key}", part) for key, part in pytree.parts_of(value)]

    shared = [3]
    assert list(pytree.placed("x", {"a": shared, "b": (shared, 4)}, inside)) == [
        ("x", {"a": [3], "b": ([3], 4)}),
        *(("x/a", [3]), ("x/a/0", 3)),  # what is held twice is at two places
        *(("x/b", ([3], 4)), ("x/b/0", [3]), ("x/b/0/0", 3), ("x/b/1", 4)),
    ]


def test_leaves_by_other_parts():
    def in_order_of_keys(value):
        return [value[key] for key in sorted(value)] if isinstance(value, dict) else value

    assert list(pytree.walk([1, {"b": 3, "a": (2,)}], is_number, in_order_of_keys)) == [1, 2, 3]


def test_columns_are_the_items_or_the_keys_and_the_values():
    assert [list(column) for column in native.columns([1, 2])] == [[1, 2]]
    assert [list(column) for column in native.columns({"a": 1, "b": 2})] == [["a", "b"], [1, 2]]
