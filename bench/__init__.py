"""Speed as a ratio against a named peer, both measured in the same run."""
