"""Contrastive dual encoders, after Song and Raghunathan (Eq. 2)."""
