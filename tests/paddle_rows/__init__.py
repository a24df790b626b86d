"""What Paddle's dynamic-to-static does, row by row of its feature tables: a test carries the number of its row."""
