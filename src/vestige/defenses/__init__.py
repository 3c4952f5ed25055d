"""Vectors to vectors that give less away: fit, transform, save, load; one file a defense."""
