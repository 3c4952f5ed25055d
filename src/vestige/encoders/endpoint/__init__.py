"""Encoders behind a URL with the interface of OpenAI's embeddings endpoint."""
