"""Values that are one of several kinds, in built-ins, subscripts, methods and patterns: plain Python's values and exceptions."""

from __future__ import annotations

import enum
from collections import defaultdict, deque, namedtuple

import numpy as np
import pytest

import dy2st as paddle
from dy2st.errors import ConversionError, Dy2stError
from dy2st.static import InputSpec

from .agreement import as_programs, assert_agrees

VECTOR = (InputSpec([None]),)
CALLS = [(np.array(x, np.float32),) for x in ([1, 1], [-1, -1], [3, 1, 1])]


def agrees(function, **options):
    assert_agrees(function, VECTOR, CALLS, **options)


class Computed:
    def __init__(self, n):
        self.n = n

    def __getattr__(self, name):
        if name == "made":
            return self.n + 7
        raise AttributeError(name)


class Plain:
    made = 3

    def __init__(self, n):
        self.n = n


class Level:
    def __init__(self, k):
        self.k = k

    def __index__(self):
        return self.k


class Pair(namedtuple("Pair", "a b")):
    def __len__(self):
        raise ValueError("asked for its length")


def asked_of_a_chosen_object(x):
    o = Computed(1) if x.sum() > 0 else Plain(2)
    return getattr(o, "made", 5), hasattr(o, "made"), hasattr(o, "other"), getattr(o, "other", 9)


def asked_of_an_object_of_a_loop(x):
    o = Computed(1)
    while x.sum() > 2:
        o = Computed(o.n + 1)
        x = x / 2
    return getattr(o, "made", 5), hasattr(o, "made"), hasattr(o, "other"), getattr(o, "other", 9)


def test_s_31_getattr_and_hasattr_of_a_chosen_object_ask_its_getattr():
    agrees(asked_of_a_chosen_object)
    agrees(asked_of_an_object_of_a_loop)


def indices_of_objects(x):
    k = Level(int(x.sum()) % 3)
    xs = [1, 2, 3]
    xs.insert(k, 9)
    try:
        return xs[k], xs[k:], "abc"[k], (4, 5, 6)[:k], hex(k), bin(k), list(range(k)), int(k), "a".center(k), "%x" % k
    except TypeError:
        return "handled"


def test_s_32_an_object_with_an_index_of_the_program_is_an_index():
    agrees(indices_of_objects)


def iterators_of_list_or_tuple(x):
    v = [1, 2] if x.sum() > 0 else (3, 4, 5)
    return next(iter(v)), list(enumerate(v)), list(zip(v, v)), list(map(str, v)), max(v), next(enumerate(v))


def iterators_of_dict_or_list(x):
    v = {3: 4} if x.sum() > 0 else [1, 2]
    return next(iter(v)), list(enumerate(v)), list(zip(v, v)), list(map(str, v)), max(v), next(reversed(v))


class Counted:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        yield self.n
        yield self.n + 1


class Listed:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter([self.n])


def iterators_of_objects(x):
    v = Counted(1) if x.sum() > 0 else Listed(5)
    return next(iter(v)), list(enumerate(v)), list(zip(v, v)), list(map(str, v)), max(v)


def test_e_03_iterators_of_a_value_of_several_kinds():
    agrees(iterators_of_list_or_tuple)
    agrees(iterators_of_dict_or_list)
    agrees(iterators_of_objects)


def rest_of_a_mapping(x):
    v = {"a": 1, "b": 2} if x.sum() > 0 else None
    match v:
        case {"a": q, **rest}:
            return q, rest
        case _:
            return "none"


def test_e_03_the_rest_of_a_mapping_pattern_of_dict_or_none():
    agrees(rest_of_a_mapping)


def order_of_chosen_lists(x):
    v = [1, 2] if x.sum() > 0 else [3]
    w = [1, 3] if x.sum() > 0 else [2, 2]
    return v < w, v <= w, v > w, v >= w, [1] < v


def test_e_03_chosen_lists_have_an_order():
    agrees(order_of_chosen_lists)


def infinite_as_int(x):
    v = 3 if x.sum() > 0 else float("inf")
    try:
        return "%d" % v
    except OverflowError as error:
        return str(error)


def test_e_03_percent_d_of_infinity_stays_in_the_try():
    agrees(infinite_as_int)


def powers_as_indices(x):
    k = int(x.sum()) % 3
    xs = [1, 2, 3, 4, 5]
    return xs[k**2 % 5], "abc"[2**k % 3], xs[: k**2], (1, 2, 3)[2**k % 3], x[k**2 % 1], x[: k**2]


def test_e_04_an_int_power_is_an_index(recwarn):
    agrees(powers_as_indices)
    assert not recwarn.list


def halves_as_indices(x):
    k = int(x.sum())
    try:
        return [1, 2, 3][2**k]
    except TypeError as error:
        return str(error)


def test_e_04_a_power_that_is_a_float_is_no_index():
    agrees(halves_as_indices)


def split_by_none(x):
    s = " a b c" if x.sum() > 0 else "d e  f g "
    given = (s.split(None, 1), s.split(maxsplit=1), s.rsplit(sep=None, maxsplit=1), s.strip(None), s.splitlines(keepends=True))
    return given, s.find("e", None, 4), "a b a".split(maxsplit=int(x.sum()))


def test_e_04_methods_of_texts_take_none_and_keywords():
    agrees(split_by_none)


def wrong_arguments_of_texts(x):
    s = "a b" if x.sum() > 0 else "c"
    said = []
    try:
        s.split([])
    except TypeError as error:
        said.append(str(error))
    try:
        s.split(most=1)
    except TypeError as error:
        said.append(str(error))
    try:
        s.center("7")
    except TypeError as error:
        said.append(str(error))
    return said


def test_e_04_methods_of_texts_say_what_python_says():
    agrees(wrong_arguments_of_texts)


def compared_without_its_length(x):
    chosen = Pair(1, 2) if x.sum() > 0 else Pair(1, 3)
    return Pair(1, int(x.sum())) == (1, 2), Pair(1, int(x.sum())) != Pair(1, 2), chosen == (1, 2), (1, 2) in [chosen]


def test_e_07_tuples_are_compared_without_asking_for_their_length():
    agrees(compared_without_its_length)


def transposed_pairs(x):
    pairs = []
    for row in x:
        pairs.append((row, x))
    scalars, vectors = zip(*pairs)
    return paddle.stack(list(scalars)), paddle.stack(list(vectors))


def test_e_07_zip_of_an_open_number_of_pairs_of_two_ranks():
    agrees(transposed_pairs)


def methods_of_text_or_none(x):
    v = "a b" if x.sum() > 0 else None
    if v is None:
        return "none"
    return v.startswith("a"), v.split(maxsplit=1), v.replace("a", "z", 1)


def a_method_that_one_kind_lacks(x):
    v = "a b" if x.sum() > 0 else 3
    try:
        return v.startswith("a")
    except AttributeError as error:
        return str(error)


def test_methods_of_a_text_that_may_be_something_else():
    agrees(methods_of_text_or_none)
    agrees(a_method_that_one_kind_lacks)


def parts_of_a_choice(x):
    v = ((1, 2), 3) if x.sum() > 0 else [[4, 5], 6]
    (a, b), c = v
    return a, b, c


def test_nested_targets_take_a_choice_apart():
    agrees(parts_of_a_choice)


def is_itself(x):
    v = [1] if x.sum() > 0 else (2, 3)
    w = v
    return v is w, v is not w


def test_a_choice_is_itself():
    agrees(is_itself)


def looked_up(x):
    v = [1] if x.sum() > 0 else (2, 3)
    try:
        return v in {"a": 1}
    except TypeError as error:
        return str(error)


def test_a_choice_that_may_be_unhashable_is_looked_up():
    agrees(looked_up)


class Reversing:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter([self.n])

    def __reversed__(self):
        return iter([9, self.n])


def reversed_as_its_class_says(x):
    v = Reversing(int(x.sum())) if x.sum() > 0 else [1, 2]
    return list(reversed(v)), next(reversed(v)), [a for a in reversed(v)]


def test_reversed_of_a_choice_asks_its_class():
    agrees(reversed_as_its_class_says)


class Scope:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        return self.n

    def __exit__(self, *error):
        return True


class Loud(Scope):
    def __exit__(self, *error):
        return False


def entered(x):
    v = Scope(1) if x.sum() > 0 else Loud(2)
    try:
        with v as n:
            raise ValueError(f"inside {n}")
        return "swallowed"
    except ValueError as error:
        return str(error)


def entered_or_none(x):
    v = Scope(1) if x.sum() > 0 else None
    try:
        with v as n:
            return n
    except TypeError as error:
        return str(error)


def test_a_choice_of_managers_is_entered():
    agrees(entered)
    agrees(entered_or_none)


def not_found(x):
    found = []
    for v in (x[:1] if x.sum() > 0 else None, Computed if x.sum() > 0 else int, Greater(1), "a"):
        try:
            found.append([3, int(x.sum())].index(v))
        except ValueError as error:
            found.append(str(error))
    return found


def test_a_list_spells_what_it_does_not_find_as_python_does():
    agrees(not_found)


class Greater:
    def __init__(self, n):
        self.n = n

    def __gt__(self, other):
        return self.n > other.n

    def __repr__(self):
        return f"Greater({self.n})"


class Unordered:
    def __init__(self, n):
        self.n = n


def sorted_by_greater(x):
    k = int(x.sum())
    objects = sorted([Greater(3), Greater(k), Greater(1)])
    return [o.n for o in objects], sorted([3, k, 1], key=Greater, reverse=True)


def sorted_on_one_path(x):
    v = [3, 2, 1]
    if x.sum() > 0:
        v.sort(key=Greater)
    return v


def sorted_without_an_order(x):
    v = [3, 2, 1]
    if x.sum() > 0:
        v.sort(key=Unordered)
    return v


def test_objects_that_say_what_is_greater_are_sorted_or_refused():
    agrees(sorted_by_greater)
    agrees(sorted_without_an_order)
    with pytest.raises(ConversionError, match="sorts objects that only the Program knows, by the order that Greater gives"):
        as_programs(sorted_on_one_path, VECTOR)


def scalars_of_numpy_that_do_not_fit(x):
    k, s = int(x.sum()), "a" if x.sum() > 0 else "b"
    found = []
    for operation in (
        lambda: s + np.int64(1), lambda: s * np.float32(2), lambda: k | np.float32(1), lambda: s - np.int64(1),
        lambda: np.float32(1) + s, lambda: s < np.float64(1), lambda: s + np.str_("z"),
    ):  # fmt: skip
        try:
            found.append(operation())
        except TypeError as error:
            found.append(str(error))
    return found


def test_operators_refuse_scalars_of_numpy_in_its_words():
    agrees(scalars_of_numpy_that_do_not_fit)


class Holding:
    def __init__(self):
        self.n = 0


def stored_in_an_object_or_tensor(x, n):
    v = Holding() if n > 1 else x
    v.n = 5
    return v.n


def test_a_store_into_what_may_be_a_tensor_is_refused_on_that_path():
    for program in as_programs(stored_in_an_object_or_tensor):
        x = paddle.to_tensor(np.ones(2, np.float32))
        assert program(x, paddle.to_tensor(2)) == 5
        with pytest.raises(Dy2stError, match=r"\.py:\d+: \.n = \.\.\. of a value that is a tensor on this path, and an object"):
            program(x, paddle.to_tensor(1))


def kept_by_an_object(x):
    return {Scope(1): x}


def test_a_file_holds_no_dict_by_objects():
    with pytest.raises(ConversionError, match="by objects of class Scope"):
        as_programs(kept_by_an_object, VECTOR)


NAMES = (
    "__index__ __len__ __iter__ __float__ __bool__ __getitem__ __setitem__ __hash__ __add__ __contains__ __reversed__ __next__ "
    "__slots__ __dict__ real upper items send start length stands_for rec type position pull"
).split()


def names_of_values(x):
    k, f = int(x.sum()), float(x.sum())
    it = iter([1, 2] if k > 0 else (3, 4))
    next(it)
    values = [
        k, f, k > 2, "a" if k > 0 else "b", [k, 2] if k > 0 else (k, 3), [k] if k > 0 else [k, 3], {k: 1}, {k}, range(k), it,
        zip([k], [1]), enumerate([k]), reversed([k, 2]), map(str, [k]),
    ]  # fmt: skip
    return [[name for name in NAMES if hasattr(v, name)] for v in values], [getattr(v, "length", 7) for v in values]


def test_a_value_has_the_attributes_that_its_class_has():
    agrees(names_of_values)


class Color(enum.Enum):
    RED = 1
    BLUE = "b"


def members_of_an_enum(x):
    v = Color.RED if x.sum() > 0 else Color.BLUE
    w = Color.RED if x.sum() > 0 else "b"
    found = [Color(v) is v, Color(w).name]
    for operation in (lambda: [*v], lambda: (lambda *given: given)(*v), lambda: "".join(v), lambda: v < v, lambda: list(v)):
        try:
            found.append(operation())
        except TypeError as error:
            found.append(str(error).partition("after")[2] or str(error))  # Python also says to which function it is given
    return found


def test_a_member_of_an_enum_is_looked_up_and_is_no_iterable():
    agrees(members_of_an_enum)


def sorted_members(x):
    return sorted([Color.RED if x.sum() > 0 else Color.BLUE, Color.RED])


def test_sorting_objects_known_by_name_is_refused():
    with pytest.raises(ConversionError, match="sorts objects that only the Program knows"):
        as_programs(sorted_members, VECTOR)


def tables_and_queues(x):
    k = int(x.sum())
    table = defaultdict(int, {1: k}) if k > 0 else {"a": 2}
    queue = deque([3, k]) if k > 0 else [5]
    found = []
    for operation in (lambda: table > table, lambda: table <= {1: 2}, lambda: queue + queue):
        try:
            found.append(list(operation()))
        except TypeError as error:
            found.append(str(error))
    return found


def test_containers_of_collections_say_what_python_says():
    agrees(tables_and_queues)


def compared_with_itself(x):
    v = None if x.sum() > 0 else 2.5
    found = []
    for operation in (lambda: v > v, lambda: v <= v, lambda: v - v):
        try:
            found.append(operation())
        except TypeError as error:
            found.append(str(error))
    return found


def test_an_operator_of_two_unions_is_named_as_it_is_written():
    agrees(compared_with_itself)
