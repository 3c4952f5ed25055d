"""One question an owner asks, a file; beside each, what it shows as evidence."""
