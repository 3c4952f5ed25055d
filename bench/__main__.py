"""`python -m bench [NAME ...]`: every benchmark, or the ones named; what begins with -- is for them."""

import sys
from itertools import takewhile

from bench import (
    attributes,
    canaries,
    decoder,
    defenses,
    dual,
    encode,
    encode_ways,
    fingerprint,
    frontier,
    growth,
    guided,
    index_membership,
    invert,
    keywords,
    multiset,
    names,
    patterns,
    preflight,
    protect,
    published,
    relaxed,
    sparse,
    stores,
    stream,
    surrogate,
    word_membership,
    word_vectors,
)

BENCHMARKS = {
    "encode": encode.run,
    "encode_ways": encode_ways.run,
    "stream": stream.run,
    "word_vectors": word_vectors.run,
    "dual": dual.run,
    "dual_paper": dual.run_paper,
    "invert": invert.run,
    "published": published.run,
    "multiset": multiset.run,
    "relaxed": relaxed.run,
    "sparse": sparse.run,
    "guided": guided.run,
    "decoder": decoder.run,
    "patterns": patterns.run,
    "patterns_recipes": patterns.run_recipes,
    "patterns_genome": patterns.run_genome,
    "patterns_utility": patterns.run_utility,
    "growth": growth.run,
    "keywords": keywords.run,
    "keywords_elsewhere": keywords.run_elsewhere,
    "keywords_many": keywords.run_many,
    "keywords_curves": keywords.run_curves,
    "surrogate": surrogate.run,
    "surrogate_speed": surrogate.run_speed,
    "surrogate_full": surrogate.run_full,
    "fingerprint": fingerprint.run,
    "names": names.run,
    "defenses": defenses.run,
    "frontier": frontier.run,
    "frontier_authors": frontier.run_authors,
    "protect": protect.run,
    "attributes": attributes.run,
    "attributes_full": attributes.run_full,
    "attributes_split": attributes.run_split,
    "attributes_speed": attributes.run_speed,
    "word_membership": word_membership.run,
    "word_membership_epochs": word_membership.run_epochs,
    "index_membership": index_membership.run,
    "canaries": canaries.run,
    "stores": stores.run,
    "preflight": preflight.run,
}

if __name__ == "__main__":
    named = list(takewhile(lambda given: not given.startswith("--"), sys.argv[1:]))
    for name in named or BENCHMARKS:
        for line in BENCHMARKS[name]():
            print(line, flush=True)
