"""A similarity: embeddings of texts, whose cosine says how alike two texts are."""

from __future__ import annotations


def letters(texts: list[str]) -> list[list[float]]:
    """How often each letter of the alphabet occurs, and 1 (no embedding may have length zero)."""
    return [[1.0, *(float(text.casefold().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz")] for text in texts]
