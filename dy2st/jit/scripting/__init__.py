"""`script`: functions, layers and classes that are compiled once, from their hints."""
