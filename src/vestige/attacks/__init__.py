"""Vectors to guesses: one file an algorithm."""
