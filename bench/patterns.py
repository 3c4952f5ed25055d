"""Pattern reconstruction: birth dates, nucleotides by position, recipes and examples; utility of the same vectors.

VESTIGE_MODELS must hold the models, VESTIGE_DATA splice sites and posts. Vectors are cached between runs.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.harness import Comparison, compare
from vestige.attacks.patterns.reconstructor import PatternReconstructor
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.encoders.wrapper import Wrapper
from vestige.metrics.pattern_recovery import PatternRecovery, most_frequent, pattern_recovery
from vestige.papers.victims import locate_spec
from vestige.text.corpora import load_corpus
from vestige.text.patterns import Pattern, Records, load_pattern
from vestige.types import Encoder, Progress, Score, Vectors, silent
from vestige.utility.mlp_probe import MlpProbe

CACHE = Path("vestige-audit/bench")
ENCODERS = ("minilm", "hf:granite-30m-english", "use", "static:potion-base-8M")
TARGETS, NUCLEOTIDES, GENOMES, POSTS = 1000, 20, 5000, 2000
PAN_ITERATIONS = 10_000
TABLE_II = {
    "Bert": "year 0.661 0.926, month 0.616 0.950, day 0.539 0.885, whole 0.219 0.384",
    "RoBERTa": "year 0.454 0.774, month 0.441 0.889, day 0.307 0.703, whole 0.061 0.108",
    "Transformer-XL": "year 0.725 0.927, month 0.802 0.992, day 0.839 0.992, whole 0.488 0.624",
    "random": "year 0.01 0.05, month 0.083 0.417, day 0.033 0.167, whole 0.0001 0.0005",
}


class Shuffled(Wrapper):
    """The control: an encoder that returns every vector for another text."""

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """The vectors in a random order."""
        return stream(0, "shuffle").permutation(self.encoder.encode(texts, progress=progress))


def run() -> Iterator[str]:
    pattern = load_pattern("citizen-id")
    targets = pattern.generate(TARGETS, stream(0, "citizens"))
    yield f"birth date in a citizen ID, 20,000 generated texts, {TARGETS:,} targets; top-1 and top-5"
    for spec in ENCODERS:
        encoder = load_cached(spec)
        yield f"  {spec}: {_describe_recovery(_run_attack(PatternReconstructor(pattern=pattern), encoder, targets))}"
    shuffled = _run_attack(PatternReconstructor(pattern=pattern), Shuffled(load_cached("minilm")), targets)
    yield f"  control, minilm shuffled: {_describe_recovery(shuffled)}"
    for model, row in TABLE_II.items():
        yield f"  Table II, {model}: {row}"


def run_recipes() -> Iterator[str | Comparison]:
    pattern, encoder = load_pattern("citizen-id"), load_cached("minilm")
    targets = pattern.generate(TARGETS, stream(0, "citizens"))
    recoveries: dict[str, PatternRecovery] = {}

    def attacked(label: str, attack: PatternReconstructor) -> None:
        recoveries[label] = _run_attack(attack, encoder, targets)

    attacked("ours", PatternReconstructor(pattern=pattern, iterations=1))
    yield compare(
        "citizen ID of minilm, 20,000 texts, fit and infer",
        lambda: attacked("ours", PatternReconstructor(pattern=pattern)),
        f"the published networks, {PAN_ITERATIONS:,} iterations each",
        lambda: attacked("published", PatternReconstructor(pattern=pattern, recipe="pan", iterations=PAN_ITERATIONS)),
        turns=1,
    )
    for examples in (2000, 5000):
        attacked(f"ours, {examples:,} texts", PatternReconstructor(pattern=pattern, examples=examples))
    for label, recovery in recoveries.items():
        yield f"  {label}: {_describe_recovery(recovery)}"


def run_genome() -> Iterator[str]:
    for writing in ("genome", "genome-spaced"):
        pattern = load_pattern(writing)
        made, real = pattern.generate(TARGETS, stream(0, "targets")), draw_splice_targets(pattern)
        yield f"{writing}, {GENOMES:,} generated texts, {TARGETS:,} targets each: top-1 by position"
        for label, records in (("generated", made), ("splice", real)):
            usual = list(most_frequent(records.secrets).values())
            yield f"  {label}, most frequent nucleotide: {_describe_curve(usual)}"
        for spec in ENCODERS:
            encoder = load_cached(spec)
            attack = PatternReconstructor(pattern=pattern, examples=GENOMES).fit(encoder, rng=stream(0, "attack"))
            for label, records in (("generated", made), ("splice", real)):
                found = pattern_recovery(attack.infer(encoder.encode(records.texts)), records.secrets)
                yield f"  {label}, {spec}: {_describe_curve([field.top1.value for field in found.fields.values()])}"


def run_utility() -> Iterator[str]:
    for writing in ("genome", "genome-spaced"):
        sequences, labels = read_splice_sequences()
        texts = [load_pattern(writing).attacked[0].separator.join(each) for each in sequences]
        yield f"splice sites, with or without, {writing}, {NUCLEOTIDES} nucleotides about the middle"
        for spec in ENCODERS:
            yield f"  {spec}: {_describe_accuracy(load_cached(spec).encode(texts), labels, TARGETS)}"
    posts = load_corpus("newsgroups")
    posts = posts.take(stream(0, "posts").permutation(len(posts))[:POSTS].tolist())
    yield f"topics of {POSTS:,} newsgroup posts, 20 of them"
    for spec in ("minilm", "use", "static:potion-base-8M"):
        vectors = load_cached(spec).encode(posts.texts)
        yield f"  {spec}: {_describe_accuracy(vectors, posts.attributes['topic'], POSTS // 4)}"


def load_cached(spec: str) -> Encoder:
    """The encoder; its vectors are cached between runs."""
    return CachedEncoder(load_encoder(locate_spec(spec)), CACHE)


def read_splice_sequences() -> tuple[list[str], list[str]]:
    """Nucleotides 21 to 40 of 60, so that the site is in the middle; distinct, and without ambiguous letters."""
    corpus = load_corpus("splice")
    middle = (corpus_text[20 : 20 + NUCLEOTIDES] for corpus_text in corpus.texts)
    labels = {
        sequence: "without" if label == "N" else "with"
        for sequence, label in zip(middle, corpus.attributes["label"], strict=True)
        if set(sequence) <= set("ACGT")
    }
    return list(labels), list(labels.values())


def draw_splice_targets(pattern: Pattern) -> Records:
    """Real sequences in the format of the pattern."""
    sequences, _ = read_splice_sequences()
    chosen = stream(0, "splice").permutation(len(sequences))[:TARGETS].tolist()
    return pattern.read([pattern.attacked[0].separator.join(sequences[row]) for row in chosen])


def _run_attack(attack: PatternReconstructor, encoder: Encoder, targets: Records) -> PatternRecovery:
    attack.fit(encoder, rng=stream(0, "attack"))
    right = encoder.encoder if isinstance(encoder, Shuffled) else encoder
    return pattern_recovery(attack.infer(right.encode(targets.texts)), targets.secrets)


def _describe_accuracy(vectors: Vectors, labels: list[str], held: int) -> str:
    order = stream(0, "held").permutation(len(labels))
    train, test = order[held:], order[:held]
    probe = MlpProbe().fit(vectors[train], [labels[row] for row in train], rng=stream(0, "probe"))
    score = probe.score(vectors[test], [labels[row] for row in test], rng=stream(0, "bootstrap"))
    return f"accuracy {_describe_score(score)}, most frequent class {score.baseline:.3f}, n {score.n}"


def _describe_recovery(found: PatternRecovery) -> str:
    rows = {**found.fields, "whole": found.whole}
    return ", ".join(f"{name} {_describe_score(row.top1)} {row.top5.value:.3f}" for name, row in rows.items())


def _describe_score(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"


def _describe_curve(values: list[float]) -> str:
    return f"mean {np.mean(values):.3f}; " + " ".join(f"{value:.2f}" for value in values)
