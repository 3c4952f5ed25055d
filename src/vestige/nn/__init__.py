"""The little that attacks, defenses and encoders share where something is trained."""
