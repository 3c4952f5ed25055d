"""The local web app: type a text and see what its embedding reveals, and browse and compare runs."""
