"""`python -m bench [encode] [invert]`: every benchmark, or the ones named."""

import sys

from bench import encode, invert

BENCHMARKS = {"encode": encode.run, "invert": invert.run}

for name in sys.argv[1:] or BENCHMARKS:
    for line in BENCHMARKS[name]():
        print(line, flush=True)
