"""Audit a list of encoders on the same texts, and rank them by what they leak."""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import ceil, inf
from pathlib import Path

import numpy as np

import vestige
from vestige.audit.result import AuditResult
from vestige.audit.run import audit
from vestige.case.inputs import DEFAULT_CORPUS, TextSource, read_inputs
from vestige.case.prepare import plan_case
from vestige.case.randomness import stream
from vestige.case.settings import Settings
from vestige.defend.record import UNDEFENDED, DefenseTrial
from vestige.defend.run import defend
from vestige.errors import InputError, VestigeError
from vestige.files import check_writable
from vestige.leaderboard import ENCODERS, LENGTHS
from vestige.leaderboard.record import (
    SCHEMA,
    EncoderLeakage,
    Leaderboard,
    LengthLeakage,
    NotRanked,
    RankedEncoder,
    StoredForm,
)
from vestige.probes.plan import choose_probes
from vestige.probes.words_evidence import BY_LENGTH
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Progress, Score, silent
from vestige.utility.retrieval import score_same_document

log = logging.getLogger(__name__)

PROBES = ("words", "keywords", "attributes", "sentences")
"""The probes of a leaderboard if the owner chooses none."""

FLOAT32 = "float32"
BYTES: dict[str, float] = {FLOAT32: 4, "float16": 2, "int8": 1, "binary": 1 / 8}
"""Bytes per number of each stored form."""


@dataclass(frozen=True)
class LeaderboardRequest:
    """What every encoder is audited with."""

    corpus: Corpus
    lengths: tuple[int, ...]
    settings: Settings
    cache: Path | None
    send: bool
    progress: Progress

    def audit(self, encoder: str | Encoder, corpus: Corpus, settings: Settings) -> AuditResult:
        """An audit of one encoder, whose vectors and findings are cached."""
        return audit(
            texts=corpus,
            encoder=encoder,
            settings=settings,
            cache=self.locate(encoder),
            send=self.send,
            progress=self.progress,
        )

    def locate(self, encoder: str | Encoder) -> Path | None:
        """The folder for what is computed for this encoder."""
        if self.cache is None:
            return None
        name = get_name(encoder)
        plain = re.sub(r"[^A-Za-z0-9.-]+", "-", name)[-40:]
        return self.cache / f"{plain}-{sha256(name.encode()).hexdigest()[:8]}"


def get_name(encoder: str | Encoder) -> str:
    """The spec of an encoder, or the name of one that was passed in Python."""
    return encoder if isinstance(encoder, str) else encoder.name


def leaderboard(
    encoders: Sequence[str | Encoder] = ENCODERS,
    *,
    texts: TextSource | None = None,
    lengths: Sequence[int] = LENGTHS,
    settings: Settings | None = None,
    cache: str | Path | None = None,
    send: bool = False,
    progress: Progress = silent,
    update: Callable[[Leaderboard], None] = lambda _board: None,
) -> Leaderboard:
    """Audit every encoder on the same texts, and rank them, the least leaking first.

    `encoders` are specs, or encoders themselves, as for an audit. `texts` is a corpus, the embedded one by default.
    Words are also recovered from passages of as many words as `lengths` lists. The probes of `settings` are run; the
    first ranks. An encoder that cannot be used is listed with the reason. `cache` is a folder for vectors and findings,
    so that a run that was stopped can be resumed. `update` receives the leaderboard after every encoder.
    """
    settings = settings or Settings()
    settings = replace(settings, probes=settings.probes or PROBES)
    choose_probes(settings.probes)
    names = _check_names(encoders)
    _check_lengths(lengths)
    if cache is not None:
        check_writable(Path(cache))
    corpus = _read(texts, settings)
    request = LeaderboardRequest(
        corpus, tuple(lengths), settings, None if cache is None else Path(cache), send, progress
    )
    named = all(isinstance(each, str | Path) for each in (*encoders, DEFAULT_CORPUS if texts is None else texts))
    ranked: list[RankedEncoder] = []
    failed: list[NotRanked] = []
    for position, encoder in enumerate(encoders, 1):
        try:
            ranked.append(_measure(encoder, request))
        except VestigeError as error:
            log.info("%s cannot be ranked: %s", names[position - 1], error)
            failed.append(NotRanked(names[position - 1], str(error)))
        board = _build(ranked, failed, request, names, position, named=named)
        update(board)
    if not ranked:
        raise InputError(
            "no encoder could be audited; " + "; ".join(f"{each.encoder}: {each.reason}" for each in failed)
        )
    return board


def _check_names(encoders: Sequence[str | Encoder]) -> tuple[str, ...]:
    """The names of the encoders, each once."""
    if isinstance(encoders, str) or not encoders:
        raise InputError(f"The 'encoders' parameter must be a list of specs. Got {encoders!r} instead.")
    names = tuple(map(get_name, encoders))
    if len(set(names)) < len(names):
        raise InputError(f"an encoder is named twice in {', '.join(names)}; name each once")
    return names


def _check_lengths(lengths: Sequence[int]) -> None:
    if any(length < 1 for length in lengths):
        raise InputError(f"The 'lengths' parameter must hold numbers of words, 1 or more. Got {tuple(lengths)}.")


def _read(texts: TextSource | None, settings: Settings) -> Corpus:
    if isinstance(texts, Corpus):
        return texts
    if texts is None or isinstance(texts, str | Path):
        return load_corpus(texts or DEFAULT_CORPUS, settings.text_column, settings.document_column)
    return Corpus("texts", list(texts))


def _measure(encoder: str | Encoder, request: LeaderboardRequest) -> RankedEncoder:
    """One row of the leaderboard."""
    result = request.audit(encoder, request.corpus, request.settings)
    long, skipped = _measure_long_texts(encoder, request)
    forms = _measure_forms(encoder, result.subject.dimension, request)
    return RankedEncoder(
        get_name(encoder),
        result.subject.dimension,
        _score_retrieval(encoder, request),
        tuple(EncoderLeakage(each.probe, each.level, each.leakage, each.warnings) for each in result.findings),
        (*_list_lengths(result), *long),
        forms,
        result.not_run,
        skipped,
    )


def _list_lengths(result: AuditResult) -> tuple[LengthLeakage, ...]:
    """The leakage of words by the length of the sentence, if words were attacked."""
    charts = result["words"].charts if "words" in result else ()
    bars = next((chart.bars for chart in charts if chart.title == BY_LENGTH), ())
    return tuple(LengthLeakage(bar.label, bar.score) for bar in bars)


def _measure_long_texts(
    encoder: str | Encoder, request: LeaderboardRequest
) -> tuple[tuple[LengthLeakage, ...], tuple[str, ...]]:
    """The leakage of words from passages of each length, and why some could not be measured."""
    found, skipped = [], []
    settings = replace(request.settings, unit="text", probes=("words",), shortest=1, longest=10**6)
    for length in request.lengths:
        label = f"about {length:,} words"
        try:
            result = request.audit(encoder, request.corpus.passages(length), settings)
        except InputError as error:
            skipped.append(f"{label}: {error}")
            continue
        found += [LengthLeakage(label, finding.leakage) for finding in result.findings]
        skipped += [f"{label}: {each.reason}; {each.remedy}" for each in result.not_run]
    return tuple(found), tuple(skipped)


def _measure_forms(encoder: str | Encoder, dimension: int, request: LeaderboardRequest) -> tuple[StoredForm, ...]:
    """Leakage and recall of every stored form; the attack is fitted on vectors of that form."""
    specs = ["float16", "int8", "binary", f"truncation:{dimension // 2}"]
    sweep = defend(
        texts=request.corpus,
        encoder=encoder,
        defenses=",".join(specs),
        halving=False,
        settings=replace(request.settings, probes=("words",)),
        cache=request.locate(encoder),
        send=request.send,
        progress=request.progress,
    ).result
    return tuple(_describe_form(sweep[name]) for name in (UNDEFENDED, *specs) if name in sweep)


def _describe_form(trial: DefenseTrial) -> StoredForm:
    name = FLOAT32 if trial.defense == UNDEFENDED else trial.defense
    size = ceil(BYTES.get(name, BYTES[FLOAT32]) * trial.dimension)
    recall = next(each.score for each in trial.utility if each.measure == "recall@10")
    return StoredForm(name, size, trial.leakage["words"], recall)


def _score_retrieval(encoder: str | Encoder, request: LeaderboardRequest) -> Score | None:
    """How often a search among all texts of the audit finds the same document; their vectors are cached."""
    inputs = read_inputs(None, request.corpus, encoder, None, request.settings)
    folder = request.locate(encoder)
    inputs = inputs if folder is None else inputs.cache_vectors(folder / "vectors")
    case = plan_case(inputs, request.settings).build(request.progress)
    pairs = case.auxiliary.get("same-domain")
    vectors = case.targets if pairs is None else np.vstack([case.targets, pairs.vectors])
    documents = [*case.documents, *(() if pairs is None else pairs.documents)]
    return score_same_document(vectors, documents, rng=stream(request.settings.seed, "retrieval"))


def _build(
    ranked: Sequence[RankedEncoder],
    failed: Sequence[NotRanked],
    request: LeaderboardRequest,
    encoders: tuple[str, ...],
    done: int,
    *,
    named: bool,
) -> Leaderboard:
    """The leaderboard after so many encoders."""
    first = request.settings.probes[0]
    scores = {row.encoder: row.leakage.get(first) for row in ranked}
    order = sorted(ranked, key=lambda row: inf if (score := scores[row.encoder]) is None else score.value)
    headline, sentences = _describe(order, first)
    return Leaderboard(
        SCHEMA,
        vestige.__version__,
        headline,
        sentences,
        request.corpus.name,
        named,
        request.settings.probes,
        request.lengths,
        encoders,
        tuple(order),
        tuple(failed),
        request.settings,
        encoders[done:],
    )


def _describe(order: Sequence[RankedEncoder], first: str) -> tuple[str, tuple[str, ...]]:
    """The answer in a sentence, and what limits it."""
    scored = [row for row in order if first in row.leakage]
    if not scored:
        return f"No encoder was measured by the probe '{first}'.", ()
    least, most = scored[0], scored[-1]
    if least is most:
        return f"{least.encoder} leaks {least.leakage[first].value:.3f} by '{first}'.", ()
    tied = [row.encoder for row in scored[1:] if row.leakage[first].low <= least.leakage[first].high]
    if most.encoder in tied:
        names = ", ".join(row.encoder for row in scored)
        return f"By '{first}', these encoders cannot be ranked: their intervals overlap.", (f"Compared: {names}.",)
    headline = (
        f"By '{first}', {least.encoder} leaks least ({least.leakage[first].value:.3f}) "
        f"and {most.encoder} most ({most.leakage[first].value:.3f})."
    )
    sentences = [f"The intervals of {least.encoder} and {', '.join(tied)} overlap."] if tied else []
    if least.retrieval is not None and most.retrieval is not None and least.retrieval.high < most.retrieval.low:
        sentences.append(
            f"{least.encoder} also finds less: {least.retrieval.value:.3f} of the searches against "
            f"{most.retrieval.value:.3f} of {most.encoder}."
        )
    return headline, tuple(sentences)
