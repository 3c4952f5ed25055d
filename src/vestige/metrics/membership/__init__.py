"""How well scores tell members of the training data from others (S9, S10). A higher score says member."""
