"""What the table of names says beyond signatures: how results differ from Paddle's, and why a name is absent."""

from __future__ import annotations

DIFFERENCES = {
    "mean": "integers give the default floating dtype, there an integer",
    "var": "integers give the default floating dtype, there an integer",
    "gather": "also with an index of any shape",
    "empty": "the values are zeros",
    "empty_like": "the values are zeros",
    "view_as_real": "a copy",
    "view_as_complex": "a copy",
    "as_strided": "for what lies in row-major order",
    "enable_static": "raises: Programs come from `jit.to_static`",
    "CUDAPlace": "raises: tensors live on the CPU",
    "CUDAPinnedPlace": "raises: tensors live on the CPU",
    "matrix_exp": "computed in float64",
    "lu": "the gradient is that of square matrices",
    "lu_solve": "the gradient is that of what is computed, unlike Paddle's",
    "seed": "another generator: the numbers differ",
    "auto_cast": "no effect, as in Paddle on the CPU",
    "decorate": "no effect, as in Paddle on the CPU",
    "GradScaler": "no effect, as in Paddle on the CPU",
    "is_bfloat16_supported": "where ml_dtypes is installed",
    "scaled_dot_product_attention": "refuses a mask with is_causal, which Paddle ignores then",
    "DataLoader": "samples are read in this process, whatever num_workers says",
    "SpectralNorm": "the gradient is that of what is computed, unlike Paddle's",
    "group_norm": "the gradient without a weight is that of what is computed, unlike Paddle's",
    "save": "no pickles: safetensors and JSON",
    "load": "no pickles: safetensors and JSON",
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
    (("compat", "Tensor", "dlpack"), "spelt as in PyTorch"),
    (("gammainc", "i0", "i1", "histogramdd", "ormqr", "lowrank", "geometric"), "not yet: rare in models"),
    (("stft", "istft"), "see `signal`"),
    (("Model", "summary", "flops", "batch", "hub", "LazyGuard", "create_parameter"), "see `nn` and `jit`"),
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
