"""Programs in JAX: the lowerings of operators, which name ONNX's operators, compute at once with `jax.numpy`."""
