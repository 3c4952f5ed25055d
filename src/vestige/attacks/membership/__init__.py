"""Membership: is a candidate in a vector store, or in the text that an encoder was trained on?"""
