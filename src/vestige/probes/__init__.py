"""The probes: each answers one question of an owner, and collects the evidence for its answer."""
