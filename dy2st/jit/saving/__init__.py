"""`save`: the Programs of a model in both of its modes, checked, cut down to what is kept, and written."""
