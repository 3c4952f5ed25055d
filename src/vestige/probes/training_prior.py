"""What is told of membership by who cannot know what was learned."""

from vestige.attacks.attributes.text_tfidf import TextTfidf
from vestige.attacks.membership.neighbours import neighbours
from vestige.case.case import Training
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.encoders.load import load_encoder
from vestige.probes.training_told import Told
from vestige.probes.training_ways import Way, Ways
from vestige.types import Floats, Progress

BLIND = ("hashing:512", "lsa:tfidf:200")
"""Encoders that know nothing of what was learned: one learns nothing, the other from both sides alike."""

LEARNED, UNLEARNED = "learned", "not learned"


def without_the_encoder(
    training: Training, settings: Settings, progress: Progress, *, by_words: bool
) -> dict[Way, Told]:
    """The same ways on vectors of other encoders, whichever tells best; and, with labels, a reader of the texts."""
    blind: list[dict[Way, Told]] = []
    for spec in BLIND:
        encoder = load_encoder(spec, corpus=training.sentences)
        ways = Ways.of(encoder, training, settings, progress, by_words=by_words)
        blind.append(ways.told(training, settings, progress))

    def best(*found: Told) -> Told:
        return max(found, key=lambda each: each.documents.figures(settings.seed).advantage.value)

    prior: dict[Way, Told] = {
        "learned": best(*(each["learned"] for each in blind), read(training, settings)),
        "fixed": best(*(each["fixed"] for each in blind)),
    }
    if by_words:
        prior["words"] = best(prior["learned"], *(each["words"] for each in blind if "words" in each))
    return prior


def read(training: Training, settings: Settings) -> Told:
    """What a reader of the words tells, from documents whose membership it knows."""
    known, names = training.known.tolist(), training.sentences.documents
    whole: dict[str, list[str]] = {}
    for name, text in zip(names, training.sentences.texts, strict=True):
        whole.setdefault(name, []).append(text)
    flags = dict(zip(names, training.members.tolist(), strict=True))
    taught = list(dict.fromkeys(name for name, one in zip(names, known, strict=True) if one))
    reader = TextTfidf().fit(
        [" ".join(whole[name]) for name in taught],
        [LEARNED if flags[name] else UNLEARNED for name in taught],
        rng=stream(settings.seed, "attack"),
    )

    def scores(of: list[str]) -> Floats:
        found: Floats = reader.infer(of).probabilities[:, reader.labels_.index(LEARNED)]
        return found

    asked = [name for name, one in zip(names, known, strict=True) if not one]
    texts = [text for text, one in zip(training.sentences.texts, known, strict=True) if not one]
    pairs = [f"{texts[row]} {texts[row + 1]}" for row in neighbours(asked)]
    return Told.of(scores(pairs), scores([" ".join(whole[name]) for name in dict.fromkeys(asked)]), training)
