"""What the transformers need to know about names and paths."""
