"""`load`: from files to what runs them, with NumPy alone and without what stages."""
