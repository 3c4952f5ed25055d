"""Where vectors already live, read and never changed."""
