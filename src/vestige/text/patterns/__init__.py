"""Texts of a known format: patterns that a TOML file describes, texts generated from them, and their secrets."""

from vestige.text.patterns.load import detect_patterns as detect_patterns
from vestige.text.patterns.load import load_pattern as load_pattern
from vestige.text.patterns.load import shipped_patterns as shipped_patterns
from vestige.text.patterns.pattern import Pattern as Pattern
from vestige.text.patterns.pattern import Records as Records
