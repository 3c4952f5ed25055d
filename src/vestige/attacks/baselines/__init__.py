"""The attacks that Chen 2023 compares the open-world attack with (Section 5.0.1)."""
