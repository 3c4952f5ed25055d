"""How the command ends, besides 0 for fine and 1 for a limit that was passed."""

BAD_INPUT, DEFECT = 2, 70
