"""Reductions, order, running values, counts."""

_MEANS = "sum mean max min amax amin prod logsumexp nansum nanmean"
_AXES = ("", ", 0", ", -1, keepdim=True", ", [0, 1]", ", axis=None, keepdim=True")
_RUNNING = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
_MEDIANS = ("", ", 0", ", -1, True", ", 1, False, 'min'")
_QUANTILES = ("0.3", "0.5, 1", "[0.2, 0.7], 0, True", "0.4, [0, 1]")

CALLS = "\n".join(
    [
        *(f"paddle.{name}(x{axes})" for name in _MEANS.split() for axes in _AXES),
        *(f"c.{name}([0, 2])\nw.{name}()" for name in _MEANS.split()),
        *(f"paddle.{name}(b{axes})" for name in ("all", "any") for axes in _AXES),
        *(f"paddle.{name}(x{axes})" for name in ("std", "var") for axes in (*_AXES, ", 1, False")),
        *(f"paddle.{name}(x{axes})" for name in ("argmax", "argmin") for axes in ("", ", 0", ", -1, keepdim=True")),
        *(
            f"paddle.{name}(x{axes})\n"
            for name in _RUNNING
            for axes in (", 0", ", -1")
        ),
        *(f"paddle.{name}(n{axes})" for name in ("sum", "prod", "max", "min", "amax", "amin") for axes in ("", ", 1")),
        *(
            f"paddle.{name}(x{axes})"
            for name in ("median", "nanmedian")
            for axes in _MEDIANS
        ),
        *(
            f"paddle.{name}(x, {q})"
            for name in ("quantile", "nanquantile")
            for q in _QUANTILES
        ),
        *(f"paddle.quantile(x, 0.4, interpolation={kind!r})" for kind in ("lower", "higher", "midpoint", "nearest")),
    ]
)
CALLS += """
paddle.sum(e)
paddle.sum(e, 0)
paddle.sum(b)
paddle.sum(i)
x.sum(dtype='float64')
paddle.mean(e, 1)
paddle.nansum(h, 1)
paddle.nanmean(paddle.where(h == h, x, h), 0)
paddle.nanquantile(paddle.where(h == h, x, h), 0.5, 1)
paddle.nanmedian(paddle.where(h == h, x, h), 0)
paddle.median(h, 1)
paddle.count_nonzero(n - 2)
paddle.count_nonzero(b, 0)
b.count_nonzero([0, 1], True)
paddle.cumsum(n)
x.clone().cumsum_(1)
x.clone().cumprod_(1)
paddle.cumsum(x)
paddle.cummax(n, 1)
x.cummin(0)
paddle.logcumsumexp(x)
paddle.sort(x)
x.sort(0, True)
paddle.argsort(n, 1)
paddle.topk(x, 2)
x.topk(1, 0, False)
paddle.kthvalue(x, 2)
n.kthvalue(1, 0, True)
paddle.mode(n)
paddle.mode(x, 0, True)
paddle.msort(x)
paddle.diff(x)
n.diff(n=2)
paddle.diff(x, axis=0, prepend=e, append=x)
paddle.diff(b)
paddle.trapezoid(x)
paddle.trapezoid(x, dx=2.0, axis=0)
x.trapezoid(y)
paddle.cumulative_trapezoid(x)
x.cumulative_trapezoid(x * x)
paddle.unique(n)
paddle.unique(n, True, True, True)
n.unique(axis=1, return_counts=True, dtype='int32')
paddle.unique_consecutive(n)
n.sort().unique_consecutive(True, True)
paddle.unique_consecutive(z, axis=0, return_counts=True)
paddle.bincount(k)
paddle.bincount(k, y, 5)
paddle.searchsorted(y.sort(), x)
paddle.searchsorted(x.sort(), w.cast('float32'), right=True)
x.bucketize(y.sort(), out_int32=True)
paddle.isin(n, k)
n.isin(k, invert=True)
paddle.histogram(x, 4)
paddle.histogram(x, 5, -1.0, 1.0)
paddle.histogram(x, 3, weight=p, density=True)
x.histogram_bin_edges(4)
paddle.numel(x)
x.numel()
paddle.rank(c)
paddle.is_empty(e)
"""
