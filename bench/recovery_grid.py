"""How much text comes back, by pairs, queries, domain of the pairs, and length of the text. MiniLM, film reviews.

Without a query the text is composed; with queries it is searched for, once, and scored after each number of queries.
Without a pair there is only the prior. `--targets N` attacks fewer than 200 texts of each length; `--pairs`,
`--queries`, `--lengths` and `--domains` take comma-separated parts of the grid, such as `--lengths 8-16,80`.
Cross-domain pairs are complaints. A search writes at most 60 words, so longer texts can come back in part only.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.guided import describe_scores
from bench.invert import CACHE
from bench.recovery import ALL_WORDS, Attacked, build_attacked, describe_names, list_public_words, read_option
from vestige.attacks.guided.composed import ComposedInverter
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.priors import FixedText
from vestige.case.case import Auxiliary
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.encoders.memoized import Memoized
from vestige.probes.sentences_evidence import find_best
from vestige.text.corpora import load_corpus
from vestige.types import Encoder, Trial, silent

PAIRS, QUERIES = ("0", "100", "1000", "10000"), ("0", "100", "1000", "3000")
LENGTHS, DOMAINS = ("8-16", "17-24", "25-40", "80", "200"), ("same-domain", "cross-domain")
TARGETS = 200


def run() -> Iterator[str]:
    public = build_attacked("complaints", Settings(targets=1000)).pairs
    encoder = Memoized(load_encoder("minilm", precision="bf16"))
    queries = [int(each) for each in _choose("--queries", QUERIES)]
    for length in _choose("--lengths", LENGTHS):
        attacked = _build(length)
        yield _describe(attacked, f"{length} words, 0 pairs, 0 queries", _guess(attacked))
        for domain in _choose("--domains", DOMAINS):
            held = attacked if domain == "same-domain" else replace(attacked, pairs=public)
            for pairs in map(int, _choose("--pairs", PAIRS)):
                few = held.pairs.take(range(min(pairs, len(held.pairs.texts))))
                label = f"{length} words, {domain}, {len(few.texts):,} pairs"
                for spent, texts, cosines in _attack(attacked, few, queries, encoder) if few.texts else ():
                    yield _describe(attacked, f"{label}, {spent:,} queries", texts, cosines)


def _choose(option: str, every: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sys.argv[sys.argv.index(option) + 1].split(",")) if option in sys.argv else every


def _build(length: str) -> Attacked:
    """Targets of one length, and pairs of the same length from other documents."""
    shortest, _, longest = length.partition("-")
    corpus = load_corpus("imdb")
    settings = Settings(targets=read_option("--targets", TARGETS), pairs=10_000, longest=10**6)
    if longest:
        settings = replace(settings, shortest=int(shortest), longest=int(longest))
    else:
        corpus, settings = corpus.passages(int(shortest)), replace(settings, unit="text", shortest=1)
    inputs = read_inputs(None, corpus, "minilm", None, settings).cache_vectors(CACHE)
    case = plan_case(inputs, settings).build(silent)
    assert case.truth is not None
    pairs = case.auxiliary["same-domain"]
    attacked = Attacked("imdb", case.targets, case.truth.texts, case.truth.documents, pairs)
    return replace(attacked, public_words=list_public_words())


def _attack(
    attacked: Attacked, few: Auxiliary, queries: Sequence[int], encoder: Encoder
) -> Iterator[tuple[int, list[str], list[float] | None]]:
    """The texts, and the cosines of their vectors, after each number of queries."""
    if 0 in queries:
        composed = ComposedInverter().fit(few.vectors, few.texts, documents=few.documents, rng=stream(0, "few"))
        yield 0, composed.infer(attacked.vectors).texts, None
    if not max(queries):
        return
    search = GuidedInverter(queries=max(queries), vocabulary_size=ALL_WORDS)
    search.fit(few.vectors, few.texts, encoder=encoder, further_words=attacked.public_words)
    trails = search.infer(attacked.vectors).trails
    for spent in filter(None, queries):
        best: list[Trial] = [find_best(trail, spent) for trail in trails]
        yield spent, [trial.text for trial in best], [trial.similarity for trial in best]


def _guess(attacked: Attacked) -> list[str]:
    return FixedText().fit(attacked.pairs.texts, rng=stream(0, "fixed text")).infer(attacked.vectors).texts


def _describe(attacked: Attacked, label: str, texts: list[str], cosines: list[float] | None = None) -> str:
    scores = describe_scores(texts, attacked.texts, attacked.documents, cosines)
    return f"{label}: {scores}; names and numbers {describe_names(texts, attacked.texts)}; n {len(texts)}"
