"""One attacker: its attacks, fitted one after another on what it holds, and what they infer from one vector."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit, logit

from vestige.attacks.attributes.inference import AttributeInference
from vestige.attacks.fingerprint.fingerprinter import Fingerprinter
from vestige.attacks.guided.inverter import GuidedInverter
from vestige.attacks.keywords.inference import KeywordInference
from vestige.attacks.multiset.closed_form import ClosedFormDecoder
from vestige.attacks.multiset.inverter import MultiSetInverter
from vestige.attacks.priors import FixedWords
from vestige.attacks.rows import unit_length
from vestige.case.cache import compute_digest
from vestige.case.case import Case, Truth
from vestige.case.findings import Example
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.defend.defended import DefendedEncoder
from vestige.probes.attribute_inference import LabelledRows, reweigh
from vestige.probes.inversions import query_single_words
from vestige.probes.keywords_evidence import base_log_odds
from vestige.probes.words_evidence import mask_text
from vestige.text.keywords import keyword_table
from vestige.text.words import content_words
from vestige.types import Encoder, EncoderGuess, Floats, Progress, Trial, Vectors, WordGuesses
from vestige.view.chips import NameList, list_chips, mark_words
from vestige.view.live_records import Chip, InferredLabel, KeywordChip, LabelGuess, LiveResult, Neighbour

SEARCH_QUERIES = 1500
LIKELIEST, NEAREST, SHOWN_KEYWORDS = 3, 3, 5
CERTAIN = 1e-9

FITTED: dict[str, tuple[str, ...]] = {
    "words": ("prior", "stored", "words"),
    "keywords": ("base", "keyword_attack"),
    "labels": ("labels",),
    "sentence": ("sentence",),
}
"""What each step fits, in the order in which it is set: the last one shows other threads that all is there."""


@dataclass(eq=False)
class Attacker:
    """The attacks on one kind of vectors, defended or not. Each is None until it is fitted.

    `case` holds what the attacker has; its vectors are defended if a defense is in place. `encoder` makes the vector
    of a text that somebody types, `searched` answers the queries of a search.
    """

    case: Case
    encoder: Encoder
    searched: Encoder
    settings: Settings
    keywords: tuple[str, ...]
    names: NameList
    draws: int = 1
    words: MultiSetInverter | None = None
    prior: frozenset[str] = frozenset()
    stored: list[frozenset[str]] | None = None
    keyword_attack: KeywordInference | None = None
    base: Floats | None = None
    labels: dict[str, tuple[AttributeInference, LabelledRows, list[str]]] = field(default_factory=dict)
    sentence: GuidedInverter | None = None
    fingerprinter: Fingerprinter | None = None

    @cached_property
    def digest(self) -> str:
        """A digest of everything that the attacks are fitted on."""
        settings = replace(self.settings, show_text=False)
        return compute_digest(self.case, settings, self.keywords, self.draws)

    def fit(self, step: str, progress: Progress) -> None:
        """Fit the attacks of one step."""
        steps = {
            "words": self.fit_words,
            "keywords": self.fit_keywords,
            "labels": self.fit_labels,
            "sentence": self.fit_sentence,
        }
        steps[step](progress)

    def get_fitted(self, step: str) -> dict[str, Any]:
        """What a step has fitted, and how many queries a defended encoder has answered, which decides its noise."""
        queried = getattr(self.case.encoder, "queried", None)
        return {"queried": queried, **{name: getattr(self, name) for name in FITTED[step]}}

    def set_fitted(self, step: str, fitted: dict[str, Any]) -> None:
        """Continue as if the step had just been fitted."""
        if fitted["queried"] is not None:
            assert isinstance(self.case.encoder, DefendedEncoder)
            self.case.encoder.queried = fitted["queried"]
        if fitted.get("sentence") is not None:
            fitted["sentence"].encoder_ = self.searched
        for name in FITTED[step]:
            setattr(self, name, fitted[name])

    @property
    def truth(self) -> Truth:
        """The stored texts; only their owner, who looks at the page, sees them."""
        assert self.case.truth is not None
        return self.case.truth

    def fit_words(self, progress: Progress) -> None:
        """The words, and what they reveal of the stored vectors."""
        pairs, seed = self.case.auxiliary["same-domain"], self.settings.seed
        assert self.case.encoder is not None
        single = query_single_words(self.case.encoder, pairs.all_texts, self.settings, self.draws, progress)
        words = MultiSetInverter(vocabulary_size=self.settings.vocabulary_size).fit(
            pairs.vectors,
            pairs.texts,
            rng=stream(seed, "attack"),
            documents=pairs.documents,
            single_words=single,
            further_texts=pairs.further,
            progress=progress,
        )
        self.prior = FixedWords().fit(pairs.all_texts).words_
        self.stored = words.infer(self.case.targets).sets
        assert isinstance(words.decoder_, ClosedFormDecoder)
        words.decoder_ = words.decoder_.decode_singly()
        self.words = words

    def fit_keywords(self, progress: Progress) -> None:
        """The sensitive keywords, if there are any."""
        if not self.keywords:
            return
        pairs = self.case.auxiliary["same-domain"]
        fitted = KeywordInference().fit(
            pairs.vectors,
            pairs.texts,
            keywords=self.keywords,
            rng=stream(self.settings.seed, "attack"),
            encoder=self.case.encoder,
            progress=progress,
        )
        self.base = base_log_odds(pairs.texts, self.keywords)
        self.keyword_attack = fitted

    def fit_labels(self, progress: Progress) -> None:
        """Every attribute that the texts have, from as many labels per class as an audit allows."""
        pairs, seed = self.case.auxiliary["same-domain"], self.settings.seed
        found = {}
        for name in pairs.attributes:
            labelled = LabelledRows.collect(pairs, name, seed)
            if not labelled.is_enough:
                continue
            rows, labels = labelled.draw(self.settings.labels)
            fitted = AttributeInference().fit(
                pairs.vectors[rows],
                labels,
                rng=stream(seed, "attack"),
                documents=[pairs.documents[row] for row in rows],
                progress=progress,
            )
            found[name] = fitted, labelled, labels
        self.labels = found  # At once: other threads go through it.

    def fit_sentence(self, progress: Progress) -> None:
        """The search for a whole sentence."""
        pairs = self.case.auxiliary["same-domain"]
        assert self.case.encoder is not None
        fitted = GuidedInverter(queries=SEARCH_QUERIES).fit(
            pairs.vectors, pairs.texts, encoder=self.case.encoder, progress=progress
        )
        fitted.encoder_ = self.searched  # A search never queries a text twice, so its texts need no cache.
        self.sentence = fitted

    def attack(self, text: str, vector: Vectors) -> LiveResult:
        """Everything that is inferred from the vector of a text, compared with the text."""
        assert self.words is not None
        truth = content_words(text)
        guesses = self.words.infer(vector[None])
        claimed = guesses.sets[0]
        return LiveResult(
            marked=mark_words(text, claimed),
            chips=list_chips(guesses, truth),
            present=len(truth),
            recovered=len(truth & claimed),
            claimed=len(claimed),
            guessed=len(truth & self.prior),
            keywords=self._infer_keywords(text, vector),
            names=self._list_names(text, guesses),
            labels=self._infer_labels(vector),
            neighbours=self._find_neighbours(vector),
            encoder=self._identify(vector),
        )

    def follow(self, vector: Vectors) -> Iterator[Trial]:
        """The sentence that comes closest to a vector, round by round."""
        assert self.sentence is not None
        return self.sentence.follow(vector)

    def infer_keywords(self, vectors: Vectors) -> Floats:
        """The probability of each keyword, at the frequencies of the attacker's own texts."""
        assert self.keyword_attack is not None
        assert self.base is not None
        even = self.keyword_attack.infer(vectors).probabilities
        chances: Floats = expit(logit(np.clip(even, CERTAIN, 1 - CERTAIN)) + self.base)
        return chances

    def infer_labels(self, name: str, vectors: Vectors) -> LabelGuess:
        """The probability of each class of an attribute, at the frequencies of the attacker's own texts."""
        attack, labelled, labels = self.labels[name]
        found = reweigh(attack.infer(vectors), labels, labelled.shares)
        common = max(labelled.shares, key=lambda label: labelled.shares[label])
        return LabelGuess(name, found.labels, found.probabilities, common, labelled.shares[common])

    def mask(self, row: int, label: str = "") -> Example:
        """A stored text with the words that its vector reveals; the others are masked unless the owner asked."""
        assert self.stored is not None
        return mask_text(label, self.truth.texts[row], self.stored[row], 0.0, self.settings.show_text)

    def _infer_keywords(self, text: str, vector: Vectors) -> tuple[KeywordChip, ...] | None:
        if self.keyword_attack is None:
            return None if self.keywords else ()
        held = keyword_table([text], self.keywords)[0]
        chances = self.infer_keywords(vector[None])[0]
        order = sorted(range(len(held)), key=lambda place: (-chances[place], self.keywords[place]))
        shown = [place for rank, place in enumerate(order) if rank < SHOWN_KEYWORDS or held[place]]
        return tuple(KeywordChip(self.keywords[place], float(chances[place]), bool(held[place])) for place in shown)

    def _infer_labels(self, vector: Vectors) -> tuple[InferredLabel, ...]:
        inferred = []
        for name in self.labels:
            guess = self.infer_labels(name, vector[None])
            order = np.argsort(-guess.probabilities[0], kind="stable")[:LIKELIEST]
            ranked = tuple((guess.labels[place], float(guess.probabilities[0][place])) for place in order)
            inferred.append(InferredLabel(name, ranked, guess.common, guess.share))
        return tuple(inferred)

    def _list_names(self, text: str, guesses: WordGuesses) -> tuple[Chip, ...]:
        present = self.names.find_in(text)
        claimed = guesses.sets[0] & (self.names.names | present)
        return tuple(chip for chip in list_chips(guesses, present) if chip.word in claimed | present)

    def _find_neighbours(self, vector: Vectors) -> tuple[Neighbour, ...]:
        cosines = unit_length(self.case.targets) @ unit_length(vector[None])[0]
        nearest = np.argsort(-cosines, kind="stable")[:NEAREST].tolist()
        return tuple(Neighbour(row, float(cosines[row]), self.mask(row)) for row in nearest)

    def _identify(self, vector: Vectors) -> EncoderGuess | None:
        return None if self.fingerprinter is None else self.fingerprinter.infer(vector[None])
