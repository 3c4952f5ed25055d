"""Attacks: vectors to guesses, one module or one small package per algorithm; `attack.ATTACKS` lists them."""
