"""Gradients of functions whose rule stands beside them, where an operand comes from a branch, a loop or a container (S-11)."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

import dy2st.torch  # noqa: E402


def from_a_branch(x, w):
    if x.sum() > 0:
        h = x * w
    else:
        h = x - w
    return h


def from_a_loop(x, w):
    h, turns = torch.ones_like(x), 0
    while h.sum() < 4 and turns < 3:
        h, turns = h * w + x, turns + 1
    return h


def from_a_list(x, w):
    items = []
    for i in range(2):
        if x[i] > -10:
            items.append(x * w)
    return items[-1]


def from_a_dict(x, w):
    named = {"h": x}
    if x.sum() > 0:
        named["h"] = x * w
    return named["h"]


def stacked(x, w):
    items = []
    for i in range(2):
        if x[i] > -10:
            items.append((x * w)[i])
    return torch.stack(items)


SOURCES = {f.__name__: f for f in (from_a_branch, from_a_loop, from_a_list, from_a_dict, stacked)}
FUNCTIONS = {
    "maximum": lambda h, x: torch.maximum(h, x),
    "maximum of itself": lambda h, x: torch.maximum(h, h.clone()),
    "minimum": lambda h, x: torch.minimum(x * 2, h),
    "clamp": lambda h, x: torch.clamp(h, min=x, max=x + 1),
    "clamp of numbers": lambda h, x: torch.clamp(h, 1.0, 2.0),
    "power": lambda h, x: torch.pow(h.abs(), x),
    "exponent": lambda h, x: x.abs() ** h,
    "atan2": lambda h, x: torch.atan2(h, x),
    "hypot": lambda h, x: torch.hypot(h, x),
    "fmod": lambda h, x: torch.fmod(x, h),
    "remainder": lambda h, x: torch.remainder(x, h),
    "max": lambda h, x: torch.max(h, 0).values,
    "amax": lambda h, x: torch.amax(torch.cat([h, h])),
    "min": lambda h, x: h.min(),
    "median": lambda h, x: h.median(),
    "norm": lambda h, x: torch.linalg.vector_norm(h - h.detach()),
    "abs": lambda h, x: (h - h.detach()).abs(),
    "cdist": lambda h, x: torch.cdist(h[None], x[None]),
    "prod": lambda h, x: (h * torch.tensor([0.0, 1.0])).prod(),
    "logaddexp": lambda h, x: torch.logaddexp(h, x),
    "heaviside": lambda h, x: torch.relu(h) * torch.sign(x),
    "pinv": lambda h, x: torch.linalg.pinv(torch.stack([h, x])),
    "lerp": lambda h, x: torch.lerp(x, h, h),
    "xlogy": lambda h, x: torch.xlogy(h.abs(), x.abs()),
    "copysign": lambda h, x: torch.copysign(h, x),
    "frac": lambda h, x: torch.frac(h),
    "sort": lambda h, x: torch.sort(torch.cat([h, h])).values,
}


def outcome(function, start):
    x, w = (torch.tensor(v, requires_grad=True) for v in (start, [1.0, 2.0]))
    result = function(x, w)
    if not result.requires_grad:
        return result, None, None
    (result * torch.arange(1.0, result.numel() + 1).reshape(result.shape)).sum().backward()
    return result.detach(), x.grad, w.grad


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_s_11_gradients_behind_control_flow(name, source):
    function, given = FUNCTIONS[name], SOURCES[source]

    def whole(x, w):
        return function(given(x, w), x)

    static = dy2st.torch.to_static(whole)
    for start in ([1.0, 2.0], [0.5, -2.0], [2.0, 1.0]):
        for found, expected in zip(outcome(static, start), outcome(whole, start), strict=True):
            if expected is None:
                assert found is None
            else:
                torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-4, equal_nan=True)


def test_s_11_the_last_step_of_an_adaptive_solver():
    def solve(x, end):
        t, h = torch.zeros([]), x * 0.3
        while t < end - 1e-6:
            h = torch.minimum(h, end - t)
            t, x = t + h, x - h * x
        return x

    found = []
    for call in (solve, dy2st.torch.to_static(solve)):
        x, end = torch.tensor(0.7, requires_grad=True), torch.tensor(1.0, requires_grad=True)
        call(x, end).backward()
        found.append((x.grad, end.grad))
    torch.testing.assert_close(found[1], found[0])
