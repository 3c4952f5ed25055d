"""Fingerprinting: which encoder made these vectors?"""
