"""A fault campaign: kills, bad input, hostile files, mutations, signals, full disks, closed descriptors, two at once.

`make campaign` runs the long version and records how many trials of each kind were tried and survived. The short
version, with fixed seeds, is part of the slow tests. FAULTS.md names the test of every fault that was found.
"""
