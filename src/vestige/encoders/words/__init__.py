"""Vectors of words, and of texts by way of their words."""
