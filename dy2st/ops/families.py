"""Which module defines which operator, so that looking one up by name imports its family alone (`registry.OPERATORS`)."""

from __future__ import annotations

FAMILIES = {  # module -> names of its operators
    "activation": "relu relu6 leaky_relu elu silu gelu hardsigmoid hardswish softplus relu_",
    "cast": "cast assign assign_value copy_",
    "compare": (
        "equal not_equal less_than less_equal greater_than greater_equal logical_and logical_or logical_xor "
        "logical_not bitwise_and bitwise_or bitwise_xor bitwise_not isnan isinf isfinite isclose"
    ),
    "complex_numbers": "real imag conj complex",
    "complex_views": "as_real_copy as_real as_complex_copy as_complex as_real_scatter as_complex_scatter",
    "conv": "conv2d conv2d_input_grad conv2d_weight_grad",
    "counting": "unique bincount searchsorted histogram",
    "creation": "full full_like zeros_like fill full_like_ arange linspace eye tril triu tril_ triu_ one_hot",
    "custom_gradient": "custom_gradient",
    "distributions": "poisson standard_gamma binomial multinomial",
    "einsum": "einsum",
    "demand": "demand",
    "elementwise": (
        "add subtract multiply divide neg floor_divide remainder pow maximum minimum atan2 add_ subtract_ "
        "multiply_ divide_ floor_divide_ remainder_ pow_ neg_"
    ),
    "embedding": "embedding embedding_spread",
    "erf": "erf",
    "factors": "qr geqrf svd eigh eig",
    "fft": "fft_c2c fft_r2c fft_c2r spectrum_like mirror_weights fit_length",
    "floats": "fmax fmin hypot logaddexp nextafter signbit frexp",
    "gradient_check": "gradient_check",
    "gradient_hook": "gradient_hook",
    "index": "getitem_copy getitem getitem_advanced gather take_along_axis nonzero",
    "integers": "gcd lcm left_shift right_shift divisor",
    "like": "sum_to sum_like broadcast_like spread",
    "linalg": "matmul linear",
    "lu": "lu permutation_of unit_diagonal",
    "manipulate": "concat stack tile repeat_interleave flip roll",
    "mutate_index": "setitem setitem_copy setitem_add index_add",
    "nll": "nll nll_spread",
    "norm": "normalize batch_norm",
    "padding": "pad pad_fold",
    "pool": "max_pool2d max_pool2d_indices avg_pool2d avg_pool2d_grad adaptive_avg_pool2d adaptive_avg_pool2d_grad",
    "put_along_axis": "put_along_axis",
    "python.adjoints": (
        "adjoint.zeros adjoint.add adjoint.ledger adjoint.shadow adjoint.enter adjoint.slot adjoint.put_back "
        "adjoint.places adjoint.pour adjoint.pour_fields adjoint.order adjoint.unsort adjoint.references "
        "adjoint.refer adjoint.undelete"
    ),
    "python.containers": "container.compare",
    "python.convert": "py.int py.float py.bool py.str py.repr py.round py.isinstance",
    "python.copies": "object.copy container.deepcopy",
    "python.dicts": (
        "dict.new dict.get dict.get_default dict.set dict.delete dict.contains dict.len dict.keys dict.values "
        "dict.items dict.update dict.pop dict.popitem dict.setdefault dict.copy dict.clear dict.merge"
    ),
    "python.distinct": "sequence.distinct sequence.among",
    "python.lists": (
        "list.new list.append list.extend list.insert list.pop list.get list.set list.delete list.slice "
        "list.set_slice list.delete_slice list.len list.contains list.index list.count list.reverse list.sort "
        "list.sort_by list.clear list.remove list.copy list.concat list.repeat list.stack list.concat_tensors "
        "list.to_tensor"
    ),
    "python.math": "math.call",
    "python.objects": "object.new object.get object.set object.delete object.has",
    "python.output": "io.print io.log io.warn",
    "python.ranges": "range.len",
    "python.references": "reference.positions reference.tensors",
    "python.scalars": (
        "py.add py.sub py.mul py.truediv py.floordiv py.mod py.divmod py.pow py.powmod py.neg py.pos py.abs "
        "py.invert py.and py.or py.xor py.lshift py.rshift py.lt py.le py.gt py.ge py.eq py.ne py.not py.is "
        "py.min py.max"
    ),
    "python.sequence_changes": (
        "sequence.append sequence.insert sequence.set sequence.delete sequence.delete_slice sequence.reverse "
        "sequence.sort sequence.remove sequence.set_slice sequence.order sequence.take sequence.index "
        "sequence.count sequence.stack sequence.concat_tensors sequence.to_tensor"
    ),
    "python.sequences": (
        "sequence.new sequence.from_list sequence.from_tuple sequence.to_list sequence.get sequence.slice "
        "sequence.len sequence.concat sequence.repeat sequence.contains"
    ),
    "python.sets": (
        "set.new set.add set.discard set.remove set.pop set.update set.clear set.contains set.len set.copy "
        "set.union set.intersection set.difference set.symmetric_difference set.isdisjoint set.to_list "
        "set.from_list"
    ),
    "python.spelling": "py.spell",
    "python.strings": "str.format str.percent str.concat str.join str.len str.contains str.get str.slice str.method",
    "python.tensors": "py.to_tensor py.item py.tolist py.dim py.rank py.dims py.truth",
    "python.torch_text": "py.torch_text",
    "python.tuples": (
        "tuple.new tuple.get tuple.get_dynamic tuple.len tuple.concat tuple.slice tuple.contains tuple.to_list"
    ),
    "python.words": "py.words",
    "random": (
        "uniform normal randint randperm bernoulli dropout_mask uniform_like normal_like uniform_like_ "
        "normal_like_"
    ),
    "reduce": (
        "sum mean reduced_count max min amax amin max_unshared min_unshared product_of_others prod all any argmax argmin "
        "logsumexp l2_norm l1_norm"
    ),
    "running": "cummax cummin logcumsumexp",
    "saved": "before_write needing saving assign_result copy_result_",
    "scan": "cumsum cumprod",
    "select": "where clip clip_",
    "shape": "shape numel",
    "sliding": "windows_copy windows windows_scatter windows_add",
    "slopes": "with_slope",
    "softmax": "softmax log_softmax",
    "solving": "inverse solve det slogdet cholesky",
    "sort": "sort topk",
    "special": "erfinv lgamma polygamma",
    "spectra": "svdvals eigvalsh",
    "strided": "as_strided_copy as_strided as_strided_scatter strided_add diagonal_copy diagonal diagonal_scatter",
    "training": "sgd sgd_ momentum momentum_ adam adam_ clip_factor gradient_start",
    "unary": (
        "exp expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh "
        "acosh atanh sigmoid floor ceil trunc round sign abs square scale exp_ sqrt_ rsqrt_ reciprocal_ tanh_ "
        "sigmoid_ floor_ ceil_ round_ abs_ scale_"
    ),
    "updates": (
        "adagrad adagrad_ adadelta adadelta_ rmsprop rmsprop_ rprop rprop_ adamax adamax_ "
        "nadam nadam_ radam radam_ lamb lamb_"
    ),
    "views": (
        "reshape_scatter transpose_scatter detach_scatter reshape_copy reshape flatten_copy flatten squeeze_copy "
        "squeeze unsqueeze_copy unsqueeze expect_copy expect transpose_copy transpose broadcast_to_copy "
        "broadcast_to detach_copy detach checkpoint_copy checkpoint"
    ),
}
HOMES = {name: module for module, names in FAMILIES.items() for name in names.split()}
FOR_GRADIENTS = ("slopes", "saved")  # modules of operators that change nothing but gradients
