"""Membership inference: was this in the data that the vectors were trained on (Song and Raghunathan 2020)?"""
