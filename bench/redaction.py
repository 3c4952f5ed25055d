"""Redaction before encoding: what is left of names and numbers, what search loses, and what the detector misses.

MiniLM. Half of the documents are the attacker's: their texts as they were, and the vectors of the redacted texts. The
attack on words is fitted on these and scored on 500 or more texts of the other half that hold a name, by F1 over the
names (or numbers) of a text, as a gain over guessing; the control has the vectors of other texts. `none` is the
positive control: the same attack without redaction. A pseudonym is the same for a name in all texts: an attacker with
pairs has vectors under the owner's key, one without pairs has redacted its own texts under a key of its own.

Search is scored over all queries, and apart for those with and without a redacted part. "Lists alone" is what an
attacker recovers from nothing but the lists of the ten nearest known raw rows: what a search that finds the same rows
tells anyone who knows the texts of some of them.

`redaction_shares` asks what decides the recall: how many texts are redacted (a sentence is planted in every tenth or
every twentieth of them, and many have numbers of their own), and what is redacted.

Complaints have no names (XXXX), so that a sentence with one of 40 made-up persons and one of 40 made-up numbers is
planted in every fifth of them; half of these persons have names that are in no list of the detector. Movie reviews
have names of their own: those that lists and a tagger find, so that a name that the redactor misses is in most cases
not scored either; the rate of missed names is therefore measured on planted ones. Detectors were written without
looking at these corpora.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.keyed import CACHE, Side, Sides, read_sides
from vestige.attacks.multilabel import MultiLabelInverter
from vestige.attacks.priors import FixedWords
from vestige.case.scorer import Scorer
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.load import load_encoder
from vestige.metrics.intervals import document_mean, proportion
from vestige.metrics.word_recovery import word_recovery
from vestige.text.names import find_names, find_persons, first_names, last_names
from vestige.text.redaction import Mode, Redactor
from vestige.text.tagger import find_people, load_tagger
from vestige.text.words import content_words
from vestige.types import Encoder, Flags, Score, Vectors
from vestige.utility.neighbour_bound import find_neighbours, list_recall
from vestige.utility.neighbours import neighbourhood

SIDE, TARGETS, QUERIES = 4000, 600, 600
PERSONS, EVERY, TRIED = 40, 5, 500
KINDS = ("names", "numbers", "emails")
QUORUM = 3
MODES: tuple[Mode, ...] = ("placeholder", "surrogate", "pseudonym")
SHARES, SHARED = (10, 20), 2000
"""A sentence is planted in every tenth, every twentieth text; texts of each side."""
KNOWN_SHARES = (1.0, 0.9)
NEAREST = 10
UNLISTED_FIRST = (
    *("Oluwaseun", "Siobhan", "Bjorn", "Nguyet", "Xiaoming", "Aleksandra", "Thandiwe", "Yevgeny", "Chiamaka", "Dragan"),
    *("Fatoumata", "Goran", "Hyunwoo", "Ingeborg", "Jukka", "Katarzyna", "Ljubica", "Mwangi", "Nkechi", "Priyanka"),
)
UNLISTED_LAST = (
    *("Adeyemi", "Sigurdsson", "Wojciechowski", "Papadopoulos", "Nakagawa", "Okonkwo", "Bhattacharya", "Kowalczyk"),
    *("Tshabalala", "Dimitrov", "Ouedraogo", "Hakkarainen", "Vukovic", "Szymanski", "Ramaswamy", "Thorvaldsen"),
    *("Mkhize", "Zhukov", "Ndiaye", "Grigoryan"),
)
SENTENCES = (
    "My name is {name} and my account number is {number}.",
    "I spoke with {name} about reference {number}.",
    "Please contact {name}, order {number}, today.",
    "{name} told me to quote {number} when calling.",
)


def run() -> Iterator[str]:
    """Complaints with planted names and numbers, movie reviews with their own; then planted ones that are missed."""
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    yield from _judge("complaints, planted", _plant_all(read_sides("complaints", SIDE)), encoder)
    reviews = read_sides("imdb", SIDE)
    yield from _judge("imdb", reviews, encoder)
    for corpus, sides in (("complaints", read_sides("complaints", SIDE)), ("imdb", reviews)):
        yield from _count_missed(corpus, sides.stolen.texts[-TRIED:])


def run_pseudonyms() -> Iterator[str]:
    """Complaints with planted names and numbers: surrogates and pseudonyms alone."""
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    yield from _judge("complaints, planted", _plant_all(read_sides("complaints", SIDE)), encoder, MODES[1:])


def run_shares() -> Iterator[str]:
    """Complaints: recall by the share of redacted texts and by kind, and leakage where few are redacted; surrogates."""
    encoder = CachedEncoder(load_encoder("minilm"), CACHE)
    sides = read_sides("complaints", SHARED)
    for every in SHARES:
        planted = _plant_all(sides, every)
        for kinds in (KINDS, ("names",)):
            yield from _search_share(f"1 of {every}, {'+'.join(kinds)}", kinds, planted.stolen, encoder)
        yield from _judge_share(f"1 of {every}", planted, encoder)


def _search_share(name: str, kinds: tuple[str, ...], side: Side, encoder: Encoder) -> Iterator[str]:
    found = Redactor(kinds, mode="surrogate", seed=1).redact(side.texts, side.documents)
    changed = np.array([bool(each.mentions) for each in found])
    yield f"{name}: share of redacted texts {changed.mean():.3f}"
    vectors = encoder.encode(side.texts), encoder.encode([each.text for each in found])
    yield from _search(name, "surrogate", side.documents, vectors, changed)


def _judge_share(name: str, sides: Sides, encoder: Encoder) -> Iterator[str]:
    """The attack, without redaction and with surrogates."""
    pair = sides.own, sides.stolen
    entities = {"names": _find_all_names(sides), "numbers": _find_all_numbers(sides)}
    yield from _attack(name, "none", sides, [encoder.encode(side.texts) for side in pair], entities)
    for kinds in (KINDS, ("names",)):
        redactor = Redactor(kinds, mode="surrogate", seed=1)
        vectors = [encoder.encode(redactor.redact_texts(side.texts, side.documents)) for side in pair]
        yield from _attack(f"{name}, {'+'.join(kinds)}", "surrogate", sides, vectors, entities)


@dataclass(frozen=True)
class Persons:
    """Made-up persons: from the lists that the detector has, or in none of them."""

    listed: list[str]
    unlisted: list[str]

    @classmethod
    def draw(cls, count: int, rng: np.random.Generator) -> "Persons":
        """So many of each."""
        firsts, lasts = rng.choice(sorted(first_names()), count), rng.choice(sorted(last_names()), count)
        known = first_names() | last_names()
        odd = [name for name in (*UNLISTED_FIRST, *UNLISTED_LAST) if name.lower() in known]
        own = [[name for name in names if name not in odd] for names in (UNLISTED_FIRST, UNLISTED_LAST)]
        other = zip(rng.choice(own[0], count), rng.choice(own[1], count), strict=True)
        listed = [f"{first.title()} {last.title()}" for first, last in zip(firsts, lasts, strict=True)]
        return cls(listed, [f"{first} {last}" for first, last in other])


def _plant_all(sides: Sides, every: int = EVERY) -> Sides:
    rng = np.random.default_rng(5)
    persons = Persons.draw(PERSONS // 2, rng)
    names = [*persons.listed, *persons.unlisted]
    numbers = [str(number) for number in rng.integers(10_000, 99_999, PERSONS)]

    def plant(side: Side) -> Side:
        texts = [
            f"{text} {rng.choice(SENTENCES).format(name=rng.choice(names), number=rng.choice(numbers))}"
            if row % every == 0
            else text
            for row, text in enumerate(side.texts)
        ]
        return replace(side, texts=texts)

    return Sides(plant(sides.own), plant(sides.stolen))


def _judge(corpus: str, sides: Sides, encoder: Encoder, modes: tuple[Mode, ...] = MODES) -> Iterator[str]:
    """Every mode against the same attack, then search."""
    raw = [encoder.encode(side.texts) for side in (sides.own, sides.stolen)]
    entities = {"names": _find_all_names(sides), "numbers": _find_all_numbers(sides)}
    yield f"{corpus}: {len(sides.own.texts):,} texts of the attacker, {len(sides.stolen.texts):,} stored"
    yield from _attack(corpus, "none", sides, raw, entities)
    yield from _vote(corpus, sides, raw, entities)
    for mode in modes:
        redactor = Redactor(KINDS, mode=mode, seed=1)
        found = [redactor.redact(side.texts, side.documents) for side in (sides.own, sides.stolen)]
        redacted = [encoder.encode([each.text for each in side]) for side in found]
        yield from _attack(corpus, mode, sides, redacted, entities)
        if mode == "pseudonym":
            other = encoder.encode(replace(redactor, seed=2).redact_texts(sides.own.texts, sides.own.documents))
            yield from _attack(corpus, "pseudonym, no pairs", sides, [other, redacted[1]], entities)
            yield from _attack(corpus, "pseudonym, no pairs, naive", sides, [raw[0], redacted[1]], entities)
        changed = np.array([bool(each.mentions) for each in found[1]])
        yield from _search(corpus, mode, sides.stolen.documents, (raw[1], redacted[1]), changed)


def _attack(
    corpus: str, mode: str, sides: Sides, vectors: Sequence[Vectors], entities: dict[str, frozenset[str]]
) -> Iterator[str]:
    own, stolen = sides.own, sides.stolen
    inverter = MultiLabelInverter()
    inverter.fit(vectors[0], own.texts, documents=own.documents, rng=np.random.default_rng(0))
    everything = frozenset(word for text in (*own.texts, *stolen.texts) for word in content_words(text))
    rest = everything - entities["names"] - entities["numbers"]
    for what, counted in {**entities, "other words": rest}.items():
        present = [content_words(text) & counted for text in stolen.texts]
        rows = [row for row, held in enumerate(present) if held][:TARGETS]
        sets = [each & counted for each in inverter.infer(vectors[1][rows]).sets]
        fixed = FixedWords().fit_sets([content_words(text) & counted for text in own.texts]).words_
        scores = _score(sets, fixed, [present[row] for row in rows], [stolen.documents[row] for row in rows])
        yield f"{corpus}: {mode}: leakage of {what} {_format(scores[0])}, control {_format(scores[1])}, {scores[2]}"


def _score(
    sets: Sequence[frozenset[str]], fixed: frozenset[str], truth: Sequence[frozenset[str]], documents: list[str]
) -> tuple[Score, Score, str]:
    """The gain over guessing, that of guesses for other texts, and the F1 of both."""
    scorer, half = Scorer(documents, 0), len(sets) // 2
    prior = word_recovery([fixed] * len(sets), truth).f1
    attack, other = word_recovery(sets, truth).f1, word_recovery([*sets[half:], *sets[:half]], truth).f1
    figures = f"F1 {attack.mean():.3f}, guessing {prior.mean():.3f}"
    return scorer.gain(attack - prior), scorer.gain(other - prior), figures


def _vote(corpus: str, sides: Sides, raw: Sequence[Vectors], entities: dict[str, frozenset[str]]) -> Iterator[str]:
    """Names and numbers that most of the nearest known texts share, if some of the lists are lost at random."""
    own, stolen = sides.own, sides.stolen
    for what, counted in entities.items():
        known = [content_words(text) & counted for text in own.texts]
        present = [content_words(text) & counted for text in stolen.texts]
        rows = [row for row, held in enumerate(present) if held][:TARGETS]
        near = find_neighbours(raw[1][rows], raw[0], NEAREST)
        fixed = FixedWords().fit_sets(known).words_
        for share in KNOWN_SHARES:
            rng = np.random.default_rng(0)
            lists = np.where(rng.random(near.shape) < share, near, rng.integers(len(known), size=near.shape))
            voted = [Counter(word for row in each for word in known[row]) for each in lists]
            sets = [frozenset(word for word, count in votes.items() if count >= QUORUM) for votes in voted]
            scores = _score(sets, fixed, [present[row] for row in rows], [stolen.documents[row] for row in rows])
            yield f"{corpus}: lists alone, recall {share:.2f}: leakage of {what} {_format(scores[0])}"


def _search(
    corpus: str, mode: str, documents: list[str], vectors: tuple[Vectors, Vectors], changed: Flags
) -> Iterator[str]:
    raw, redacted = vectors
    near, now = (find_neighbours(rows, rows, NEAREST + 1)[:, 1:] for rows in (raw, redacted))
    shared = list_recall(near, now)
    for what, rows in (("with", changed), ("without", ~changed)):
        part = document_mean(shared[rows], [documents[row] for row in np.flatnonzero(rows)], np.random.default_rng(0))
        yield f"{corpus}: {mode}: recall@10 of rows {what} a redacted part {_format(part)}"
    for how, queries in (("redacted", redacted), ("unredacted", raw)):
        found = neighbourhood(
            raw,
            redacted,
            rng=np.random.default_rng(3),
            queries=QUERIES,
            documents=documents,
            defended_queries=queries,
        )
        yield f"{corpus}: {mode}: recall@10 with {how} queries {_format(found.recall)}"


def _find_all_names(sides: Sides) -> frozenset[str]:
    """The planted names, and those that lists and the tagger find."""
    texts = [*sides.own.texts, *sides.stolen.texts]
    planted = {name.lower() for name in (*UNLISTED_FIRST, *UNLISTED_LAST)}
    tagger = load_tagger()
    tagged = frozenset() if tagger is None else find_people(tagger, texts)
    return frozenset(find_persons(texts)) | frozenset(find_names(texts, tagged | planted))


def _find_all_numbers(sides: Sides) -> frozenset[str]:
    texts = [*sides.own.texts, *sides.stolen.texts]
    return frozenset(word for text in texts for word in content_words(text) if any(map(str.isdigit, word)))


def _count_missed(corpus: str, texts: Sequence[str]) -> Iterator[str]:
    """Plant one of each kind in each text, and count those of which a word is left."""
    for detector in ("lists", "tagger"):
        rng = np.random.default_rng(7)
        persons = Persons.draw(len(texts), rng)
        numbers = [f"{number}" for number in rng.integers(100, 10**9, len(texts))]
        mails = [f"{name.split()[0].lower()}{place}@mail.org" for place, name in enumerate(persons.listed)]
        redactor = Redactor(detector=detector)
        for kind, planted in {
            "listed names": persons.listed,
            "unlisted names": persons.unlisted,
            "listed names in lower case": [name.lower() for name in persons.listed],
            "numbers": numbers,
            "e-mail addresses": mails,
        }.items():
            yield f"{corpus}: {detector} misses {_format(_miss(redactor, kind, planted, texts, rng))} of planted {kind}"


def _miss(
    redactor: Redactor, kind: str, planted: Sequence[str], texts: Sequence[str], rng: np.random.Generator
) -> Score:
    forms = {"numbers": ("My reference is {secret}.",), "e-mail addresses": ("You can write to {secret} at any time.",)}
    missed = 0
    for text, secret in zip(texts, planted, strict=True):
        form = str(rng.choice(forms.get(kind, ("I spoke with {secret} about it.", "{secret} told me to call."))))
        left = redactor.redact_texts([f"{text} {form.format(secret=secret)}"])[0].lower()
        missed += any(part in left for part in secret.lower().split() if part not in text.lower())
    return proportion(missed, len(texts))


def _format(score: Score) -> str:
    return f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f}, n={score.n})"
