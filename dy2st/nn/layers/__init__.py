"""The layers, one family per file."""
