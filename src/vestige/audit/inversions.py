"""Which inversions of words a case allows, and which of them reads most."""

from collections.abc import Callable
from dataclasses import dataclass

from vestige.attacks.claiming import set_aside
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.sparse import SparseInverter
from vestige.audit.case import Auxiliary, Knowledge
from vestige.audit.randomness import stream
from vestige.audit.settings import Settings
from vestige.encoders.metered import Metered
from vestige.encoders.white_box import opened
from vestige.metrics.word_recovery import word_recovery
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Guesser, Progress, WhiteBox

MOST_JUDGED = 500


@dataclass(frozen=True)
class Inversion:
    """An attack on words: what it is, what it takes besides pairs, and how it is fitted."""

    name: str
    description: str
    takes: str
    queries: int
    fit: Callable[[Auxiliary, Progress], Guesser]


@dataclass(frozen=True)
class Contender:
    """How an inversion did on documents of the stranger's own that it was not fitted on: F1, one value a text."""

    inversion: Inversion
    f1: Floats
    documents: list[str]


def allowed(knowledge: Knowledge, settings: Settings, progress: Progress) -> list[Inversion]:
    """Every inversion that this stranger could run, the one asked for where its paper's recipe was."""
    size = settings.vocabulary_size
    if settings.recipe == "paper":
        return [_multilabel(settings)]
    found = [_multilabel(settings), _multiset(knowledge, settings, progress)]
    box = None if knowledge.encoder is None else opened(knowledge.encoder)
    return found if box is None else [*found, _sparse(box, size, settings.seed)]


def tried(inversions: list[Inversion], pairs: Auxiliary, settings: Settings, progress: Progress) -> list[Contender]:
    """Each fitted on nine tenths of the stranger's documents and judged on the rest, best first.

    The stranger can do this, since it needs none of the owner's texts; and so the choice costs no honesty.
    """
    kept, held = set_aside(len(pairs.texts), pairs.documents, stream(settings.seed, "choice"))
    known, unseen = pairs.take(kept.tolist()), pairs.take(held[:MOST_JUDGED].tolist())
    truth = [content_words(text) for text in unseen.texts]
    trials = [
        Contender(each, word_recovery(each.fit(known, progress).infer(unseen.vectors).sets, truth).f1, unseen.documents)
        for each in inversions
    ]
    return sorted(trials, key=lambda trial: -float(trial.f1.mean()))


def _multilabel(settings: Settings) -> Inversion:
    def fit(pairs: Auxiliary, progress: Progress) -> Guesser:
        attack = MultiLabelInverter(recipe=settings.recipe, vocabulary_size=settings.vocabulary_size)
        rng = stream(settings.seed, "attack")
        return attack.fit(pairs.vectors, pairs.texts, rng=rng, documents=pairs.documents, progress=progress)

    return Inversion(
        "multi-label",
        f"multi-label inversion, one linear classifier a word, {settings.recipe} recipe "
        "(Song and Raghunathan 2020, Eq. 8)",
        "no weights of the encoder and no gradient",
        0,
        fit,
    )


def _multiset(knowledge: Knowledge, settings: Settings, progress: Progress) -> Inversion:
    """Where the encoder may be asked, it is asked each word by itself."""
    words = Vocabulary.build(map(content_words, knowledge.auxiliary.texts), settings.vocabulary_size).words
    alone = None
    if knowledge.encoder is not None:
        meter = Metered(knowledge.encoder)
        alone = (words, meter.encode(words, progress=lambda _, total: progress("encoding single words", total)))

    def fit(pairs: Auxiliary, progress: Progress) -> Guesser:
        attack = MultiSetInverter(vocabulary_size=settings.vocabulary_size, word_vectors=alone)
        rng = stream(settings.seed, "attack")
        return attack.fit(pairs.vectors, pairs.texts, rng=rng, documents=pairs.documents, progress=progress)

    asked = f"the encoder's answer to each of {len(words):,} words by itself; no weights and no gradient"
    return Inversion(
        "multi-set",
        "multi-set inversion, word after word by what each contributes to a vector (after Song and Raghunathan 2020)",
        "no weights of the encoder and no gradient" if alone is None else asked,
        0 if alone is None else len(words),
        fit,
    )


def _sparse(box: WhiteBox, size: int, seed: int) -> Inversion:
    def fit(pairs: Auxiliary, progress: Progress) -> Guesser:
        rng = stream(seed, "attack")
        attack = SparseInverter(vocabulary_size=size)
        return attack.fit(pairs.vectors, pairs.texts, box=box, rng=rng, documents=pairs.documents, progress=progress)

    return Inversion(
        "sparse",
        "sparse inversion over the encoder's own word vectors (after Song and Raghunathan 2020, Eq. 7)",
        "the weights of the encoder, of which its word vectors are used",
        0,
        fit,
    )
