"""`python -m bench [encode] [invert] [published]`: every benchmark, or the ones named."""

import sys

from bench import encode, invert, published

BENCHMARKS = {"encode": encode.run, "invert": invert.run, "published": published.run}

for name in sys.argv[1:] or BENCHMARKS:
    for line in BENCHMARKS[name]():
        print(line, flush=True)
