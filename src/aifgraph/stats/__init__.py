"""Confusion matrices and their scores, agreement of several coders, resampling."""
