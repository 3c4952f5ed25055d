"""Keyword inference: does the text behind a vector contain a keyword that the adversary names (Pan et al. 2020)?"""
