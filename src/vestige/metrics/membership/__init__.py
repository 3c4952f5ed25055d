"""How well scores separate members of the training data from non-members (Song and Raghunathan 2020, Section 6.4).

A higher score means "member". `summary.membership` computes all metrics at once.
"""
