"""What Paddle's dynamic-to-static gets wrong or refuses, by number: here it is as in plain Python, or refused in words."""
