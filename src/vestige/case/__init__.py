"""What a probe works on: the inputs, the case with the ground truth locked away, and the records of findings."""
