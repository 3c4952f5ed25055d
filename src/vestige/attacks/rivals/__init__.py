"""The attacks that Chen (2023) sets beside SADE, with the same few queries (C5)."""
