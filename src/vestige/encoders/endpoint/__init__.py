"""Encoders behind a URL that speaks as OpenAI's embeddings endpoint does."""
