"""The live model: a case, an attacker without a defense, and one for every defense that somebody selects.

Everything is fitted in the background. Vectors are cached on disk as soon as they are made, batch by batch, and attacks
as soon as they are fitted. So a server that is killed loses nothing but the fit that was running, which begins again
from its vectors, and the next start answers at once.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from threading import Lock

from vestige.case.case import Case, Missing
from vestige.case.encoder_fingerprint import draw_unrelated, fit_fingerprinter, load_library
from vestige.case.findings import Subject
from vestige.case.inputs import check_settings, read_inputs
from vestige.case.prepare import CasePlan, plan_case
from vestige.case.randomness import stream
from vestige.defend import DRAWS
from vestige.defend.candidates import Candidate, list_candidates
from vestige.defend.defended import choose_draws, defend_case, defend_encoder
from vestige.defend.fitting import DefenseFitter, draw_own_half
from vestige.encoders.cached import CachedEncoder
from vestige.encoders.endpoint.encoder import is_remote
from vestige.errors import InputError
from vestige.files import check_writable
from vestige.probes.keywords_choice import choose_keywords
from vestige.text.names import find_persons
from vestige.text.tagger import find_model
from vestige.types import Encoder, Progress, Vectors
from vestige.view.attacker import Attacker
from vestige.view.chips import NameList
from vestige.view.explorer import Explorer
from vestige.view.fit_cache import FitCache
from vestige.view.live_source import LiveSource
from vestige.view.shared_encoder import AT_ONCE, SearchEncoder, SharedEncoder, UrgentEncoder
from vestige.view.worker import FitStep, FitWorker

UNDEFENDED = ""
"""The subject of the jobs that fit the attacker without a defense."""

MOST_DEFENSES = 8
"""Attackers behind a defense that are kept; each holds a defended copy of all vectors."""

SAME_SUBJECT = ("corpus", "vectors", "encoder", "dimension", "texts", "documents", "text_column", "document_column")
"""What results on the same texts and encoder have in common, whatever their sizes and seeds."""

TYPED = 10**9
"""The row number from which texts that somebody types are defended, far from all rows of a case; from twice that number
on, the queries of searches."""


class LiveModel:
    """Fits attackers in the background, and attacks what somebody types with those that are fitted."""

    def __init__(self, source: LiveSource) -> None:
        check_settings(source.settings)
        check_writable(source.cache)
        self.source, self.settings = source, source.settings
        self.worker = FitWorker()
        self.case: Case | None = None
        self.explorer: Explorer | None = None
        self._attackers: dict[str, Attacker] = {}
        self._selected: dict[str, None] = {}
        self._shared: SharedEncoder | None = None
        self._cached: Encoder | None = None
        self._fits = FitCache(source.cache / "fits")
        self._lock = Lock()
        self.turn = Lock()  # Of many texts at once, the first are answered sooner if they do not share the cores.

    def start(self) -> None:
        """Begin to fit the attacker without a defense, unless that was done before."""
        with self._lock:
            if self.worker.list_jobs(UNDEFENDED):
                return
            steps: dict[str, Callable[[Progress], None]] = {
                "Encoding the texts": self._prepare,
                "Learning words": self._fit_words,
                "Learning keywords": partial(self._fit, UNDEFENDED, "keywords"),
                "Learning labels": partial(self._fit, UNDEFENDED, "labels"),
                "Attacking the stored vectors": self._explore,
                "Learning sentences": partial(self._fit, UNDEFENDED, "sentence"),
            }
            if self.source.library:
                steps["Comparing encoders"] = self._fit_fingerprinter
            self._add(UNDEFENDED, steps)

    def select(self, defense: str) -> None:
        """Begin to fit an attacker who knows this defense, unless that was done before; raise if there is none."""
        if defense == UNDEFENDED:
            return
        _parse_candidate(defense).check()
        with self._lock:
            self._selected.pop(defense, None)
            self._selected[defense] = None
            if self.worker.list_jobs(defense):
                return
            self._forget_oldest()
            steps: dict[str, Callable[[Progress], None]] = {
                f"Fitting {defense}": partial(self._defend, defense),
                "Learning words from defended vectors": partial(self._fit, defense, "words"),
                "Learning keywords from defended vectors": partial(self._fit, defense, "keywords"),
                "Learning labels from defended vectors": partial(self._fit, defense, "labels"),
                "Learning sentences from defended vectors": partial(self._fit, defense, "sentence"),
            }
            self._add(defense, steps)

    def _add(self, defense: str, steps: Mapping[str, Callable[[Progress], None]]) -> None:
        """Queue what is to be fitted; with the first steps, up to words, the page can answer."""
        self.worker.add(
            *(FitStep(defense, label, work, urgent=at < 2) for at, (label, work) in enumerate(steps.items()))
        )

    def _forget_oldest(self) -> None:
        """Let go of attackers whose defense was selected longest ago; one that is being fitted stays."""
        for defense in [*self._selected][:-MOST_DEFENSES]:
            if self.worker.forget(defense):
                self._attackers.pop(defense, None)
                del self._selected[defense]

    def find_attacker(self, defense: str) -> Attacker | None:
        """The attacker for a defense, once it can infer words."""
        found = self._attackers.get(defense)
        return found if found is not None and found.words is not None else None

    def find_error(self, defense: str) -> str:
        """Why an attack behind a defense could not be fitted; empty if nothing went wrong.

        Without the texts and the encoder, which the attacker without a defense prepares, nothing can be fitted.
        """
        jobs = [] if self.find_attacker(defense) else self.worker.list_jobs(UNDEFENDED)
        jobs += self.worker.list_jobs(defense)
        return next((job.error for job in jobs if job.error), "")

    def encode(self, text: str, attacker: Attacker) -> Vectors:
        """The vector of a text as this attacker would find it in the store."""
        vector: Vectors = attacker.encoder.encode([text])[0]
        return vector

    def hold_background(self) -> AbstractContextManager[None]:
        """Let searches and fits wait with their next texts while somebody waits for an answer."""
        return nullcontext() if self._shared is None else self._shared.hold_background()

    def list_defenses(self) -> list[str]:
        """The specs of all defenses at several strengths, for vectors of this dimension; none before it is known."""
        return [] if self._shared is None else [each.name for each in list_candidates(None, self._shared.dimension)]

    def is_about(self, subject: Subject) -> bool:
        """Whether a result is of the texts and the encoder of this page; False until they have been read."""
        if self.case is None:
            return False
        own = self.case.subject
        return all(getattr(own, name) == getattr(subject, name) for name in SAME_SUBJECT)

    @property
    def _undefended(self) -> Attacker:
        return self._attackers[UNDEFENDED]

    def _prepare(self, progress: Progress) -> None:
        """Read the texts, choose rows as an audit would, and encode them."""
        source = self.source
        inputs = read_inputs(None, source.texts, source.encoder, None, self.settings)
        assert inputs.encoder is not None
        if is_remote(inputs.encoder):
            raise InputError(
                f"encoder '{inputs.encoder.name}' is on another machine, and the live page would send it everything "
                "that is typed; name an encoder of this machine with --encoder"
            )
        self._shared = SharedEncoder(inputs.encoder)
        self._cached = self._cache(self._shared)
        plan = plan_case(replace(inputs, encoder=self._cached), self.settings)
        assert isinstance(plan, CasePlan)
        case = plan.build(progress)
        if "same-domain" not in case.auxiliary or case.encoder is None:
            missing = case.missing.get("same-domain") or case.no_queries
            assert missing is not None
            raise InputError(f"{missing.reason}; {missing.remedy}")
        self.case = case

    def _cache(self, encoder: Encoder) -> Encoder:
        """The encoder with a cache that is written after every batch, so that a server that is killed loses nothing."""
        return CachedEncoder(encoder, self.source.cache / "vectors", block=AT_ONCE, eager=True)

    def _fit_words(self, progress: Progress) -> None:
        """The first attack; the page can answer from here on."""
        assert self.case is not None
        assert self._shared is not None
        keywords, names = self._choose_words()
        typed, searched = UrgentEncoder(self._shared), SearchEncoder(self._shared)
        attacker = Attacker(self.case, typed, searched, self.settings, keywords, NameList(names))
        self._attackers[UNDEFENDED] = attacker
        self._fit(UNDEFENDED, "words", progress)

    def _choose_words(self) -> tuple[tuple[str, ...], frozenset[str]]:
        """The sensitive keywords, and the names in the texts of the attacker; a tagger takes seconds to find them."""
        assert self.case is not None
        assert self.case.truth is not None
        key = self._fits.build_key("chosen", self.case, replace(self.settings, show_text=False), find_model())
        chosen: tuple[tuple[str, ...], frozenset[str]] | None = self._fits.read(key)
        if chosen is None:
            knowledge = self.case.knowledge("same-domain")
            keywords = choose_keywords(self.case.truth, knowledge, self.settings).keywords
            chosen = keywords, frozenset(find_persons(knowledge.auxiliary.all_texts))
            self._fits.write(key, chosen)
        return chosen

    def _fit(self, defense: str, step: str, progress: Progress) -> None:
        """Take the attacks of a step from the cache, or fit them and keep them there."""
        attacker = self._attackers[defense]
        key = self._fits.build_key(step, attacker.digest)
        fitted = self._fits.read(key)
        if fitted is None:
            attacker.fit(step, progress)
            self._fits.write(key, attacker.get_fitted(step))
        else:
            attacker.set_fitted(step, fitted)

    def _explore(self, progress: Progress) -> None:
        self.explorer = Explorer.build(self._undefended, progress)

    def _fit_fingerprinter(self, progress: Progress) -> None:
        """Compare with the public encoders whose vectors have as many columns."""
        assert self._shared is not None
        assert self._cached is not None
        alike = load_library(list(self.source.library), progress).get(self._shared.dimension, [])
        known = [encoder for encoder in alike if encoder.name != self._shared.name]
        own = [self._cached] if len(known) < len(alike) else []
        library = [*own, *map(self._cache, known)]
        if library:
            texts = draw_unrelated(self.settings.seed, audited=self.source.texts_name)
            key = self._fits.build_key("encoder", [each.identity for each in library], texts, self.settings.seed)
            fitted = self._fits.read(key)
            if fitted is None:
                fitted = fit_fingerprinter(library, texts, seed=self.settings.seed, progress=progress)
                self._fits.write(key, fitted)
            self._undefended.fingerprinter = fitted

    def _defend(self, name: str, progress: Progress) -> None:
        """Fit the defense on half of the owner's other documents, and defend the whole case, as a sweep does."""
        assert self.case is not None
        assert self.case.truth is not None
        assert self._shared is not None
        plain, seed = self._undefended, self.settings.seed
        candidate = _parse_candidate(name)
        own = draw_own_half(self.case.auxiliary["same-domain"], seed)
        attributes = tuple(self.case.truth.attributes)
        fitter = DefenseFitter(own, own.texts, plain.keywords, attributes, self.case.encoder, seed, self.case)
        advance = progress("fitting the defense", 2)
        fitted = fitter.fit(candidate, stream(seed, f"defense {candidate.name}"))
        if isinstance(fitted, Missing):
            raise InputError(f"{name} cannot be fitted: {fitted.reason}; {fitted.remedy}")
        advance(1)
        draws = choose_draws(self.case, fitted, DRAWS)
        defended = defend_case(self.case, fitted, draws=draws)
        advance(1)
        typed = defend_encoder(UrgentEncoder(self._shared), fitted, TYPED)
        searched = defend_encoder(SearchEncoder(self._shared), fitted, 2 * TYPED)
        attacker = Attacker(defended, typed, searched, self.settings, plain.keywords, plain.names, draws)
        attacker.fingerprinter = plain.fingerprinter
        self._attackers[name] = attacker


def _parse_candidate(name: str) -> Candidate:
    spec, _, hides = name.partition("@")
    return Candidate(spec, hides or None)
