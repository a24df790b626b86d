"""Two pictures of the timings: ratios to torch.jit.script, and time against size."""

from __future__ import annotations

import sys
from pathlib import Path

from harness import HAND, LOADED, ONNXRUNTIME, PADDLE, SCRIPTED, STATIC
from report import Result, ratios

COLOURS = {STATIC: "#1f6feb", LOADED: "#54aeff", SCRIPTED: "#8250df", HAND: "#999999", ONNXRUNTIME: "#d4a72c", PADDLE: "#cf222e"}


def draw(results: list[Result], folder: Path) -> None:
    """Write ratios.png and growth.png to the folder; without matplotlib, say what to install."""
    try:
        import matplotlib
    except ImportError:
        return print("no plots: they need matplotlib (pip install matplotlib)", file=sys.stderr)
    matplotlib.use("Agg")
    _ratios(results, folder / "ratios.png")
    _growth(results, folder / "growth.png")


def _ratios(results: list[Result], path: Path) -> None:
    import matplotlib.pyplot as plt

    rows = [(case.title, ratios(timings)) for case, timings, _ in results]
    rows = [(title, found) for title, found in rows if STATIC in found or LOADED in found]
    if not rows:
        return
    figure, axes = plt.subplots(figsize=(10, 1 + 0.5 * len(rows)))
    for y, (_, found) in enumerate(reversed(rows)):
        for name, colour in COLOURS.items():
            if name in found:
                axes.plot(found[name], y, "o", color=colour, markersize=7)
    axes.set_xscale("log")
    axes.axvline(1.0, color="black", linewidth=1)
    axes.set_yticks(range(len(rows)), [title for title, _ in reversed(rows)])
    axes.set_xlabel("time over that of torch.jit.script: left of the line is faster")
    axes.grid(axis="x", alpha=0.3)
    handles = [plt.Line2D([], [], marker="o", linestyle="", color=colour, label=name) for name, colour in COLOURS.items()]
    axes.legend(handles=handles, loc="upper left", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _growth(results: list[Result], path: Path) -> None:
    import matplotlib.pyplot as plt

    curves = [(case, timings) for case, timings, _ in results if case.sizes]
    if not curves:
        return
    figure, axes = plt.subplots(figsize=(8, 5))
    for case, timings in curves:
        axes.plot(case.sizes, [t.median * 1e3 for t in timings.values()], "o-", label=case.title)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("size: lines, ifs, or depth")
    axes.set_ylabel("milliseconds")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
