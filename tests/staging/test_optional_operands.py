"""A number that may be None, a text or a list, as the path decides: each use of it is as in plain Python."""

from __future__ import annotations

import pytest
from support.sampling import sampled

import dy2st as paddle
from dy2st.errors import ConversionError

REFUSED = "refused"
OTHERS = {"none": "None", "text": "'q'", "list": "[1]"}
USES = """
xs[u] | x[:u] | x[u] | x[u:] | xs[u:] | xs[:u] | xs[::u] | 'abc'[u] | (7, 8, 9)[u] | 'abc'[:u] | x[u, ...] | (xs.pop(u), xs)
(xs.insert(u, 1), xs) | xs.index(u + 4) | xs.count(u) | round(u) | divmod(u, 2) | divmod(5, u) | list(range(u))
list(zip(xs, range(u))) | list(enumerate(xs, u)) | [i for i in range(u)] | 'ab' * u | [1] * u | abs(u) | pow(u, 2) | min(u, 2)
str(u) | f'{u!r:>4}' | u + 1 | 1 - u | u * 2.0 | -u | u == 1 | u < 2 | not u | u and 2 | u in xs | {u: 1} | {1: 2}.get(u)
x + u | x * u | x.tile([u]) | paddle.full([u], 1.0) | x.roll(u) | x.sum(u - 1) | (lambda a, b=u: a + b)(1) | sum([u, 1])
""".replace("\n", " | ")
CHANGES = [
    "xs[u] = 9", "del xs[u]", "xs[u] += 1", "xs[u:] = []", "x[u] = 5.0", "x[u] += 1", "d[u] = 3", "del d[u]",
    "d.setdefault(u, 3)", "u += 1", "xs *= u",
    "for i in range(u): xs.append(i)",
]  # fmt: skip
BODIES = [*(("pass", use.strip()) for use in USES.split("|") if use.strip()), *((change, "u, xs, d, x") for change in CHANGES)]
CASES = [(body, result, other, asks) for body, result in BODIES for other in OTHERS for asks in (True, False)]
SOURCE = """
import dy2st as paddle

def function(x):
    u, xs, d = {other}, [4, 5, 6], {{1: 2}}
    if x.sum() > 0:
        u = 1
    {ask}
    {body}
    return {result}
"""


def shown(value):
    if isinstance(value, paddle.Tensor):
        return value.tolist()
    return [shown(part) for part in value] if isinstance(value, list | tuple) else value


def outcome(function, sign):
    """What a function gives, or the class of what it raises."""
    try:
        return repr(shown(function(paddle.to_tensor([sign, 2 * sign, 3 * sign]))))
    except ConversionError:
        return REFUSED
    except Exception as error:
        return next(cls for cls in type(error).__mro__ if cls.__module__ == "builtins").__name__


@pytest.mark.long
@pytest.mark.parametrize(("body", "result", "other", "asks"), sampled(CASES, 18))
@pytest.mark.filterwarnings("ignore")
def test_each_use_is_of_the_kind_that_the_path_has_chosen(tmp_path, body, result, other, asks):
    ask = "if not (isinstance(u, int) and u == 1): return 'other'" if asks else "pass"
    file = tmp_path / "uses.py"
    file.write_text(SOURCE.format(other=OTHERS[other], ask=ask, body=body, result=result))
    names: dict = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    static = paddle.jit.to_static(names["function"])
    for sign in (1.0, -1.0):
        assert outcome(static, sign) in (outcome(names["function"], sign), REFUSED)
