"""A plate that is heated at one edge: conjugate gradients in plain Python become one file that solves plates of any size.

    python examples/solver.py

The loop ends when the equations hold well enough, which only the data tells. A plate that no heat reaches from anywhere is an
error of the user's own, raised at its line by the loaded file, too.
"""

from __future__ import annotations

import tempfile
import time

import numpy as np

import dy2st
import dy2st.nn.functional as F
from dy2st.static import InputSpec

SHADES = " .:-=+*#%@"


def surplus(heat, inner):
    """By how much four times a point's heat is above the sum of its neighbours'; 0 on the points that are held fixed."""
    wide = F.pad(heat, [1, 1, 1, 1])
    around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return (4.0 * heat - around) * inner


def settle(fixed, inner, tolerance):
    """The heat of every point of a plate, and the number of steps that it took.

    fixed: float64 [rows, columns], the heat of the points that are held. inner: the same shape, 1.0 where a point is free.
    """
    heat = fixed * (1.0 - inner)
    if not (heat > 0.0).any():
        raise ValueError("nothing heats this plate: `fixed` is 0 wherever `inner` is 0")
    rest = -surplus(heat, inner)
    direction, size, steps = rest, (rest * rest).sum(), 0
    goal = tolerance * tolerance * size
    while size > goal:
        image = surplus(direction, inner)
        step = size / (direction * image).sum()
        heat, rest = heat + step * direction, rest - step * image
        before, size = size, (rest * rest).sum()
        direction = rest + (size / before) * direction
        steps += 1
    return heat, steps


def plate(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """A plate with a hot upper edge, cold other edges, and a cold hole in it."""
    fixed, inner = np.zeros((rows, columns)), np.ones((rows, columns))
    inner[[0, -1]], inner[:, [0, -1]] = 0, 0
    fixed[0] = 1
    y, x = np.ogrid[:rows, :columns]
    inner[(y - rows / 2) ** 2 + ((x - columns / 2) / 2) ** 2 < (rows / 6) ** 2] = 0
    return fixed, inner


def exactly(fixed: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """The same by one dense system of equations."""
    points, columns = fixed.size, fixed.shape[1]
    free = np.flatnonzero(inner)
    matrix = np.eye(points)
    matrix[free, free] = 4
    for neighbour in (-1, 1, -columns, columns):
        matrix[free, free + neighbour] = -1
    return np.linalg.solve(matrix, (fixed * (1 - inner)).reshape(-1)).reshape(fixed.shape)


def main() -> None:
    grid = InputSpec([None, None], "float64")
    static = dy2st.jit.to_static(settle, input_spec=[grid, grid, InputSpec([], "float64")])
    with tempfile.TemporaryDirectory() as folder, dy2st.no_grad():
        dy2st.jit.save(static, f"{folder}/settle")
        solve = dy2st.jit.load(f"{folder}/settle")
        print("plate      steps   largest error   plain Python   loaded file")
        for rows, columns in ((12, 24), (24, 48), (48, 96), (96, 192)):
            fixed, inner = plate(rows, columns)
            given = [dy2st.to_tensor(fixed), dy2st.to_tensor(inner), dy2st.to_tensor(1e-10, "float64")]
            start = time.perf_counter()
            heat, steps = settle(*given)
            middle = time.perf_counter()
            found, taken = solve(*given)
            end = time.perf_counter()
            assert int(taken) == steps and np.allclose(found.numpy(), heat.numpy(), rtol=0, atol=1e-12)
            error = f"{np.abs(found.numpy() - exactly(fixed, inner)).max():.1e}" if rows < 48 else "-"
            times = [f"{1e3 * took:.0f} ms" for took in (middle - start, end - middle)]
            print("{:<10} {:>5} {:>15} {:>14} {:>13}".format(f"{rows} x {columns}", steps, error, *times))
            if rows == 24:
                picture = found.numpy()[:17]
        print()
        for row in picture:
            print("".join(SHADES[int(9.999 * value)] for value in row))
        try:
            solve(dy2st.zeros([4, 4], "float64"), dy2st.ones([4, 4], "float64"), dy2st.to_tensor(1e-10, "float64"))
        except ValueError as error:
            print(f"\na plate without heat: {error}")


if __name__ == "__main__":
    main()
