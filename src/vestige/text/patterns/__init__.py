"""Texts of a known format: what a pattern is, how a user describes one, and texts made after it."""

from vestige.text.patterns.load import load_pattern as load_pattern
from vestige.text.patterns.pattern import Pattern as Pattern
from vestige.text.patterns.pattern import Records as Records
