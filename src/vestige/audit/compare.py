"""Compare two audits: for every probe, how the leakage changed, with a paired interval where the targets are equal."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import vestige
from vestige.audit.attacker_change import list_weaker_inputs
from vestige.audit.attribute_match import describe_match, match_attributes
from vestige.audit.change_gate import DifferenceGate, Doubts, WorseGate, parse_change_gate
from vestige.audit.compare_wording import write_headline, write_sentences
from vestige.audit.comparison import SCHEMA, Change, ComparedRun, Comparison, InputChange, ProbeChange
from vestige.audit.difference import classify, find_unpaired, share_error, subtract, subtract_scores
from vestige.audit.result import AuditResult
from vestige.audit.run import audit
from vestige.audit.saved import read_audit
from vestige.case.findings import Finding
from vestige.errors import InputError
from vestige.probes.plan import choose_probes, list_probes
from vestige.types import Score

Audited = AuditResult | str | Path | Mapping[str, Any]
"""A result, its `report.json` or folder, or the arguments of the audit that makes it."""

SEVERITY: tuple[Change, ...] = ("worse", "better", "undecided", "no difference", "not comparable")
"""The most serious change first; it is that of the whole comparison."""

WORDS = ("keywords", "vocabulary")
"""Settings that hold words of the owner, which a comparison does not show."""


def compare(
    base: Audited,
    new: Audited,
    *,
    fail_on: Sequence[str] = (),
    probes: Sequence[str] = (),
    names: tuple[str, str] | None = None,
    allow_incomplete: bool = False,
    allow_other_attacker: bool = False,
) -> Comparison:
    """Measure how the leakage changed from one audit to another.

    Each side is a result, the path of its `report.json` (or of a folder that has one), or a dict of arguments for
    `vestige.audit`, which is then run. Give both audits the same texts, seed and sizes: then they score the same
    targets, and the intervals are paired. Otherwise they are unpaired, and the comparison says so. `fail_on` sets
    conditions such as "worse" or "words>+0.02". `probes` are the probes to compare; without any, all. `names` are what
    to call the two sides. An audit that was stopped is refused unless `allow_incomplete`. If the attacker of NEW has
    less than that of BASE, such as fewer pairs, no condition holds unless `allow_other_attacker`: a weaker attacker
    recovers less from vectors that leak as much.
    """
    gates = [parse_change_gate(expression, list_probes()) for expression in fail_on]
    chosen = [probe.name for probe in choose_probes(tuple(probes))] if probes else None
    names = names or _choose_names(base, new)
    _refuse_gates_not_chosen(gates, chosen)
    results = _open_both(base, new)
    if not allow_incomplete:
        refuse_incomplete(results.base, names[0])
        refuse_incomplete(results.new, names[1])
    changes = tuple(_list_changes(results, chosen))
    inputs = tuple(_list_input_changes(results))
    identical = _are_identical(results, changes)
    lost = tuple(name for name in results.list_probes(chosen) if results.is_lost(name, chosen))
    weaker = () if allow_other_attacker else list_weaker_inputs(results.base, results.new)
    return Comparison(
        schema=SCHEMA,
        version=vestige.__version__,
        change=min((each.change for each in changes), key=SEVERITY.index, default=SEVERITY[-1]),
        headline=write_headline(changes, names, identical=identical),
        sentences=tuple(write_sentences(changes, inputs, identical=identical)),
        base=_describe_run(results.base, names[0]),
        new=_describe_run(results.new, names[1]),
        changes=changes,
        inputs=inputs,
        gates=tuple(gate.check(changes, Doubts(lost, weaker)) for gate in gates),
    )


@dataclass(frozen=True)
class _Pair:
    """The two audits, and their findings by probe."""

    base: AuditResult
    new: AuditResult

    def list_probes(self, chosen: Sequence[str] | None) -> list[str]:
        """The chosen probes, also those without a finding; if none was chosen, those with one on either side."""
        found = dict.fromkeys(finding.probe for side in (self.base, self.new) for finding in side.findings)
        return list(found if chosen is None else chosen)

    def find(self, probe: str) -> tuple[Finding | None, Finding | None]:
        """The findings of both sides."""
        base, new = (
            next((finding for finding in side.findings if finding.probe == probe), None)
            for side in (self.base, self.new)
        )
        return base, new

    def is_lost(self, probe: str, chosen: Sequence[str] | None) -> bool:
        """Whether BASE has a sound finding and NEW none to compare with it, or a chosen probe ran on neither side."""
        base, new = self.find(probe)
        if base is None:
            return new is None and chosen is not None
        return not base.warnings and bool(_find_obstacle(self, probe))


def _open_both(base: Audited, new: Audited) -> _Pair:
    """Both audits; stored ones are read first, so that a fault in one is found before the other is run."""
    stored = [None if isinstance(side, Mapping) else _open(side) for side in (base, new)]
    return _Pair(*(_open(side) if read is None else read for side, read in zip((base, new), stored, strict=True)))


def _refuse_gates_not_chosen(gates: Sequence[WorseGate | DifferenceGate], chosen: Sequence[str] | None) -> None:
    for gate in gates:
        if isinstance(gate, DifferenceGate) and chosen is not None and gate.gate.probe not in chosen:
            raise InputError(
                f"gate '{gate.gate.expression}' needs the probe '{gate.gate.probe}', which is not compared; "
                f"add --probe {gate.gate.probe}, or drop the gate"
            )


def _open(given: Audited) -> AuditResult:
    if isinstance(given, AuditResult):
        return given
    return audit(**given) if isinstance(given, Mapping) else read_audit(given)


def _choose_names(base: Audited, new: Audited) -> tuple[str, str]:
    """The folder or file of each side, without its path; "base" and "new" if these do not tell them apart."""
    names = [_name_of(given) for given in (base, new)]
    return (names[0], names[1]) if names[0] and names[1] and names[0] != names[1] else ("base", "new")


def _name_of(given: Audited) -> str:
    if not isinstance(given, str | Path):
        return ""
    path = Path(given)
    if path.name == "report.json":
        return path.resolve().parent.name
    return path.resolve().name if path.is_dir() else path.stem


def refuse_incomplete(result: AuditResult, name: str) -> None:
    """Raise for an audit that was stopped."""
    if result.pending:
        raise InputError(
            f"the audit '{name}' was stopped before {', '.join(result.pending)}; run it again to complete it, "
            "or compare what there is with --allow-incomplete"
        )


def _list_changes(results: _Pair, chosen: Sequence[str] | None) -> Iterator[ProbeChange]:
    """One change per probe. The intervals are widened for the probes that can be compared (`share_error`)."""
    probes = results.list_probes(chosen)
    reasons = {probe: _find_obstacle(results, probe) for probe in probes}
    among = share_error([probe for probe in probes if not reasons[probe]])
    for probe in probes:
        base, new = results.find(probe)
        if reasons[probe] or base is None or new is None:
            yield _skip_probe(probe, base, new, reasons[probe])
        elif _describe_measures(base, new):
            yield _compare_attributes(base, new, among[probe])
        else:
            yield _compare_probe(base, new, among[probe])


def _skip_probe(name: str, base: Finding | None, new: Finding | None, reason: str) -> ProbeChange:
    """A probe that cannot be compared, with the figures that there are."""
    some = new or base
    question = next(probe.question for probe in list_probes() if probe.name == name) if some is None else some.question
    scores = None if base is None else base.leakage, None if new is None else new.leakage
    return ProbeChange(name, question, "not comparable", *scores, None, False, reason)


def _compare_probe(base: Finding, new: Finding, among: int) -> ProbeChange:
    unpaired = find_unpaired(base, new)
    sides, paired = (base.leakage, new.leakage), not unpaired
    if paired and _score_alike(base, new):
        none = Score(0.0, 0.0, 0.0, new.leakage.n, 0.0)
        return ProbeChange(base.probe, new.question, "no difference", *sides, none, paired, "")
    difference = subtract(base, new, paired=paired, among=among)
    return ProbeChange(base.probe, new.question, classify(difference), *sides, difference, paired, unpaired)


def _compare_attributes(base: Finding, new: Finding, among: int) -> ProbeChange:
    """Each side leaks most in another attribute: compare both, and report the one that rose most.

    The interval allows for two comparisons.
    """
    matched = match_attributes(base, new)
    differences = {each: subtract_scores(each.base, each.new, among=among * len(matched)) for each in matched}
    chosen = max(matched, key=lambda each: differences[each].low)
    difference, reason = differences[chosen], describe_match(matched, chosen)
    change = classify(difference)
    return ProbeChange(base.probe, new.question, change, chosen.base, chosen.new, difference, False, reason)


def _are_identical(results: _Pair, changes: Sequence[ProbeChange]) -> bool:
    """Whether every probe has the same finding on both sides, target by target, and some can be compared."""
    compared = [change for change in changes if change.difference is not None]
    same = all(_score_alike(*results.find(change.probe)) for change in changes)
    return same and bool(compared) and all(change.paired for change in compared)


def _score_alike(base: Finding | None, new: Finding | None) -> bool:
    """Whether every target has the same score. What the inputs are called may differ, such as a file of vectors."""
    if base is None or new is None:
        return base is new
    return base == new or (
        base.per_target is not None and base.per_target == new.per_target and base.leakage == new.leakage
    )


def _find_obstacle(results: _Pair, probe: str) -> str:
    """Why the findings of a probe cannot be compared; empty if they can."""
    base, new = results.find(probe)
    for finding, side, name in ((base, results.base, "BASE"), (new, results.new, "NEW")):
        if finding is None:
            return f"it did not run in {name}: {_explain_absence(side, probe)}"
        if finding.warnings:
            return f"its figures in {name} have a warning: {finding.warnings[0]}"
    assert base is not None
    assert new is not None
    return "" if match_attributes(base, new) else _describe_measures(base, new)


def _describe_measures(base: Finding, new: Finding) -> str:
    measured = [finding.measure(finding.headline).label for finding in (base, new)]
    return "" if measured[0] == measured[1] else f"BASE measures “{measured[0]}” and NEW “{measured[1]}”"


def _explain_absence(side: AuditResult, probe: str) -> str:
    skipped = next((skipped for skipped in side.not_run if skipped.probe == probe), None)
    if skipped is not None:
        return f"{skipped.reason}; {skipped.remedy}"
    return "the audit was stopped" if probe in side.pending else "it was not chosen"


def _list_input_changes(results: _Pair) -> Iterator[InputChange]:
    """The inputs and settings that differ; `digest` is that of the vectors, and which probes ran is in the changes."""
    seen = {"probes", "stored", "show_text"}
    for record in ("subject", "settings"):
        base, new = getattr(results.base, record), getattr(results.new, record)
        for field in fields(base):
            before, after = getattr(base, field.name), getattr(new, field.name)
            if before != after and field.name not in seen:
                seen.add(field.name)
                label = "vectors (digest)" if field.name == "digest" else field.name
                shown = _count_words(before, after) if field.name in WORDS else (_format(before), _format(after))
                yield InputChange(label, *shown)
    if results.base.version != results.new.version:
        yield InputChange("vestige", results.base.version, results.new.version)


def _count_words(before: Sequence[str], after: Sequence[str]) -> tuple[str, str]:
    """How many words the owner listed: a comparison may become public, where even a digest could be guessed."""
    base, new = (f"{len(words):,} listed" if words else "-" for words in (before, after))
    return base, f"{new}, not the same" if base == new else new


def _format(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    return "-" if value is None else f"{value:,}" if type(value) is int else str(value)


def _describe_run(result: AuditResult, name: str) -> ComparedRun:
    verdict = result.verdict
    return ComparedRun(name, result.version, verdict.level, verdict.headline, result.subject, result.pending)
