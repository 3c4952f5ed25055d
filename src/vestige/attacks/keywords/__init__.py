"""Keyword inference: does the text behind a vector hold a word of the adversary's choice (Pan et al. 2020)?"""
