"""Apply a fitted defense to all vectors of a file or a store; `run.protect` is the entry point."""
