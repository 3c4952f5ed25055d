"""Guesses and the truth to scores: pure functions."""
