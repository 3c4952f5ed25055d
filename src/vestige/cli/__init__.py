"""The command line: parse, call, print.

Exit codes: 0 when all is well, 1 when a gate or a check failed, `BAD_INPUT` when the input cannot be used,
`DEFECT` when Vestige itself is at fault, `NO_OUTPUT` when nothing can be printed, 130 after Ctrl-C, 143 after SIGTERM,
`CLOSED_PIPE` when the program that reads the output ended.
"""

BAD_INPUT, DEFECT, NO_OUTPUT, CLOSED_PIPE = 2, 70, 74, 141
