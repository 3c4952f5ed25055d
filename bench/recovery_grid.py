"""How much text comes back, by pairs, queries, domain of the pairs, and length of the text. MiniLM, film reviews.

Without a query the text is composed; with queries it is searched for. Without a pair there is only the prior.
`--targets N` attacks fewer than 200 texts of each length; `--pairs`, `--queries`, `--lengths` and `--domains` take
comma-separated parts of the grid, such as `--lengths 8-16,80`. Cross-domain pairs are complaints. A search writes at
most 60 words, so longer texts can come back in part only.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

from bench.guided import describe_scores
from bench.invert import CACHE
from bench.recovery import Attacked, build_attacked, describe_names, read_option
from vestige.attacks.guided.composed import ComposedInverter
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.priors import FixedText
from vestige.case.case import Auxiliary
from vestige.case.inputs import read_inputs
from vestige.case.prepare import plan_case
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.text.corpora import load_corpus
from vestige.types import TextGuesses, silent

PAIRS, QUERIES = ("0", "100", "1000", "10000"), ("0", "100", "1000", "3000")
LENGTHS, DOMAINS = ("8-16", "17-24", "25-40", "80", "200"), ("same-domain", "cross-domain")
TARGETS = 200


def run() -> Iterator[str]:
    public = build_attacked("complaints", Settings(targets=1000)).pairs
    for length in _choose("--lengths", LENGTHS):
        attacked = _build(length)
        for domain in _choose("--domains", DOMAINS):
            held = attacked if domain == "same-domain" else replace(attacked, pairs=public)
            for pairs in _choose("--pairs", PAIRS):
                for queries in _choose("--queries", QUERIES) if pairs != "0" else ("0",):
                    yield _attack(held, length, domain, int(pairs), int(queries))


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
    return Attacked("imdb", case.targets, case.truth.texts, case.truth.documents, case.auxiliary["same-domain"])


def _attack(attacked: Attacked, length: str, domain: str, pairs: int, queries: int) -> str:
    few = attacked.pairs.take(range(min(pairs, len(attacked.pairs.texts))))
    guesses = _guess(attacked, few, queries)
    cosines = [trail[-1].similarity for trail in guesses.trails] if guesses.trails else None
    scores = describe_scores(guesses.texts, attacked.texts, attacked.documents, cosines)
    names = describe_names(guesses.texts, attacked.texts)
    held = f"{len(few.texts):,} pairs, {queries:,} queries"
    return f"{length} words, {domain}, {held}, n {len(attacked.texts)}: {scores}; names and numbers {names}"


def _guess(attacked: Attacked, few: Auxiliary, queries: int) -> TextGuesses:
    if not few.texts:
        return FixedText().fit(attacked.pairs.texts, rng=stream(0, "fixed text")).infer(attacked.vectors)
    if not queries:
        composed = ComposedInverter().fit(few.vectors, few.texts, documents=few.documents, rng=stream(0, "few"))
        return composed.infer(attacked.vectors)
    search = GuidedInverter(queries=queries, vocabulary_size=14_000)
    return search.fit(few.vectors, few.texts, encoder=load_encoder("minilm", precision="bf16")).infer(attacked.vectors)
