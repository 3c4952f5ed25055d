"""The open-world attack with few queries and a surrogate encoder (Chen 2023)."""
