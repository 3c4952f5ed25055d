"""Which inversions of words a stranger can run, and which of them reads most."""

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from vestige.attacks.claiming import set_aside
from vestige.attacks.fixed_words import FixedWords
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.sparse import SparseInverter
from vestige.case.case import Auxiliary, Case, Domain, Knowledge
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.white_box import opened
from vestige.metrics.word_recovery import word_recovery
from vestige.text.split import sample_rows
from vestige.text.vocabulary import Vocabulary
from vestige.text.words import content_words
from vestige.types import Floats, Guesser, Progress, Vectors, WhiteBox

MOST_JUDGED = 500

WordsAlone = tuple[tuple[str, ...], Vectors]


@dataclass(frozen=True)
class Inversion:
    """An attack on words: what it is, what it takes besides pairs, in a few words and in more, and how it is fitted."""

    name: str
    description: str
    access: str
    takes: str
    fit: Callable[[Auxiliary, Progress], Guesser]


@dataclass(frozen=True)
class Tournament:
    """How inversions did on documents of the stranger's own that they were not fitted on, the best first.

    F1 is one value a text; `prior` is that of guessing.
    """

    best: Inversion
    f1: dict[str, Floats]
    prior: Floats
    documents: list[str]


@dataclass(frozen=True)
class Chosen:
    """The inversion that reads most, fitted on all pairs; the tournament it won, where there was a choice.

    `asked` counts the single words that the encoder was asked for it.
    """

    inversion: Inversion
    reader: Guesser
    played: Tournament | None
    asked: int


_CHOSEN: WeakKeyDictionary[Case, dict[tuple[Domain, Settings], Chosen]] = WeakKeyDictionary()


def best_inversion(case: Case, domain: Domain, settings: Settings, progress: Progress) -> Chosen:
    """The best that this stranger can do; found once a case, since more than one question rests on it."""
    known = _CHOSEN.setdefault(case, {})
    if (domain, settings) not in known:
        known[domain, settings] = _choose(case.knowledge(domain), settings, progress)
    return known[domain, settings]


def _choose(knowledge: Knowledge, settings: Settings, progress: Progress) -> Chosen:
    alone = single_words(knowledge, settings, progress)
    inversions = allowed(knowledge, settings, alone)
    played = tournament(inversions, knowledge.auxiliary, settings, progress) if len(inversions) > 1 else None
    best = inversions[0] if played is None else played.best
    reader = best.fit(knowledge.auxiliary, progress)
    return Chosen(best, reader, played, 0 if alone is None else len(alone[0]))


def single_words(knowledge: Knowledge, settings: Settings, progress: Progress) -> WordsAlone | None:
    """Each word that the stranger looks for, and what the encoder answers to it alone; None where it is not asked."""
    if knowledge.encoder is None or settings.recipe == "paper":
        return None
    words = Vocabulary.build(map(content_words, knowledge.auxiliary.texts), settings.vocabulary_size).words
    return words, knowledge.encoder.encode(words, progress=lambda _, total: progress("encoding single words", total))


def allowed(knowledge: Knowledge, settings: Settings, alone: WordsAlone | None) -> list[Inversion]:
    """Every inversion without gradients that this stranger could run; the published one where it was asked for."""
    if settings.recipe == "paper":
        return [_multilabel(settings)]
    found = [_multilabel(settings), _multiset(settings, alone)]
    if knowledge.encoder is None or settings.access != "weights":
        return found
    box = opened(knowledge.encoder)
    return found if box is None else [*found, _sparse(box, settings)]


def tournament(inversions: list[Inversion], pairs: Auxiliary, settings: Settings, progress: Progress) -> Tournament:
    """Each fitted on nine tenths of the stranger's documents and judged on the rest.

    The stranger can do this, since it needs none of the owner's texts; and so the choice costs no honesty.
    """
    rng = stream(settings.seed, "choice")
    kept, held = set_aside(len(pairs.texts), pairs.documents, rng)
    known, unseen = pairs.take(kept.tolist()), pairs.take(sample_rows(held.tolist(), MOST_JUDGED, rng))
    truth = [content_words(text) for text in unseen.texts]

    def judged(guesser: Guesser) -> Floats:
        return word_recovery(guesser.infer(unseen.vectors).sets, truth).f1

    trials = [(each, judged(each.fit(known, progress))) for each in inversions]
    trials.sort(key=lambda trial: -float(trial[1].mean()))
    return Tournament(
        trials[0][0],
        {inversion.name: f1 for inversion, f1 in trials},
        judged(FixedWords().fit(known.texts)),
        unseen.documents,
    )


def _multilabel(settings: Settings) -> Inversion:
    def fit(pairs: Auxiliary, progress: Progress) -> Guesser:
        attack = MultiLabelInverter(recipe=settings.recipe, vocabulary_size=settings.vocabulary_size)
        rng = stream(settings.seed, "attack")
        return attack.fit(pairs.vectors, pairs.texts, rng=rng, documents=pairs.documents, progress=progress)

    return Inversion(
        "multi-label",
        f"multi-label inversion, one linear classifier a word, {settings.recipe} recipe "
        "(Song and Raghunathan 2020, Eq. 8)",
        "",
        "no weights of the encoder and no gradient",
        fit,
    )


def _multiset(settings: Settings, alone: WordsAlone | None) -> Inversion:
    def fit(pairs: Auxiliary, progress: Progress) -> Guesser:
        attack = MultiSetInverter(vocabulary_size=settings.vocabulary_size, word_vectors=alone)
        rng = stream(settings.seed, "attack")
        return attack.fit(pairs.vectors, pairs.texts, rng=rng, documents=pairs.documents, progress=progress)

    return Inversion(
        "multi-set",
        "multi-set inversion, word after word by what each contributes to a vector (after Song and Raghunathan 2020)",
        "" if alone is None else " and may ask the encoder",
        "no weights of the encoder and no gradient"
        if alone is None
        else f"the encoder's answer to each of {len(alone[0]):,} words by itself; no weights and no gradient",
        fit,
    )


def _sparse(box: WhiteBox, settings: Settings) -> Inversion:
    def fit(pairs: Auxiliary, progress: Progress) -> Guesser:
        attack = SparseInverter(vocabulary_size=settings.vocabulary_size)
        rng = stream(settings.seed, "attack")
        return attack.fit(pairs.vectors, pairs.texts, box=box, rng=rng, documents=pairs.documents, progress=progress)

    return Inversion(
        "sparse",
        "sparse inversion over the encoder's own word vectors (after Song and Raghunathan 2020, Eq. 7)",
        " and holds the encoder's weights",
        "the weights of the encoder, of which its word vectors are used",
        fit,
    )
