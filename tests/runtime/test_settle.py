"""The fixpoint under staging: attempts until one is stable, and what becomes of a Restage on the way."""

import pytest

import dy2st as paddle
from dy2st.errors import InternalError
from dy2st.runtime.control.settle import MAX_ATTEMPTS, UNSTABLE, settle
from dy2st.runtime.heap.markers import Restage

INNER, OUTER = object(), object()  # two Blocks; `settle` asks only which is which


def attempts_of(*outcomes):
    """An attempt that gives, or raises, one after another; and how often it was made."""
    made = []

    def attempt():
        outcome = outcomes[min(len(made), len(outcomes) - 1)]
        made.append(outcome)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    return attempt, made


def name():
    return "the loop"


@pytest.mark.parametrize("result", [7, None, False, NotImplemented])
def test_the_first_stable_outcome_counts(result):
    attempt, made = attempts_of(UNSTABLE, UNSTABLE, result, "too late")
    assert settle(INNER, attempt, name) is result
    assert len(made) == 3


def test_a_restage_of_the_block_is_mended_and_tried_again():
    mended = []
    attempt, made = attempts_of(Restage(INNER, lambda: mended.append(len(made))), Restage(INNER), 7)
    assert settle(INNER, attempt, name) == 7
    assert mended == [1]


def test_a_restage_of_another_block_goes_on_unmended():
    restage = Restage(OUTER, lambda: pytest.fail("it is mended where it belongs"))
    attempt, made = attempts_of(restage)
    with pytest.raises(Restage) as caught:
        settle(INNER, attempt, name)
    assert caught.value is restage and len(made) == 1


def test_what_goes_on_is_mended_further_out():
    mended = []
    inner, made = attempts_of(Restage(OUTER, lambda: mended.append("outer")), 7)
    assert settle(OUTER, lambda: settle(INNER, inner, name), name) == 7
    assert mended == ["outer"] and len(made) == 2


def test_a_restage_of_the_function_passes_every_block():
    mended = []
    inner, made = attempts_of(Restage.of_function(lambda: mended.append("function")), 7)
    assert settle(None, lambda: settle(OUTER, lambda: settle(INNER, inner, name), name), name) == 7
    assert mended == ["function"] and len(made) == 2


@pytest.mark.parametrize("outcome", [UNSTABLE, Restage(INNER)])
def test_what_never_settles_is_a_fault_of_ours(outcome):
    attempt, made = attempts_of(outcome)
    with pytest.raises(InternalError, match="^the loop doesn't settle"):
        settle(INNER, attempt, name)
    assert len(made) == MAX_ATTEMPTS


def test_any_other_exception_is_not_tried_again():
    attempt, made = attempts_of(KeyError("k"), 7)
    with pytest.raises(KeyError):
        settle(INNER, attempt, name)
    assert len(made) == 1


# --- as many facts as a function has names -----------------------------------------------------------------------------

MANY = 110


def written(tmp_path, text):
    path = tmp_path / "many.py"
    path.write_text(text)
    names = {"paddle": paddle}
    exec(compile(text, str(path), "exec"), names)
    return names


@pytest.mark.by_turns
def test_a_loop_that_changes_many_dicts_settles(tmp_path):
    dicts = range(MANY)
    text = "def f(n):\n"
    text += "".join(f"    d{i} = {{}}\n" for i in dicts)
    text += "    while n > 0:\n"
    text += "".join(f"        d{i}['k'] = n\n" for i in dicts)
    text += "        n = n - 1\n"
    text += f"    return [{', '.join(f'''d{i}['k']''' for i in dicts)}]\n"
    static = paddle.jit.to_static(written(tmp_path, text)["f"])
    assert [int(x) for x in static(paddle.to_tensor(3))] == [1] * MANY


@pytest.mark.by_turns
def test_a_branch_that_changes_many_attributes_settles(tmp_path):
    attributes = range(MANY)
    text = "class Net(paddle.nn.Layer):\n    def __init__(self):\n        super().__init__()\n"
    text += "".join(f"        self.a{i} = {i}\n" for i in attributes)
    text += "    def forward(self, n):\n        if n > 0:\n"
    text += "".join(f"            self.a{i} += 1\n" for i in attributes)
    text += "        return n\n"
    net = written(tmp_path, text)["Net"]()
    static = paddle.jit.to_static(net)
    for number in (1, -1, 5):
        static(paddle.to_tensor(number))
    assert [getattr(net, f"a{i}") for i in attributes] == [i + 2 for i in attributes]
