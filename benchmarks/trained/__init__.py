"""Models that `train.py` trains, and the sides that train them."""
