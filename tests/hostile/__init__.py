"""Files made to harm whoever opens them: what each of them tries, and what happens instead."""
