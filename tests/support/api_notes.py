"""What the table of names says beyond signatures: how results differ from Paddle's, and why a name is absent."""

from __future__ import annotations

POOLS = """avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d lp_pool1d lp_pool2d
AvgPool1D AvgPool2D AvgPool3D MaxPool1D MaxPool2D MaxPool3D LPPool1D LPPool2D AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d
MaxPool3d LPPool1d LPPool2d"""
DIFFERENCES = {
    "mean": "integers give the default floating dtype, there an integer",
    "var": "integers give the default floating dtype, there an integer",
    "std": "of integers the square root of `var`, there of that as an integer",
    "sum": "small integers are summed in int64, there in their own dtype",
    "prod": "int32 gives int64, there int32",
    "cumprod": "int32 gives int64, there int32",
    "dot": "int32 gives int64, there int32",
    "bincount": "integers as weights give their dtype, there float64",
    "nanmedian": "integers give the default floating dtype, there an integer",
    "copysign": "integers give the default floating dtype, there their own",
    "gather": "also with an index of any shape",
    "empty": "the values are zeros",
    "empty_like": "the values are zeros",
    "view_as_real": "a copy",
    "view_as_complex": "a copy",
    "enable_static": "raises: Programs come from `jit.to_static`",
    "CUDAPlace": "raises: tensors live on the CPU",
    "CUDAPinnedPlace": "raises: tensors live on the CPU",
    "matrix_exp": "computed in float64",
    "lu": "the gradient is that of square matrices",
    "lu_solve": "the gradient is that of what is computed, unlike Paddle's",
    "CosineAnnealingDecay": "of an epoch that is given, the rate of that epoch; there a step from the rate before",
    "LinearLR": "of an epoch that is given, the rate of that epoch; there a step from the rate before",
    "as_strided": "for what lies in row-major order; `offset` counts elements, there bytes",
    "seed": "another generator: the numbers differ",
    "auto_cast": "no effect, as in Paddle on the CPU",
    "decorate": "no effect, as in Paddle on the CPU",
    "GradScaler": "no effect, as in Paddle on the CPU",
    "is_bfloat16_supported": "where ml_dtypes is installed",
    "scaled_dot_product_attention": "refuses a mask with is_causal, which Paddle ignores then",
    **dict.fromkeys(POOLS.split(), "with ceil_mode, without windows that would lie wholly in the padding"),
    "DataLoader": "samples are read in this process, whatever num_workers says",
    "SpectralNorm": "the gradient is that of what is computed, unlike Paddle's",
    "group_norm": "the gradient without a weight is that of what is computed, unlike Paddle's",
    "save": "no pickles: safetensors and JSON",
    "load": "no pickles: safetensors and JSON",
}

# What `python -m api.dtype_grid` counts, run in `tests` beside each library.
DTYPE_GRID = """
## Operators and dtypes

Every sample call in twelve dtypes, against Paddle 3.3.1 and torch 2.13 on the CPU: in `tests`, `python -m api.dtype_grid paddle`.

| | Paddle | torch |
|---|---|---|
| the same values (and dtype, for Paddle) | 7,682 | 8,337 |
| an answer only here | 3,861 | 3,261 |
| refused by both | 944 | 961 |
| refused here, an answer there | 103 | 86 |
| the same values in another dtype | 136 | |
| other values | 114 | 31 |
| another structure (an index beside the maximum, and the like) | | 164 |

Other values, Paddle's own:

- It computes in integers what isn't whole: means, variances, medians, degrees.
- It drops imaginary parts (`ldexp`, `median`) or squares them (`matrix_norm`), and loses a sign (`copysign` to uint8).
- It gives inf outside the domain of `erfinv`, rounds a place (`quantile`), and shows the bits of bfloat16 (`tolist`).

Other values, torch's own:

- the lower of two middle values, the sign of nan, and the sum of bools;
- a `matrix_exp` that overflows in halves;
- the norm of a matrix, where Paddle takes that of its elements.

Some answers of Paddle that this package refuses have no meaning. Examples are a remainder of complex numbers, the negative of a
bool, a divisor of fractions, and fractions written into integers.
"""

# Arguments that are accepted and change nothing, with the reason.
WITHOUT_EFFECT = {
    "assume_unique": "the answer is the same; it says that a quicker way may be taken",
    "backend": "there is one way to compute it",
    "blocking": "nothing happens in the background",
    "cache_enabled": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "compute_mode": "how it is computed, not what",
    "copy": "always a copy: what is written into it stays in it",
    "correct": "Paddle's too: what the static graph counted in",
    "decr_every_n_nan_or_inf": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "decr_ratio": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "device": "the answer is that of the CPU, the only device",
    "device_type": "the CPU is the only device",
    "do_model_average": "as in Paddle, which has no optimizer that averages parameters here",
    "do_model_average_for_mean_and_var": "as in Paddle, of its own static graph",
    "excluded_layers": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "feed_list": "Paddle's static graph",
    "fill_zero": "what is new is always 0",
    "generator": "`paddle.seed` rules all that is drawn",
    "group_name": "as in Paddle, for its own static graph",
    "hermitian": "a Hermitian matrix has the same answer; it says that a quicker way may be taken",
    "in_place": "the result has memory of its own, as in Paddle",
    "incr_every_n_steps": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "incr_ratio": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "init_loss_scaling": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "inplace": "as in Paddle",
    "is_arithmetic": "bits moved to the left are the same",
    "lazy_mode": "gradients are dense: every row has one",
    "master_grad": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "master_weight": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "momentum": "as in Paddle: the statistics are those of the sample",
    "multi_precision": "a parameter is updated in its own dtype, as in Paddle where that is float32 or float64",
    "norm_type": "goes with max_norm, which is refused",
    "num_workers": "samples are read in this process, in the same order",
    "numeric_stable_mode": "always the stable way",
    "persistent_workers": "samples are read in this process, in the same order",
    "pin_memory": "there is no GPU to read it",
    "place": "the CPU is the only device",
    "places": "the CPU is the only device",
    "prefetch_factor": "samples are read in this process, in the same order",
    "protocol": "files are safetensors and JSON, no pickles",
    "reader_buffer_size": "samples are read in this process, in the same order",
    "running_mean": "as in Paddle: the statistics are those of the sample",
    "running_var": "as in Paddle: the statistics are those of the sample",
    "save_dtype": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "seed": "`paddle.seed` rules all that is drawn",
    "sorted": "the result is always sorted",
    "sparse": "gradients are dense, with the same numbers",
    "stable": "equal elements always keep their order",
    "timeout": "samples are read in this process, in the same order",
    "total": "Paddle's too: what the static graph counted in",
    "use_buffer_reader": "samples are read in this process, in the same order",
    "use_dynamic_loss_scaling": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "use_input_stats": "as in Paddle: the statistics are those of the sample",
    "use_multi_tensor": "how it is computed, not what",
    "use_promote": "as in Paddle on the CPU, where nothing is computed in less than float32",
    "use_shared_memory": "samples are read in this process, in the same order",
    "worker_init_fn": "there are no workers",
}

# Why a name is absent, by words of it; the first that fits counts.
REASONS = (
    (("conv1d", "conv2d", "conv3d", "group_norm", "layer_norm", "adaptive_avg_pool1d", "softmax"), "see `nn.functional`"),
    (("sparse", "coalesce", "crows", "cols", "dense_dim", "nnz", "indices", "values", "rows", "selected"), "no sparse tensors"),
    (("cuda", "cudnn", "gpu", "XPU", "IPU", "Stream", "Event", "CustomPlace", "device", "pinned", "data_ptr"), "the CPU only"),
    (("autocast",), "see `amp`"),
    (("save", "load", "async"), "models are saved by `jit.save`"),
    (("DataParallel", "shard", "placements", "process_mesh", "dist"), "one process"),
    (
        ("monkey_patch", "new_init", "original_init", "IrGuard", "ir_guard", "common_ops", "check_shape"),
        "internal to Paddle",
    ),
    (("block", "get_tensor", "set_tensor", "get_map", "string", "vocab", "reconstruct", "share"), "internal to Paddle"),
    (("compat", "Tensor"), "spelt as in PyTorch"),
    (("gammainc", "i0", "i1", "histogramdd", "ormqr", "lowrank", "geometric"), "not yet: rare in models"),
    (("stft", "istft"), "see `signal`"),
    (("VisualDL", "Wandb"), "a program of its own: write a Callback that tells it"),
    (("summary", "flops", "batch", "hub", "LazyGuard", "create_parameter"), "see `nn` and `jit`"),
)

NEURAL = (
    (("flash", "moe", "sparse", "margin_cross", "class_center", "cuda", "xpu"), "for accelerators"),
    (("sharded",), "one process"),
    (("3D", "3d"), "rare in models: volumes"),
    (("BeamSearch", "dynamic_decode", "gather_tree"), "write the search in Python: it is staged as it is"),
)


def reason(space: str, name: str) -> str:
    """Why a name of Paddle is absent."""
    rules = NEURAL if space.startswith("paddle.nn") else REASONS
    return next((why for words, why in rules if any(word in name for word in words)), "not asked for yet")
