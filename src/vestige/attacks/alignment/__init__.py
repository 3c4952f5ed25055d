"""Undo a secret map of vectors: from known pairs, or without any, by aligning two clouds of vectors."""
