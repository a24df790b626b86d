"""Hooks of all kinds, `__call__`, and modes, of PyTorch's modules and of Layers, in every engine: as plain code, or refused."""
