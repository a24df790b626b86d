"""Names, attributes, items, operators, conditions and `try`: what a single statement or expression becomes."""
