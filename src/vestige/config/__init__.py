"""The file `vestige.toml`: find it, read it, check it against the options of the commands, and write one."""
