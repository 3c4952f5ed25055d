"""Who wrote a sentence, from its vector and from its words: by labels an author, and what a careless split would fake.

Speeches are shipped; newsgroups are looked for in VESTIGE_DATA, encoders that lie in folders in VESTIGE_MODELS. Vectors
are kept between runs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Comparison, compare
from vestige.attacks.attributes import AttributeInference
from vestige.attacks.attributes.text_cnn import TextCNN
from vestige.attacks.attributes.text_tfidf import TextTfidf
from vestige.case.randomness import stream
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.attribute_curve import CurvePoint, Labelled, LabelReader, accuracy_by_classes, accuracy_by_labels
from vestige.metrics.attribute_recovery import attribute_recovery, label_hits, recovery_gain
from vestige.papers.specs import located
from vestige.text.authors import own_texts, split_by_author, thread
from vestige.text.corpus import Corpus
from vestige.text.named import is_present, load_corpus
from vestige.text.split import Split
from vestige.types import Integers, LabelGuesses, Score, Vectors

CACHE = Path("vestige-audit/bench")
ENCODERS = ("minilm", "use", "static:potion-base-8M", "hf:granite-30m-english")
SHORTEST, LONGEST, FEWEST_POSTS = 6, 60, 5


@dataclass(frozen=True, slots=True)
class Size:
    """How many authors, labels and targets an author, at most; draws of a point of a curve."""

    authors: int
    labels: int
    targets: int
    draws: int
    counts: tuple[int, ...]


SMALL = Size(authors=30, labels=20, targets=10, draws=5, counts=(5, 20))
FULL = Size(authors=60, labels=50, targets=25, draws=5, counts=(10, 20, 50))


def run() -> Iterator[str]:
    """A first look: speeches, two encoders, a minute."""
    yield from authors_of("speeches", SMALL, ("static:potion-base-8M", "minilm"))


def run_full() -> Iterator[str]:
    """Both corpora, four encoders."""
    for name in filter(is_present, ("speeches", "newsgroups")):
        yield from authors_of(name, FULL, ENCODERS)


def authors_of(name: str, size: Size, specs: Sequence[str]) -> Iterator[str]:
    """Curves by labels an author from vectors, our recipe and the published one, and from raw text."""
    corpus = posts() if name == "newsgroups" else load_corpus(name).sentences(SHORTEST, LONGEST)
    data = pool(corpus, split_by_author(corpus.attributes["author"], corpus.documents, stream(0, "split")), size)
    authors = len(set(data.labels))
    yield f"{name}: {authors} authors, {size.labels} labels and {size.targets} targets of each, by whole documents"

    def curve(make: Callable[[], LabelReader], given: Vectors | Sequence[str], **changed: object) -> list[CurvePoint]:
        settings = {"counts": size.counts, "classes": authors, "draws": size.draws, **changed}
        return accuracy_by_labels(make, replace(data, given=given), rng=stream(0, "draws"), **settings)  # type: ignore[arg-type]

    texts = list(data.given)
    from_text = TextTfidf().fit(*held(data), rng=stream(0, "attack")).infer(attacked(data))
    for spec in specs:
        vectors = CachedEncoder(load_encoder(located(spec)), CACHE).encode(texts)
        yield from points(f"  {spec}", curve(AttributeInference, vectors))
        yield from points(f"  {spec}, the paper's recipe", curve(lambda: AttributeInference(recipe="song"), vectors))
        if spec == specs[0]:
            shuffled = curve(AttributeInference, vectors, counts=size.counts[-1:], shuffled=True)
            yield from points(f"  {spec}, shuffled labels", shuffled)
            yield from points(f"  {spec}", fewer_authors(replace(data, given=vectors), size))
        seen = replace(data, given=vectors)
        found = AttributeInference().fit(*held(seen), rng=stream(0, "attack")).infer(attacked(seen))
        yield f"  {spec} less tf-idf, {size.labels} labels: {gain(data, found, from_text)}"
    yield from points("  tf-idf of the text", curve(TextTfidf, texts, draws=3))
    yield from points("  TextCNN of the text", curve(TextCNN, texts, draws=1))


def fewer_authors(data: Labelled, size: Size) -> list[CurvePoint]:
    """A quarter of the authors, half of them."""
    authors = len(set(data.labels))
    return accuracy_by_classes(
        AttributeInference,
        data,
        classes=(authors // 4, authors // 2),
        labels_a_class=size.labels,
        draws=size.draws,
        rng=stream(0, "draws"),
    )


def posts(*, own: bool = True) -> Corpus:
    """Sentences of posts whose authors wrote a few; documents are threads. `own`: without quotes and signatures."""
    corpus = load_corpus("newsgroups")
    authors = corpus.attributes["author"]
    texts = own_texts(corpus.texts, authors) if own else corpus.texts
    corpus = replace(corpus, texts=texts, documents=[thread(subject) for subject in corpus.attributes["subject"]])
    written: dict[str, list[int]] = defaultdict(list)
    for row, author in enumerate(authors):
        written[author].append(row)
    rows = [row for rows in written.values() if len(rows) >= FEWEST_POSTS for row in rows]
    return corpus.take(sorted(rows)).sentences(SHORTEST, LONGEST)


def pool(corpus: Corpus, wall: Split, size: Size, only: Sequence[str] | None = None) -> Labelled:
    """As many sentences of each author on either side of the wall as the size asks for, of those who have as many."""
    rng = stream(0, "pool")
    authors = corpus.attributes["author"]
    sides: list[dict[str, Integers]] = []
    for rows, most in ((wall.auxiliary, size.labels), (wall.target, size.targets)):
        by_author: dict[str, list[int]] = defaultdict(list)
        for row in rng.permutation(rows):
            by_author[authors[row]].append(int(row))
        sides.append({name: np.array(own[:most]) for name, own in by_author.items() if len(own) >= most})
    names = sorted(set(sides[0]) & set(sides[1]) & set(only if only is not None else authors))
    names = [names[place] for place in np.sort(rng.permutation(len(names))[: size.authors])]
    auxiliary, target = (np.concatenate([side[name] for name in names]) for side in sides)
    kept = corpus.take([*auxiliary.tolist(), *target.tolist()])
    split = Split(list(range(len(auxiliary))), list(range(len(auxiliary), len(kept))))
    return Labelled(kept.texts, kept.attributes["author"], kept.documents, split)


def run_split() -> Iterator[str]:
    """Newsgroups: what sentences parted at random, and posts as they came, would have faked."""
    size = replace(SMALL, authors=60)
    corpora = {"posts as they came": posts(own=False), "own words": posts()}
    cells: dict[str, tuple[Corpus, Split]] = {}
    for label, corpus in corpora.items():
        sentences = [str(row) for row in range(len(corpus))]
        authors = corpus.attributes["author"]
        cells[f"{label}, sentences parted"] = corpus, split_by_author(authors, sentences, stream(0, "split"))
        cells[f"{label}, threads parted"] = corpus, split_by_author(authors, corpus.documents, stream(0, "split"))
    everyone = replace(size, authors=10**6)
    shared = set.intersection(*(set(pool(*cell, everyone).labels) for cell in cells.values()))
    yield f"newsgroups: {min(len(shared), 60)} authors, {size.labels} labels and {size.targets} targets of each"
    for label, cell in cells.items():
        data = pool(*cell, size, sorted(str(name) for name in shared))
        for spec in ("minilm", "static:potion-base-8M"):
            seen = replace(data, given=CachedEncoder(load_encoder(located(spec)), CACHE).encode(list(data.given)))
            yield f"  {label}, {spec}: {recovery(seen, AttributeInference())}"
        yield f"  {label}, tf-idf of the text: {recovery(data, TextTfidf())}"


def run_speed() -> Iterator[Comparison | str]:
    """Fit and score 800 classes of 50 labels in 384 dimensions; 10 targets a class."""
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


def held(data: Labelled) -> tuple[Any, list[str]]:
    """What the adversary has: vectors or texts, and their authors."""
    rows = np.array(data.wall.auxiliary)
    return data.take(rows), [str(data.labels[row]) for row in rows]


def attacked(data: Labelled) -> Any:
    """The vectors, or texts, under attack."""
    return data.take(np.array(data.wall.target))


def truth_of(data: Labelled) -> tuple[list[str], list[str]]:
    rows = data.wall.target
    return [str(data.labels[row]) for row in rows], [data.documents[row] for row in rows]


def recovery(data: Labelled, attack: LabelReader) -> str:
    guesses = attack.fit(*held(data), rng=stream(0, "attack")).infer(attacked(data))
    found = attribute_recovery(guesses, *truth_of(data), stream(0, "bootstrap"))
    return f"top-1 {told(found.top1)}, top-5 {told(found.top5)}"


def gain(data: Labelled, guesses: LabelGuesses, others: LabelGuesses) -> str:
    found = recovery_gain(guesses, others, *truth_of(data), stream(0, "bootstrap"))
    return f"top-1 {told(found.top1)}, top-5 {told(found.top5)}"


def points(label: str, curve: list[CurvePoint]) -> Iterator[str]:
    for point in curve:
        size = f"{point.classes} authors, {point.labels_a_class} labels"
        yield f"{label}, {size}: top-1 {told(point.top1)}, top-5 {told(point.top5)}"


def told(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
