"""From vectors as they lie in a file or a store to a file of defended ones."""
