"""From inputs to a case: cut texts into units, choose rows, and only then encode."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vestige.case.attributes import Attributes, find_attributes
from vestige.case.case import Auxiliary, Case, Domain, Missing, Training, Truth
from vestige.case.inputs import Inputs, build_subject
from vestige.case.quote_stripping import find_threads, hide_thread_labels, strip_quoted_labels
from vestige.case.settings import FEWEST_PAIRS, FEWEST_TARGETS, Settings
from vestige.case.training import find_training
from vestige.case.units import choose_foreign, cut_units, find_usable_rows, refuse_unspaced, split_rows
from vestige.case.vectors_only import VectorsOnlyPlan
from vestige.encoders.cached import list_uncached, unwrap_cache
from vestige.encoders.endpoint.encoder import is_remote, refuse_unconfirmed_sending
from vestige.encoders.memoized import DeferredEncoder, Memoized
from vestige.encoders.metered import Metered
from vestige.errors import InputError
from vestige.text.corpus import Corpus
from vestige.text.split import Split
from vestige.text.traits import NO_SPACES, describe_traits, is_unspaced
from vestige.types import Encoder, Progress, Vectors

COPIES, COVARIANCES = 4, 3

REPEATED = 8
"""Texts that are encoded again, to learn whether an encoder is deterministic."""

_NO_AUXILIARY = Missing("no cross-domain text was named", "name a corpus or a file of other text with --auxiliary")


@dataclass(frozen=True, eq=False)
class CasePlan:
    """Which texts are targets and which the adversary holds, decided before anything is encoded or paid for.

    `targets` and `known` are the target texts and the adversary's own texts of the same kind; `foreign` are its
    cross-domain texts; `further` are texts of either domain whose vectors it does not have. `missing` says which
    adversaries cannot be simulated, and `no_queries` why the encoder cannot be queried. `skipped` counts the texts, or
    sentences of them, that are not used, by reason.
    """

    inputs: Inputs
    settings: Settings
    attributes: Attributes
    units: Corpus
    split: Split
    targets: Corpus
    known: Corpus
    foreign: Corpus | None
    missing: dict[Domain, Missing]
    no_queries: Missing | None
    training: Training | Missing
    further: dict[Domain, tuple[str, ...]] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def auxiliary(self) -> list[Corpus]:
        """The adversary's own texts: same-domain first, then cross-domain where there are any."""
        return [self.known] if self.foreign is None else [self.known, self.foreign]

    @property
    def closest_domain(self) -> Domain:
        """That of the case: the same as that of the targets where the adversary has such texts."""
        return "same-domain" if "same-domain" not in self.missing else "cross-domain"

    def list_texts(self, domain: Domain) -> list[str]:
        """Every text that the adversary of a domain holds, with or without its vector."""
        own = self.known if domain == "same-domain" else self.foreign
        return [] if own is None else [*own.texts, *self.further.get(domain, ())]

    def describe_texts(self) -> tuple[str, ...]:
        """What was skipped and why, and what the texts lack that probes rely on."""
        unit = "sentences" if self.inputs.vectors is None and self.settings.unit == "sentence" else "texts"
        used = len(find_usable_rows(self.units))
        counts = ", ".join(f"{count:,} {reason}" for reason, count in self.skipped.most_common())
        skipped = f"Skipped: {self.skipped.total():,} of {used + self.skipped.total():,} {unit}: {counts}."
        return (*([skipped] if self.skipped else []), *describe_traits(self.targets.texts + self.known.texts))

    @property
    def texts_to_encode(self) -> list[str]:
        """The texts whose vectors the case requires, and that have none yet."""
        own = [] if self.inputs.vectors is not None else [*self.targets.texts, *self.known.texts]
        return own if self.foreign is None else [*own, *self.foreign.texts]

    def build(self, progress: Progress, queried: Encoder | None = None) -> Case:
        """Encode, and assemble the case. `queried` is the encoder of a case that was built before, with its memory."""
        inputs = self.inputs
        if self.texts_to_encode:
            _refuse_too_wide(inputs.encoder, self.texts_to_encode[:1], len(self.texts_to_encode), progress)
        targets, vectors = _encode_targets(inputs, self.split, self.targets, progress)
        auxiliary = self._build_auxiliary(vectors, progress)
        return Case(
            targets,
            Truth(self.targets.texts, self.targets.documents, self.targets.attributes),
            auxiliary,
            build_subject(inputs, self.units, self.targets.documents, targets, left_out=self.skipped.total()),
            self.missing,
            self._build_encoder(targets, auxiliary, queried),
            self.no_queries,
            tuple(name for name, column in self.attributes.columns.items() if column.ranges),
            self.attributes.skipped,
            self.training,
        )

    def _build_encoder(
        self, targets: Vectors, auxiliary: dict[Domain, Auxiliary], queried: Encoder | None
    ) -> Encoder | None:
        """The encoder that an adversary may query. It computes no text again whose vector it made before.

        With a cache on disk, a probe that is stopped repeats its queries from there. An encoder that gives a text
        another vector every time is neither cached nor remembered: an adversary may query it again.
        """
        encoder = queried or self.inputs.encoder
        if encoder is None or self.no_queries is not None:
            return None
        made = [] if self.inputs.vectors is not None else [(self.targets.texts, targets)]
        made += [(pairs.texts, pairs.vectors) for pairs in auxiliary.values() if pairs.queries]
        known = {text: row for texts, rows in made for text, row in zip(texts, rows, strict=True)}
        if queried is not None or is_remote(encoder):
            return Memoized(encoder, known)
        plain = unwrap_cache(encoder)
        assert plain is not None
        return DeferredEncoder(encoder, lambda: Memoized(encoder, known) if _repeats(plain, known) else plain)

    def _build_auxiliary(self, vectors: Vectors | None, progress: Progress) -> dict[Domain, Auxiliary]:
        """The adversary's pairs by domain; it pays for every vector that the owner does not have."""
        inputs, known = self.inputs, self.known
        auxiliary: dict[Domain, Auxiliary] = {}
        if "same-domain" not in self.missing:
            auxiliary["same-domain"] = (
                Auxiliary(vectors, known.texts, known.documents, inputs.vectors_name, 0, known.attributes)
                if vectors is not None
                else _query_pairs(inputs.encoder, known, progress)
            )
        if self.foreign is not None:
            auxiliary["cross-domain"] = _query_pairs(inputs.encoder, self.foreign, progress)
        return {domain: replace(pairs, further=self.further.get(domain, ())) for domain, pairs in auxiliary.items()}


def plan_case(inputs: Inputs, settings: Settings) -> "CasePlan | VectorsOnlyPlan":
    """Cut the texts into units and choose the rows. Input that is too small is refused here, before any encoding."""
    no_queries = _find_query_obstacle(inputs, settings)
    if inputs.texts is None:
        return VectorsOnlyPlan(inputs, settings, no_queries)
    attributes, threads = find_attributes(inputs.texts, settings), find_threads(inputs.texts)
    texts = attributes.apply(inputs.texts)
    skipped: Counter[str] = Counter()
    units = texts if inputs.vectors is not None else cut_units(texts, settings, skipped)
    if units is not texts:
        units = strip_quoted_labels(texts, units)
    refuse_unspaced(texts)
    for row in set(range(len(units))).difference(find_usable_rows(units)):
        skipped[NO_SPACES if is_unspaced(units.texts[row]) else "without a content word"] += 1
    split, spare = split_rows(units, settings)
    targets, known = units.take(split.target), units.take(split.auxiliary)
    known = hide_thread_labels(known, targets.documents, threads)
    further: dict[Domain, tuple[str, ...]] = {"same-domain": tuple(units.texts[row] for row in spare)}
    foreign = None
    if inputs.auxiliary is not None:
        foreign, further["cross-domain"] = choose_foreign(inputs, units, targets, settings)
    missing = _find_missing(len(targets), len(known), foreign)
    training = find_training(inputs, settings)
    return CasePlan(
        *(inputs, settings, attributes, units, split, targets, known, foreign, missing, no_queries, training, further),
        skipped,
    )


def check_consent(
    plan: "CasePlan | VectorsOnlyPlan", queries: Iterable[str], checks: Sequence[str], *, send: bool
) -> None:
    """Refuse to send texts to another machine without the owner's consent, with an estimate of what would be sent.

    `queries` are the texts that the probes may query, `checks` those of the preflight.
    """
    encoder = plan.inputs.encoder
    if encoder is None or send or not is_remote(encoder):
        return
    estimated = list(queries) if plan.no_queries is None else []
    blocks = [list_uncached(encoder, texts) for texts in (plan.texts_to_encode, estimated, checks)]
    refuse_unconfirmed_sending(encoder, blocks)


def _find_query_obstacle(inputs: Inputs, settings: Settings) -> Missing | None:
    """Why an adversary cannot query the encoder; None if it can."""
    if inputs.encoder is None:
        return Missing("no encoder was named, so none can be queried", "name the encoder with --encoder")
    if settings.access == "pairs":
        return Missing("the attacker has only pairs", "let it query the encoder with --access queries")
    if settings.queries == 0:
        return Missing("no queries were allowed", "allow some with --queries")
    if settings.queries is None and is_remote(inputs.encoder):
        return Missing(
            "the encoder runs on another machine, and every query is sent and paid for", "allow some with --queries"
        )
    return None


def _refuse_too_wide(encoder: Encoder | None, one: list[str], rows: int, progress: Progress) -> None:
    """Refuse vectors that would not fit into memory, before they are encoded: word counts may have 2^18 columns."""
    assert encoder is not None
    columns = encoder.encode(one, progress=progress).shape[1]
    needed, available = (
        COPIES * rows * columns * 4 + COVARIANCES * columns**2 * 8,
        os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    )
    if needed > available:
        raise InputError(
            f"encoder '{encoder.name}' gives {columns:,} columns, and an audit of {rows:,} such vectors needs about "
            f"{needed / 1e9:.0f} GB; this machine has {available / 1e9:.0f} GB; name a narrower encoder, such as "
            "hashing:2048, tfidf:4000 or lsa:tfidf, or lower --targets and --pairs"
        )


def _find_missing(targets: int, pairs: int, foreign: Corpus | None) -> dict[Domain, Missing]:
    """Which adversaries cannot be simulated; if that is all of them, the input is refused."""
    left = f"the texts, without copies of targets, leave {targets} to attack and {pairs} to learn from"
    needed = f"at least {FEWEST_TARGETS} and {FEWEST_PAIRS}"
    if targets < FEWEST_TARGETS or (pairs < FEWEST_PAIRS and foreign is None):
        raise InputError(f"{left}; expected {needed}; give more texts with --texts")
    missing: dict[Domain, Missing] = {}
    if pairs < FEWEST_PAIRS:
        missing["same-domain"] = Missing(left, f"give enough texts for {needed}")
    if foreign is None:
        missing["cross-domain"] = _NO_AUXILIARY
    return missing


def _encode_targets(inputs: Inputs, split: Split, truth: Corpus, progress: Progress) -> tuple[Vectors, Vectors | None]:
    """The vectors of the targets, and those of the pairs if the owner has them; else the adversary must query."""
    if inputs.vectors is not None:
        return inputs.vectors[split.target], inputs.vectors[split.auxiliary]
    assert inputs.encoder is not None
    return inputs.encoder.encode(truth.texts, progress=_rename_task("encoding the targets", progress)), None


def _repeats(encoder: Encoder, known: dict[str, Vectors]) -> bool:
    """Whether the encoder gives a few texts the vectors that it gave them before."""
    texts = list(known)[:REPEATED]
    return not texts or np.array_equal(encoder.encode(texts), np.stack([known[text] for text in texts]))


def _rename_task(task: str, progress: Progress) -> Progress:
    return lambda _task, total: progress(task, total)


def _query_pairs(encoder: Encoder | None, known: Corpus, progress: Progress) -> Auxiliary:
    """Pairs that the adversary queried."""
    assert encoder is not None
    meter = Metered(encoder)
    vectors = meter.encode(known.texts, progress=_rename_task("encoding the adversary's pairs", progress))
    return Auxiliary(vectors, known.texts, known.documents, known.name, meter.spent, known.attributes)
