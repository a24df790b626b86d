"""Every operator against what its definition says: inference, gradient, memory, `out`, template."""

from __future__ import annotations

import copy
import itertools
import operator
import string

import numpy as np
import pytest
from ops.samples import collect
from ops.samples.sample import sample
from support.sampling import case_in_failure, sampled

import dy2st
from dy2st.dtypes import BY_NUMPY
from dy2st.ir.shape import shape_agrees
from dy2st.ir.types import TensorType
from dy2st.ops.random import GENERATOR
from dy2st.ops.registry import OPERATORS, OpDef, infer_types, lookup
from dy2st.runtime.tensors.value_types import type_of_native

SAMPLES = collect()
# Operators on Python values (`list.append`) have tests of their own, in test_python_ops.py.
CASES = [(name, i, s) for name, samples in sorted(SAMPLES.items()) if "." not in name for i, s in enumerate(samples)]


def cases(applies=lambda definition, case: True, tried=len(CASES)):
    """Decorator: a check of one sample becomes a test for each operator, of the samples that it says something about.

    tried: how many samples, of all operators, a run tries.
    """
    chosen = sampled([case for case in CASES if applies(lookup(case[0]), case[2])], tried)
    by_name = {name: [*group] for name, group in itertools.groupby(chosen, key=operator.itemgetter(0))}

    def test_of(check):
        def test(name):
            for _, i, case in by_name[name]:
                with case_in_failure(f"sample {i}"):
                    check(name, case)

        test.__doc__ = check.__doc__
        return pytest.mark.parametrize("name", by_name)(test)

    return test_of


def results(value) -> tuple:
    return value if isinstance(value, tuple) else (value,)


def run(name: str, case) -> tuple[list, tuple]:
    """Fresh operands and the kernel's results on them."""
    operands = copy.deepcopy(list(case.operands))
    with np.errstate(all="ignore"):
        return operands, results(lookup(name).kernel(*operands, **case.attrs))


def test_every_operator_has_samples():
    without = [name for name, op in OPERATORS.items() if not op.calls_python and not SAMPLES.get(name)]
    assert not without, f"add sample inputs of {without} to a module in tests/ops/samples"


def test_there_are_samples_of_operators_only():
    assert set(SAMPLES) <= set(OPERATORS)


def check_types(name: str, types: list, case, given: tuple, exact: bool) -> None:
    inferred = infer_types(lookup(name), types, case.attrs)
    assert len(inferred) == len(given)
    for expected, value in zip(inferred, given):
        if isinstance(expected, TensorType):
            array = np.asarray(value)
            assert expected.dtype == BY_NUMPY[array.dtype].name
            assert shape_agrees(expected.shape, array.shape)
            if exact and expected.shape is not None and not _has_dynamic_result(name, case.attrs):
                assert expected.shape == array.shape


def _has_dynamic_result(name: str, attrs: dict) -> bool:
    """Whether the result's shape follows from values: of the operands, or of arrays among the leaves of a shape."""
    shape = attrs.get("shape")
    return name in ("nonzero", "getitem_advanced", "unique", "bincount") or (
        isinstance(shape, tuple) and any(isinstance(d, np.ndarray) for d in shape)
    )


@cases()
def test_kernel_against_inference(name, case):
    _, given = run(name, case)
    check_types(name, [type_of_native(x) for x in case.operands], case, given, exact=True)


@cases()
def test_inference_with_unknown_shapes(name, case):
    """Inference takes unknown lengths and ranks, and says nothing that the kernel contradicts."""
    _, given = run(name, case)
    for unknown in ("dims", "names", "rank"):
        types = [_blur(type_of_native(x), unknown, i) for i, x in enumerate(case.operands)]
        check_types(name, types, case, given, exact=False)


def _blur(type_, unknown: str, position: int):
    if not isinstance(type_, TensorType):
        return type_
    if unknown == "rank":
        return TensorType(type_.dtype, None)
    names = {d: f"n{d}" for d in type_.shape}
    return TensorType(type_.dtype, tuple(None if unknown == "dims" else d if d == 1 else names[d] for d in type_.shape))


@cases()
def test_memory(name, case):
    """Only what `mutates` names is written, and only a view shares its base."""
    definition = lookup(name)
    operands, given = run(name, case)
    for i, (before, after) in enumerate(zip(case.operands, operands)):
        if isinstance(before, np.ndarray) and i not in definition.mutates:
            assert before.tobytes() == after.tobytes(), f"{name} wrote into operand {i}"
    for i, operand in enumerate(operands):
        if not isinstance(operand, np.ndarray):
            continue
        shared = [np.shares_memory(operand, r) for r in given if isinstance(r, np.ndarray) and r.size]
        assert all(shared) if i == 0 and definition.view else not any(shared)


@cases(lambda definition, case: definition.mutates and definition.functional)
def test_in_place_against_functional(name, case):
    definition = lookup(name)
    state = GENERATOR.state
    operands, _ = run(name, case)
    GENERATOR.state = state
    _, expected = run(definition.functional, case)
    for k, value in zip(definition.mutates, expected, strict=True):
        np.testing.assert_array_equal(operands[k], value)


@cases(lambda definition, case: definition.view is not None)
def test_view_against_copy_scatter_and_restore(name, case):
    """A view that is written with what it shows leaves its base as it was; a copy shows the same."""
    record = lookup(name).view
    (base, *others), (view,) = run(name, case)
    _, (copied,) = run(record.copy, case)
    np.testing.assert_array_equal(copied, view)
    assert copied.flags.c_contiguous
    if record.scatter is None or not view.flags.writeable:
        return
    changed = view * 0 + 7 if view.dtype != bool else ~view
    scattered = lookup(record.scatter).kernel(base, changed, *others, **case.attrs)
    restored = record.restore and record.restore(type_of_native(base), case.attrs)
    if restored:
        np.testing.assert_array_equal(lookup(restored[0]).kernel(changed, **restored[1]), scattered)
    view[...] = changed
    np.testing.assert_array_equal(scattered, base)


@cases()
def test_row_major(name, case):
    """Row-major operands give row-major results where the definition doesn't say otherwise; any operands where it says so."""
    definition = lookup(name)
    if definition.row_major:
        case = sample(*(np.asfortranarray(x) if isinstance(x, np.ndarray) else x for x in case.operands), **case.attrs)
    _, given = run(name, case)
    if definition.view is None and definition.row_major is not False:
        assert all(x.flags.c_contiguous for x in given if isinstance(x, np.ndarray))


@cases(lambda definition, case: definition.view is not None and definition.view.keeps_order(case.attrs))
def test_order_that_views_keep(name, case):
    assert all(x.flags.c_contiguous for x in run(name, case)[1])


@cases(lambda definition, case: definition.out)
def test_out(name, case):
    definition = lookup(name)
    _, (expected,) = run(name, case)
    expected = np.asarray(expected)
    out = np.empty_like(expected)
    definition.kernel(*case.operands, **case.attrs, out=out)
    np.testing.assert_array_equal(out, expected)
    operands = copy.deepcopy(list(case.operands))
    first = next(x for x in operands if isinstance(x, np.ndarray))
    if first.shape == expected.shape and first.dtype == expected.dtype:
        definition.kernel(*operands, **case.attrs, out=first)
        np.testing.assert_array_equal(first, expected)


@cases(lambda definition, case: definition.template is not None)
def test_template(name, case):
    definition = lookup(name)
    _, (expected,) = run(name, case)
    names = [f"x{i}" for i in range(len(case.operands))]
    if callable(definition.template):
        text = definition.template(case.attrs, names, [type_of_native(x) for x in case.operands])
    else:
        slots = {field for _, field, _, _ in string.Formatter().parse(definition.template) if field is not None}
        attrs = {k: repr(v) for k, v in case.attrs.items() if k in slots}
        attrs |= {slot: f"x0.dtype.type({slot[1:]})" for slot in slots if slot[0] == "="}
        text = definition.template.format(*names, **attrs)
    if text is None:
        return
    with np.errstate(all="ignore"):
        given = np.asarray(eval(text, {"np": np}, dict(zip(names, copy.deepcopy(list(case.operands))))))
    np.testing.assert_array_equal(given, expected)
    assert given.dtype == np.asarray(expected).dtype


def is_real(x) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def weigh(outputs, seed: int):
    """One number from all floating-point results, in which each element has its own weight."""
    total = dy2st.to_tensor(0.0, dtype="float64")
    for i, y in enumerate(results(outputs)):
        if y.dtype.is_floating:
            weights = np.asarray(np.random.default_rng(seed + i).uniform(0.5, 1.5, y.shape), y.dtype.numpy)
            total = total + (y * dy2st.to_tensor(weights)).sum()
    return total


def as_functional(name: str) -> str:
    definition = lookup(name)
    return definition.functional if definition.mutates and definition.functional else name


def value_of(name: str, case, arrays: list) -> float:
    operands = [dy2st.to_tensor(x) if isinstance(x, np.ndarray) else x for x in arrays]
    return weigh(lookup(as_functional(name))(*operands, **case.attrs), 7).item()


def gradients(name: str, case, arrays: list, twice: bool = False) -> list:
    """The gradients with respect to the real operands, of `value_of` or of a weighing of its gradients."""
    operands = [dy2st.to_tensor(x) if isinstance(x, np.ndarray) else x for x in arrays]
    real = [x for x, a in zip(operands, arrays) if is_real(a)]
    for x in real:
        x.stop_gradient = False
    used = [x * 1 if lookup(name).mutates and x is operands[0] else x for x in operands]
    made = lookup(name)(*used, **case.attrs)
    loss = weigh(used[0] if lookup(name).mutates and made is None else made, 7)
    first = [] if loss.stop_gradient else dy2st.grad(loss, real, create_graph=twice, allow_unused=True)
    if not twice:
        return [np.zeros(x.shape, x.dtype.numpy) if g is None else g.numpy() for x, g in zip(real, first or [None] * len(real))]
    loss = weigh(tuple(dy2st.zeros(x.shape, x.dtype) if g is None else g for x, g in zip(real, first or [None] * len(real))), 11)
    second = [] if loss.stop_gradient else dy2st.grad(loss, real, allow_unused=True)
    return [np.zeros(x.shape) if g is None else g.numpy() for x, g in zip(real, second or [None] * len(real))]


def differences(function, arrays: list) -> list:
    """Central differences of a number, by each element of each real array."""
    found = []
    for at, array in enumerate(arrays):
        if not is_real(array):
            continue
        slope = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            sides = []
            for step in (1e-5, -1e-5):
                moved = [a.copy() if i == at else a for i, a in enumerate(arrays)]
                moved[at][place] += step
                sides.append(function(moved))
            slope[place] = (sides[0] - sides[1]) / 2e-5
        found.append(slope)
    return found


def differentiable(definition: OpDef, case) -> bool:
    definition = lookup(as_functional(definition.name))
    has_real = any(is_real(x) and x.dtype == np.float64 for x in case.operands)
    return bool(case.grad and definition.grad and has_real and not definition.random)


@cases(differentiable)
def test_gradient_against_finite_differences(name, case):
    arrays = list(case.operands)
    expected = differences(lambda moved: value_of(name, case, moved), arrays)
    for given, slope in zip(gradients(name, case, arrays), expected):
        np.testing.assert_allclose(given, slope, rtol=1e-5, atol=1e-6)


@cases(differentiable)
def test_a_gradient_has_the_dtype_of_its_operand(name, case):
    arrays = [x.astype("float32") if is_real(x) else x for x in case.operands]
    assert {x.dtype for x in gradients(name, case, arrays)} == {np.dtype("float32")}


@pytest.mark.long
@cases(lambda definition, case: differentiable(definition, case) and case.twice and not definition.mutates, tried=100)
def test_second_derivative_against_finite_differences(name, case):
    arrays = list(case.operands)

    def slope_weighed(moved: list) -> float:
        found = gradients(name, case, moved)
        return sum(float((g * np.random.default_rng(11 + i).uniform(0.5, 1.5, g.shape)).sum()) for i, g in enumerate(found))

    expected = differences(slope_weighed, arrays)
    for given, slope in zip(gradients(name, case, arrays, twice=True), expected):
        np.testing.assert_allclose(given, slope, rtol=1e-4, atol=1e-5)
