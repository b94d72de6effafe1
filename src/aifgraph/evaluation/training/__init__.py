"""Training data: rows of a corpus for those who train models on it, in files, and predictions made maps again."""
