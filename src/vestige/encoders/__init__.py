"""Text to vectors: one file a family, spec strings to choose one, a cache and a meter around any of them."""
