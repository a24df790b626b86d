"""What functions of torch's give shares memory with what they are given where it does in torch: a write into it tells."""

from __future__ import annotations

import pytest
from support.sampling import sampled

torch = pytest.importorskip("torch")
pytest.importorskip("expecttest")

from from_torch.operators import OPERATORS, RANDOM, places_of, samples  # noqa: E402

import dy2st.torch  # noqa: E402
from dy2st.errors import Dy2stError  # noqa: E402
from dy2st.static import InputSpec  # noqa: E402
from dy2st.torch.values import leaves  # noqa: E402

# Of these the signs are open, or what is empty has any element; what multi_head_attention_forward drops is drawn.
OPEN = RANDOM | {"linalg.eig", "linalg.eigh", "nn.functional.multi_head_attention_forward"}
NAMES = [name for name in OPERATORS if name not in OPEN and "empty" not in name]


def in_order(x):
    return x.clone(memory_format=torch.contiguous_format)


def reversed_in_memory(x):
    return in_order(x.transpose(0, -1)).transpose(0, -1) if x.dim() > 1 else x.clone()


def _written(op, arguments, lay):
    """A function that lays its tensors in memory, calls the operator, and adds 1 to all floats among the results."""

    def function(*tensors):
        given = [lay(x) for x in tensors]
        input, args, kwargs = arguments(given)
        found = op(input, *args, **kwargs)
        results = [found] if isinstance(found, torch.Tensor) else list(found)
        for x in results:
            if isinstance(x, torch.Tensor) and x.is_floating_point():
                x.add_(1)
        return given, results

    return function


@pytest.mark.long
@pytest.mark.parametrize("lay", [in_order, reversed_in_memory])
@pytest.mark.parametrize("name", sampled(NAMES, 40))
def test_a_write_into_a_result_is_seen_as_in_torch(name, lay) -> None:
    for sample in samples(name, torch.float32, 2):
        tensors, arguments = places_of(sample)
        function = _written(OPERATORS[name].op, arguments, lay)
        try:
            right = function(*[x.clone() for x in tensors])
        except Exception:
            continue
        try:
            found = dy2st.torch.to_static(function)(*[x.clone() for x in tensors])
        except (Dy2stError, NotImplementedError):
            continue
        torch.testing.assert_close(leaves(found), leaves(right), rtol=1e-3, atol=1e-3, equal_nan=True)


@pytest.mark.parametrize("name", ["sum_to_size", "histogram", "nn.functional.pixel_shuffle", "nn.functional.pixel_unshuffle"])
def test_what_torch_copies_is_a_copy(name) -> None:
    test_a_write_into_a_result_is_seen_as_in_torch(name, in_order)


def a_reshape_behind_the_write(x, order):
    """Each turn writes a tensor of its own, of which no reshape has been made yet."""
    running, turns, told = x.clone(), 0, x.new_zeros(())
    while running.sum() < 40:
        best = torch.take_along_dim(running, order, dim=0)
        best[:, turns] = 9.0
        told = told + torch.reshape(best[:, : turns + 1], [-1]).sum()
        running = torch.take_along_dim(best, order, dim=0)
        turns += 1
    return running, told


def the_reshape_of_the_turn_before(x, order):
    running, turns, flat = x.clone(), 0, torch.reshape(x[:, :2], [-1])
    while running.sum() < 40:
        best = torch.take_along_dim(running, order, dim=0)
        best[:, turns] = 9.0
        running = best + flat.sum()
        flat = torch.reshape(best[:, :2], [-1])
        turns += 1
    return running, flat


@pytest.mark.parametrize("function", [a_reshape_behind_the_write, the_reshape_of_the_turn_before])
def test_each_turn_of_a_loop_writes_a_tensor_of_its_own(function) -> None:
    x, order = torch.arange(9.0).reshape(3, 3) / 9, torch.tensor([[2, 0, 1], [0, 1, 1], [1, 2, 0]])
    specs = [InputSpec([None, None], "float32"), InputSpec([None, None], "int64")]
    found = dy2st.torch.to_static(function, specs)(x.clone(), order)
    torch.testing.assert_close(found, function(x.clone(), order))


def test_a_write_behind_a_reshape_that_a_turn_has_made_is_seen() -> None:
    def written(x):
        running, turns, told = torch.reshape(x, [3, 3]).clone(), 0, x.new_zeros(())
        while running.sum() < 40:
            flat = torch.reshape(running[:, :2], [-1])
            running[:, 0] = 5.0 + turns
            told = told + flat.sum()
            turns += 1
        return running, told

    x = torch.arange(9.0) / 9
    try:
        found = dy2st.torch.to_static(written, [InputSpec([9], "float32")])(x.clone())
    except Dy2stError:
        return  # which is no wrong answer
    torch.testing.assert_close(found, written(x.clone()))
