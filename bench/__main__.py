"""`python -m bench [NAME ...] [--record] [--OPTION ...]`: run the named benchmarks, or all.

With `--record`, each writes what it printed to results/bench/NAME.json. Other options are passed on to the benchmarks.
"""

import sys
from itertools import takewhile

from bench import (
    adapter,
    alignment,
    attributes,
    audit,
    budget,
    canaries,
    compare,
    decoder,
    defenses,
    dual,
    encode,
    encode_variants,
    engine,
    fingerprint,
    frontier,
    growth,
    guided,
    index_membership,
    invert,
    keyed,
    keywords,
    memory,
    multiset,
    names,
    patterns,
    preflight,
    protect,
    published,
    recovery,
    recovery_grid,
    redaction,
    relaxed,
    sparse,
    stores,
    stream,
    surrogate,
    view,
    word_membership,
    word_vectors,
)
from bench.harness import write_benchmark

RECORD = "--record"

BENCHMARKS = {
    "audit": audit.run,
    "encode": encode.run,
    "encode_variants": encode_variants.run,
    "stream": stream.run,
    "word_vectors": word_vectors.run,
    "dual": dual.run,
    "dual_paper": dual.run_paper,
    "invert": invert.run,
    "published": published.run,
    "multiset": multiset.run,
    "multiset_memory": multiset.run_memory,
    "relaxed": relaxed.run,
    "sparse": sparse.run,
    "guided": guided.run,
    "decoder": decoder.run,
    "recovery": recovery.run,
    "recovery_search": recovery.run_search,
    "recovery_complaints": recovery.run_complaints,
    "recovery_public": recovery.run_public,
    "recovery_few": recovery.run_few,
    "recovery_grid": recovery_grid.run,
    "patterns": patterns.run,
    "patterns_recipes": patterns.run_recipes,
    "patterns_genome": patterns.run_genome,
    "patterns_utility": patterns.run_utility,
    "growth": growth.run,
    "keywords": keywords.run,
    "keywords_cross_domain": keywords.run_cross_domain,
    "keywords_many": keywords.run_many,
    "keywords_curves": keywords.run_curves,
    "surrogate": surrogate.run,
    "budget": budget.run,
    "surrogate_speed": surrogate.run_speed,
    "surrogate_full": surrogate.run_full,
    "surrogate_parts": surrogate.run_parts,
    "surrogate_whitening": surrogate.run_whitening,
    "alignment": alignment.run,
    "fingerprint": fingerprint.run,
    "names": names.run,
    "defenses": defenses.run,
    "frontier": frontier.run,
    "frontier_authors": frontier.run_authors,
    "adapter": adapter.run,
    "adapter_reviews": adapter.run_reviews,
    "keyed": keyed.run,
    "keyed_reviews": keyed.run_reviews,
    "redaction": redaction.run,
    "protect": protect.run,
    "memory": memory.run,
    "memory_large": memory.run_large,
    "engine": engine.run,
    "engine_soak": engine.run_soak,
    "engine_simulation": engine.run_simulation,
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
    "compare": compare.run,
    "compare_null": compare.run_null,
    "view": view.run,
    "view_folder": view.run_folder,
}

if __name__ == "__main__":
    named = list(takewhile(lambda word: not word.startswith("--"), sys.argv[1:]))
    for name in named or BENCHMARKS:
        found = []
        for line in BENCHMARKS[name]():
            print(line, flush=True)
            found.append(line)
        if RECORD in sys.argv:
            print(f"record: {write_benchmark(name, found)}")
