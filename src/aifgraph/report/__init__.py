"""Comparisons and maps as pages, and their numbers as pictures (``plots``)."""
