"""How work is run: on the cores of this machine."""
