"""Authors of sentences, inferred from vectors and from words: by labels per author, and what a careless split inflates.

Speeches are shipped; VESTIGE_DATA must hold newsgroups, and VESTIGE_MODELS the encoders that are folders. Vectors are
cached between runs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Comparison, compare
from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.attributes.text_baselines import TextCNN, TextTfidf
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.attribute_curve import CurvePoint, LabelAttack, Labelled, accuracy_by_classes, accuracy_by_labels
from vestige.metrics.attribute_recovery import attribute_recovery, label_hits, recovery_gain
from vestige.papers.victims import locate_spec
from vestige.text.authors import normalize_subject, split_by_author, strip_repeated_lines
from vestige.text.corpora import is_available, load_corpus
from vestige.text.corpus import Corpus
from vestige.text.split import Split
from vestige.types import Integers, LabelGuesses, Score, Vectors

CACHE = Path("vestige-audit/bench")
ENCODERS = ("minilm", "use", "static:potion-base-8M", "hf:granite-30m-english")
SHORTEST, LONGEST, FEWEST_POSTS = 6, 60, 5


@dataclass(frozen=True, slots=True)
class Size:
    """The most authors, labels per author and targets per author, and the draws per point of a curve."""

    authors: int
    labels: int
    targets: int
    draws: int
    counts: tuple[int, ...]


SMALL = Size(authors=30, labels=20, targets=10, draws=5, counts=(5, 20))
FULL = Size(authors=60, labels=50, targets=25, draws=5, counts=(10, 20, 50))


def run() -> Iterator[str]:
    """Speeches with two encoders, in about a minute."""
    yield from infer_authors("speeches", SMALL, ("static:potion-base-8M", "minilm"))


def run_full() -> Iterator[str]:
    """Both corpora with four encoders."""
    for name in filter(is_available, ("speeches", "newsgroups")):
        yield from infer_authors(name, FULL, ENCODERS)


def infer_authors(name: str, size: Size, specs: Sequence[str]) -> Iterator[str]:
    """Curves by labels per author: from vectors, with our recipe and the published one, and from raw text."""
    corpus = load_posts() if name == "newsgroups" else load_corpus(name).sentences(SHORTEST, LONGEST)
    data = draw_pool(corpus, split_by_author(corpus.attributes["author"], corpus.documents, stream(0, "split")), size)
    authors = len(set(data.labels))
    yield f"{name}: {authors} authors, {size.labels} labels and {size.targets} targets of each, by whole documents"

    def curve(make: Callable[[], LabelAttack], given: Vectors | Sequence[str], **changed: object) -> list[CurvePoint]:
        settings = {"counts": size.counts, "classes": authors, "draws": size.draws, **changed}
        return accuracy_by_labels(make, replace(data, given=given), rng=stream(0, "draws"), **settings)  # type: ignore[arg-type]

    texts = list(data.given)
    from_text = TextTfidf().fit(*select_known(data), rng=stream(0, "attack")).infer(select_targets(data))
    for spec in specs:
        vectors = CachedEncoder(load_encoder(locate_spec(spec)), CACHE).encode(texts)
        yield from describe_points(f"  {spec}", curve(AttributeInference, vectors))
        yield from describe_points(
            f"  {spec}, the paper's recipe", curve(lambda: AttributeInference(recipe="song"), vectors)
        )
        if spec == specs[0]:
            shuffled = curve(AttributeInference, vectors, counts=size.counts[-1:], shuffled=True)
            yield from describe_points(f"  {spec}, shuffled labels", shuffled)
            yield from describe_points(f"  {spec}", infer_fewer_authors(replace(data, given=vectors), size))
        seen = replace(data, given=vectors)
        found = AttributeInference().fit(*select_known(seen), rng=stream(0, "attack")).infer(select_targets(seen))
        yield f"  {spec} minus tf-idf, {size.labels} labels: {describe_gain(data, found, from_text)}"
    yield from describe_points("  tf-idf of the text", curve(TextTfidf, texts, draws=3))
    yield from describe_points("  TextCNN of the text", curve(TextCNN, texts, draws=1))


def infer_fewer_authors(data: Labelled, size: Size) -> list[CurvePoint]:
    """The attack among a quarter and among half of the authors."""
    authors = len(set(data.labels))
    return accuracy_by_classes(
        AttributeInference,
        data,
        classes=(authors // 4, authors // 2),
        labels_per_class=size.labels,
        draws=size.draws,
        rng=stream(0, "draws"),
    )


def load_posts(*, own: bool = True) -> Corpus:
    """Sentences of posts by authors who wrote several; documents are threads. `own` strips quotes and signatures."""
    corpus = load_corpus("newsgroups")
    authors = corpus.attributes["author"]
    texts = strip_repeated_lines(corpus.texts, authors) if own else corpus.texts
    corpus = replace(
        corpus, texts=texts, documents=[normalize_subject(subject) for subject in corpus.attributes["subject"]]
    )
    written: dict[str, list[int]] = defaultdict(list)
    for row, author in enumerate(authors):
        written[author].append(row)
    rows = [row for rows in written.values() if len(rows) >= FEWEST_POSTS for row in rows]
    return corpus.take(sorted(rows)).sentences(SHORTEST, LONGEST)


def draw_pool(corpus: Corpus, split: Split, size: Size, only: Sequence[str] | None = None) -> Labelled:
    """For each author who has enough, as many sentences on either side of the split as the size requires."""
    rng = stream(0, "pool")
    authors = corpus.attributes["author"]
    sides: list[dict[str, Integers]] = []
    for rows, most in ((split.auxiliary, size.labels), (split.target, size.targets)):
        by_author: dict[str, list[int]] = defaultdict(list)
        for row in rng.permutation(rows):
            by_author[authors[row]].append(int(row))
        sides.append({name: np.array(own[:most]) for name, own in by_author.items() if len(own) >= most})
    names = sorted(set(sides[0]) & set(sides[1]) & set(only if only is not None else authors))
    names = [names[place] for place in np.sort(rng.permutation(len(names))[: size.authors])]
    auxiliary, target = (np.concatenate([side[name] for name in names]) for side in sides)
    drawn = corpus.take([*auxiliary.tolist(), *target.tolist()])
    split_rows = Split(list(range(len(auxiliary))), list(range(len(auxiliary), len(drawn))))
    return Labelled(drawn.texts, drawn.attributes["author"], drawn.documents, split_rows)


def run_split() -> Iterator[str]:
    """Newsgroups: how much a split by sentence, and posts with their quotes, inflate the accuracy."""
    size = replace(SMALL, authors=60)
    corpora = {"posts with quotes": load_posts(own=False), "own words": load_posts()}
    cells: dict[str, tuple[Corpus, Split]] = {}
    for label, corpus in corpora.items():
        sentences = [str(row) for row in range(len(corpus))]
        authors = corpus.attributes["author"]
        cells[f"{label}, split by sentence"] = corpus, split_by_author(authors, sentences, stream(0, "split"))
        cells[f"{label}, split by thread"] = corpus, split_by_author(authors, corpus.documents, stream(0, "split"))
    everyone = replace(size, authors=10**6)
    shared = set.intersection(*(set(draw_pool(*cell, everyone).labels) for cell in cells.values()))
    yield f"newsgroups: {min(len(shared), 60)} authors, {size.labels} labels and {size.targets} targets of each"
    for label, cell in cells.items():
        data = draw_pool(*cell, size, sorted(str(name) for name in shared))
        for spec in ("minilm", "static:potion-base-8M"):
            seen = replace(data, given=CachedEncoder(load_encoder(locate_spec(spec)), CACHE).encode(list(data.given)))
            yield f"  {label}, {spec}: {describe_recovery(seen, AttributeInference())}"
        yield f"  {label}, tf-idf of the text: {describe_recovery(data, TextTfidf())}"


def run_speed() -> Iterator[Comparison | str]:
    """Fit and score 800 classes of 50 labels in 384 dimensions; 10 targets per class."""
    rng = stream(0, "speed")
    mix = (rng.standard_normal((384, 384)) / np.sqrt(384)).astype(np.float32)
    means = 0.25 * rng.standard_normal((800, 384)).astype(np.float32) @ mix

    def draw(each: int) -> tuple[Vectors, list[str]]:
        classes = np.repeat(np.arange(800), each)
        noise = rng.standard_normal((len(classes), 384)).astype(np.float32) @ mix
        vectors = means[classes] + noise
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True), [f"{number:03d}" for number in classes]

    (vectors, labels), (targets, truth) = draw(50), draw(10)
    found: dict[str, LabelGuesses] = {}

    def attack(recipe: str) -> None:
        attack = AttributeInference(recipe=recipe)  # type: ignore[arg-type]
        found[recipe] = attack.fit(vectors, labels, rng=stream(0, "attack")).infer(targets)

    yield compare(
        "attribute inference, 800 x 50 x 384", lambda: attack("default"), "the paper's", lambda: attack("song"), turns=2
    )
    for recipe, guesses in found.items():
        top1, top5 = label_hits(guesses, truth).mean(axis=0)
        yield f"  {recipe}: top-1 {top1:.4f}, top-5 {top5:.4f} of 8000 targets"


def select_known(data: Labelled) -> tuple[Any, list[str]]:
    """What the adversary has: vectors or texts, and their authors."""
    rows = np.array(data.split.auxiliary)
    return data.take(rows), [str(data.labels[row]) for row in rows]


def select_targets(data: Labelled) -> Any:
    """The vectors, or texts, under attack."""
    return data.take(np.array(data.split.target))


def select_truth(data: Labelled) -> tuple[list[str], list[str]]:
    rows = data.split.target
    return [str(data.labels[row]) for row in rows], [data.documents[row] for row in rows]


def describe_recovery(data: Labelled, attack: LabelAttack) -> str:
    guesses = attack.fit(*select_known(data), rng=stream(0, "attack")).infer(select_targets(data))
    found = attribute_recovery(guesses, *select_truth(data), stream(0, "bootstrap"))
    return f"top-1 {describe_score(found.top1)}, top-5 {describe_score(found.top5)}"


def describe_gain(data: Labelled, guesses: LabelGuesses, others: LabelGuesses) -> str:
    found = recovery_gain(guesses, others, *select_truth(data), stream(0, "bootstrap"))
    return f"top-1 {describe_score(found.top1)}, top-5 {describe_score(found.top5)}"


def describe_points(label: str, curve: list[CurvePoint]) -> Iterator[str]:
    for point in curve:
        size = f"{point.classes} authors, {point.labels_per_class} labels"
        yield f"{label}, {size}: top-1 {describe_score(point.top1)}, top-5 {describe_score(point.top5)}"


def describe_score(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
