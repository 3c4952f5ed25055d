"""Vectors to vectors that reveal less: fit, transform, save, load.

A defense is a class that declares itself with `info` (see `defense.py`). `catalogue.py` finds it by that.
"""
