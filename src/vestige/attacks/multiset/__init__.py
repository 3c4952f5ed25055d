"""The multi-set inverter (S6, R3, R8): words are claimed one after another, each in the light of those before."""
