"""Text to vectors: one file per family, spec strings to choose one, and wrappers that cache, count and memoize."""
