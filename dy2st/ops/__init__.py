"""Every operator, described once: kernel, inference, gradient, effects."""
