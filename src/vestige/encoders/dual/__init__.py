"""Contrastive dual encoders (Song and Raghunathan 2020, Equation 2)."""
