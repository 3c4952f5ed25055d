"""Encoders that are built on vectors of words: word2vec, fastText, GloVe and doc2vec."""
