"""What static, compiled, traced and loaded models share: their arguments, results, gradients, and calls of one from another."""
