"""Guided inversion: whole sentences, by a search that queries the encoder."""
