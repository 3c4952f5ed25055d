"""Corò, Privacy Leakage Analysis of Text Representations for Natural Language Processing, Padova 2022."""
