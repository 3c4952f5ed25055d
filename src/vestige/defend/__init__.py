"""Every defense judged by an adversary who knows it: plan, defended cases, sweep, frontier, record."""

DRAWS = 2
"""How often a stranger who may ask has each of its texts defended, where noise makes the answers differ."""
