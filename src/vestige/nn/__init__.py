"""The parts of training that attacks, defenses and encoders share."""
