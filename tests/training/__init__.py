"""Training through Programs."""
