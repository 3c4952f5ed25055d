"""Pattern reconstruction: the secret fields of texts whose format is known (Pan et al. 2020, Section V)."""
