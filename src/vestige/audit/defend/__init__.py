"""Every defense judged by an adversary who knows it: plan, defended cases, sweep, frontier, record."""
