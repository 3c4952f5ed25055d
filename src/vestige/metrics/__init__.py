"""Guesses against the truth: pure functions."""
