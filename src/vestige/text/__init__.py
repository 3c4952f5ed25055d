"""Corpora, sentences, words, vocabularies and splits."""
