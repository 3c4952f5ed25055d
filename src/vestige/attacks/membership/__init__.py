"""Membership inference: was it in the training data (Song and Raghunathan 2020, Section 5), or is it in the store?"""
