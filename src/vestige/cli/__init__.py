"""The command line: parse, call, print.

Exit codes: 0 when all is well, 1 when a gate or a check failed, `BAD_INPUT` when the input cannot be used,
`DEFECT` when Vestige itself is at fault, 130 after Ctrl-C, 143 after SIGTERM.
"""

BAD_INPUT, DEFECT = 2, 70
