"""Models that `training.py` trains, and the sides that train them."""
