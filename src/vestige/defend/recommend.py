"""What to do, by need and adversary: what to hide, from whom, at which utility.

Every need is listed with every adversary. Only what the sweep measured is recommended; for the rest there is a command
that measures it, or the reason why no defense of vectors helps.
"""

import re
import shlex
from collections.abc import Sequence

from vestige.case.findings import Subject
from vestige.case.settings import Settings
from vestige.defend.candidates import is_redaction
from vestige.defend.limits import Limit
from vestige.defend.record import UNDEFENDED, DefenseTrial, Recommendation
from vestige.defend.thief import PROBES, is_thief, name_probe, name_thief
from vestige.defenses.catalogue import make_defense
from vestige.text.redaction import parse_redactor

MOST_LEAKAGE, LEAST_UTILITY = 0.10, 0.90
"""What counts as hidden and as useful where the owner set no limit."""

NEEDS = {"words": "all words", "names": "names", "keywords": "the keywords", "attributes": "a label"}
KEYED = "rotation,asymmetric"
SECRET_KEYS = ("rotation", "permutation", "tenant", "cells", "dcpe", "asymmetric")
"""The defenses whose protection is a key alone."""

INSIDER = "an insider with pairs"
VENDOR = "a vendor who runs the encoder"
OUTSIDER = "a thief without pairs"

ELSEWHERE = (
    "Nothing that was judged at full size hides this at that utility: what search needs is also what the attack learns "
    "from. What helps instead, and was not measured here: redact texts before they are encoded, store no text next to "
    "vectors, restrict who may read vectors and query the encoder, and delete vectors that are not needed."
)
ONLY_A_DELAY = (
    "A key is a delay: it breaks with known pairs, and with enough stolen vectors. Change it when a vector of a known "
    "text may have leaked, give every tenant a key of its own, and store no text next to the vectors."
)
GUARANTEE_OF_REDACTION = "none for what the detector misses, nor for what the rest of the text gives away"


UNMEASURED = "Not measured in this sweep, so nothing is recommended. The command measures it."
VENDOR_READS = "The vendor receives the texts before there are vectors, so no defense of vectors concerns it."


SIZES = ("targets", "pairs", "unit", "seed", "text_column", "document_column", "vector_column")
"""The settings that decide what a sweep chooses; a command repeats those that differ from their defaults."""


def recommend(
    trials: Sequence[DefenseTrial],
    limits: Sequence[Limit],
    cost: str,
    subject: Subject,
    settings: Settings | None = None,
) -> tuple[Recommendation, ...]:
    """One recommendation per need and adversary: first what was measured, then what was not."""
    settings = settings or Settings()
    measured = next(trial for trial in trials if trial.defense == UNDEFENDED).leakage
    named = [probe for probe in measured if not is_thief(probe)]
    kinds = {probe.partition(":")[0] for probe in named}
    found: list[Recommendation] = []
    for probe in (*named, *(kind for kind in PROBES if kind not in kinds)):
        insider = (
            _recommend_for(probe, trials, limits, cost, subject, settings)
            if probe in measured
            else _describe(probe, INSIDER, UNMEASURED, (_build_sweep(subject, _list_probe(probe)),))
        )
        thief = (
            _recommend_for(name_thief(probe), trials, limits, cost, subject, settings)
            if name_thief(probe) in measured
            else _describe_thief(probe, insider, subject)
        )
        found += [insider, thief, _describe_vendor(probe, trials, limits, cost, subject)]
    return tuple(found)


def _recommend_for(
    probe: str,
    trials: Sequence[DefenseTrial],
    limits: Sequence[Limit],
    cost: str,
    subject: Subject,
    settings: Settings,
) -> Recommendation:
    need = name_probe(probe)
    most, least = _find_most(need, limits), _find_least(cost, limits)
    before = next(trial for trial in trials if trial.defense == UNDEFENDED).leakage[probe]
    finished = [trial for trial in trials if not trial.reason]
    holding = [trial for trial in finished if _hides(trial, probe, most) and trial.scores[cost].low > least]
    kind = need.partition(":")[0]
    best = max(holding, key=lambda trial: (trial.defense == UNDEFENDED, trial.scores[cost].value), default=None)
    return Recommendation(
        need=_name_need(probe),
        adversary=OUTSIDER if is_thief(probe) else INSIDER,
        limits=f"leakage under {most:.2f}, {cost} over {least:.2f}",
        defense=None if best is None else best.defense,
        undefended=before,
        leakage=None if best is None else best.leakage[probe],
        utility=None if best is None else best.scores[cost],
        guarantee="" if best is None or best.defense == UNDEFENDED else describe_guarantee(best.defense),
        advice=_advise_elsewhere(finished, probe, cost, least, most)
        + _describe_dropped(trials, probe, cost, least, most)
        if best is None
        else _advise(best, finished, probe, cost),
        commands=()
        if best is None
        else list_commands(best, subject, (f"{kind}<{most:g}", f"{cost}>{least:g}"), settings),
    )


def _find_most(need: str, limits: Sequence[Limit]) -> float:
    return next((limit.value for limit in limits if limit.concerns(need) and not limit.above), MOST_LEAKAGE)


def _find_least(cost: str, limits: Sequence[Limit]) -> float:
    return next((limit.value for limit in limits if limit.concerns(cost) and limit.above), LEAST_UTILITY)


def _hides(trial: DefenseTrial, probe: str, most: float) -> bool:
    """A thief applies a defense without a key to its own text, and then has pairs: what stops an insider must hold."""
    keyed = trial.defense.partition(":")[0] in SECRET_KEYS
    judged = (probe,) if keyed else {probe, name_probe(probe)}
    return all(trial.leakage[name].high < most for name in judged if name in trial.leakage)


def _advise_elsewhere(trials: Sequence[DefenseTrial], probe: str, cost: str, least: float, most: float) -> str:
    """What comes closest, and what helps where no defense of vectors does."""
    useful = [trial for trial in trials if trial.scores[cost].low > least]
    if not useful:
        return f"Nothing has that utility. {ELSEWHERE}"
    closest = min(useful, key=lambda trial: trial.leakage[probe].value)
    leak = closest.leakage[probe]
    named = "undefended vectors" if closest.defense == UNDEFENDED else closest.defense
    if leak.value < most:
        return (
            f"With {named} it is {leak.value:.3f} ({leak.low:.3f} to {leak.high:.3f}): below the limit, but not with "
            "its whole interval. Judge more texts (--targets)."
        )
    if closest.defense == UNDEFENDED:
        return f"At that utility, no defense leaks less than undefended vectors, {leak.value:.3f}. {ELSEWHERE}"
    return f"At that utility, {closest.defense} leaks least: {leak.value:.3f}. {ELSEWHERE}"


def _describe_dropped(trials: Sequence[DefenseTrial], probe: str, cost: str, least: float, most: float) -> str:
    """A sweep drops by its limits: what those of another need dropped at a small size may still be what helps here."""
    dropped = [trial for trial in trials if trial.reason]
    near = [each.defense for each in dropped if each.leakage[probe].value < most and each.scores[cost].value > least]
    if not near:
        return ""
    return f" Dropped at a smaller size, where they were within these limits: {', '.join(near)}. Judge these alone."


def _advise(best: DefenseTrial, trials: Sequence[DefenseTrial], probe: str, cost: str) -> str:
    if best.defense == UNDEFENDED:
        return "No defense is needed against the attacks that were run."
    lost = f"It costs {1 - best.scores[cost].value:.1%} of {cost}{_describe_size(best, trials)}."
    if not is_thief(probe):
        lost += f" Measured with {best.pairs:,} pairs: whoever has more may recover more."
    if best.defense.partition(":")[0] in SECRET_KEYS:
        return f"{lost} {ONLY_A_DELAY}"
    if is_redaction(best.defense):
        return f"{lost} Redact search queries in the same way, and the texts that are stored."
    return f"{lost} Store no text next to the vectors, which would reveal it without any attack."


def _describe_size(best: DefenseTrial, trials: Sequence[DefenseTrial]) -> str:
    """What it costs in storage, if vectors get longer."""
    before = next(trial for trial in trials if trial.defense == UNDEFENDED).dimension
    return f", and vectors have {best.dimension:,} columns instead of {before:,}" if best.dimension > before else ""


def _describe_thief(probe: str, insider: Recommendation, subject: Subject) -> Recommendation:
    """Where no thief judged: what stops an insider stops a thief; otherwise a key may, for a while."""
    if insider.defense is not None:
        named = "undefended vectors" if insider.defense == UNDEFENDED else insider.defense
        holds = f"What holds against an insider with pairs holds against a thief, who has less: {named}."
        return _describe(probe, OUTSIDER, holds, insider.commands)
    advice = "Not measured in this sweep, so nothing is recommended. A secret key may help: the command measures it."
    options = f"{_list_probe(probe)} --defenses {KEYED} --thief"
    return _describe(
        probe, OUTSIDER, advice, (_build_sweep(subject, options),) if probe.partition(":")[0] in PROBES else ()
    )


def _describe_vendor(
    probe: str, trials: Sequence[DefenseTrial], limits: Sequence[Limit], cost: str, subject: Subject
) -> Recommendation:
    """The vendor, who sees texts: the most useful redaction that hides what is to be hidden, by what it leaks."""
    kind = probe.partition(":")[0]
    if kind not in ("names", "keywords"):
        advice = f"{VENDOR_READS} Redaction does not remove {_name_need(probe)}: run the encoder yourself."
        return _describe(probe, VENDOR, advice)
    most, least = _find_most(probe, limits), _find_least(cost, limits)
    tried = [
        trial
        for trial in trials
        if not trial.reason and probe in trial.leakage and is_redaction(trial.defense) and _redacts(trial.defense, kind)
    ]
    holding = [trial for trial in tried if trial.leakage[probe].high < most and trial.scores[cost].low > least]
    advice = f"{VENDOR_READS} Redact texts before they are sent, or run the encoder yourself."
    if not holding:
        missed = (
            f" No redaction that was tried keeps within leakage {most:.2f} and {cost} {least:.2f}." if tried else ""
        )
        return _describe(probe, VENDOR, advice + missed)
    best = max(holding, key=lambda trial: trial.scores[cost].value)
    return _describe(probe, VENDOR, advice, list_commands(best, subject)[:1])


def _redacts(spec: str, kind: str) -> bool:
    redactor = parse_redactor(spec, ("WORDS",))
    return kind in redactor.kinds or (kind == "keywords" and bool(redactor.keywords))


def _describe(probe: str, adversary: str, advice: str, commands: tuple[str, ...] = ()) -> Recommendation:
    return Recommendation(_name_need(probe), adversary, "", None, None, None, None, "", advice, commands)


def _name_need(probe: str) -> str:
    kind, _, name = name_probe(probe).partition(":")
    return f"the label {name}" if kind == "attributes" and name else NEEDS.get(kind, probe)


def _list_probe(probe: str) -> str:
    """The options that choose a probe; a label that nobody named is a column that only the owner knows."""
    kind = probe.partition(":")[0]
    return f"--probe {kind}" + (" --attribute COLUMN" if probe == "attributes" else "")


def describe_guarantee(defense: str) -> str:
    """What the defense of this spec guarantees, with its settings."""
    return GUARANTEE_OF_REDACTION if is_redaction(defense) else make_defense(defense.partition("@")[0]).guarantee()


def list_commands(
    trial: DefenseTrial, subject: Subject, limits: Sequence[str] = (), settings: Settings | None = None
) -> tuple[str, ...]:
    """The commands that apply a defense; capitals stand for what only the owner knows.

    A defense that hides labels is fitted by a sweep of it alone, under the same `limits` and sizes, in a folder of its
    own.
    """
    if trial.defense == UNDEFENDED:
        return ()
    if is_redaction(trial.defense):
        return _list_redaction(trial.defense, subject)
    vectors = shlex.quote(subject.vectors) if subject.vectors else "VECTORS"
    if trial.hides is None:
        return (f"vestige protect {vectors} protected.parquet --defense {shlex.quote(trial.defense)}",)
    folder = f"vestige-defend-{re.sub(r'[^0-9A-Za-z]+', '-', trial.defense)}"
    options = [*_list_limits(trial.hides, limits), *_list_settings(trial.hides, settings or Settings())]
    options += ["--defenses", shlex.quote(trial.defense), "--out", folder]
    return (
        _build_sweep(subject, " ".join(options)),
        f"vestige protect {vectors} protected.parquet --defense {folder}/defense",
    )


def _list_limits(hides: str, limits: Sequence[str]) -> list[str]:
    """The options that judge a defense by these limits; it finds the keywords that it hides by their probe."""
    probes = [limit.partition("<")[0] for limit in limits if "<" in limit]
    probes += ["keywords"] if hides == "keywords" and "keywords" not in probes else []
    chosen = [part for probe in probes for part in ("--probe", probe)]
    return [*chosen, *(part for limit in limits for part in ("--limit", shlex.quote(limit)))]


def _list_settings(hides: str, settings: Settings) -> list[str]:
    """The options that name what is hidden, and repeat the sizes; a limit would also concern the other labels."""
    hidden = ["--attribute", shlex.quote(hides)] if hides != "keywords" else []
    hidden += ["--keywords", shlex.quote(",".join(settings.keywords))] if settings.keywords else []
    usual = Settings()
    changed = [(name, getattr(settings, name)) for name in SIZES if getattr(settings, name) != getattr(usual, name)]
    return [*hidden, *(part for name, value in changed for part in _type_option(name, value))]


def _type_option(name: str, value: object) -> tuple[str, str]:
    return f"--{name.replace('_', '-')}", shlex.quote(str(value))


def _build_sweep(subject: Subject, options: str) -> str:
    """The command of a sweep of the same vectors."""
    texts, encoder = (shlex.quote(name) if name else word for name, word in _list_names(subject))
    source = [shlex.quote(subject.vectors)] if subject.vectors else []
    made = [] if subject.vectors and not subject.encoder else ["--encoder", encoder]
    return " ".join(["vestige defend", *source, "--texts", texts, *made, options])


def _list_redaction(spec: str, subject: Subject) -> tuple[str, ...]:
    redactor = parse_redactor(spec, ("WORDS",))
    options = [f"--kinds {','.join(redactor.kinds)}"]
    options += [f"--mode {redactor.mode}"] if redactor.mode != "placeholder" else []
    options += ["--keywords WORDS"] if redactor.keywords else []
    options += [f"--detector {redactor.detector}"] if redactor.detector != "auto" else []
    texts, encoder = (shlex.quote(name) if name else word for name, word in _list_names(subject))
    return (
        f"vestige redact {texts} redacted.parquet {' '.join(options)}",
        f"vestige encode redacted.parquet --encoder {encoder} --out vectors.parquet",
    )


def _list_names(subject: Subject) -> tuple[tuple[str | None, str], tuple[str | None, str]]:
    return (subject.corpus, "TEXTS"), (subject.encoder, "ENCODER")
