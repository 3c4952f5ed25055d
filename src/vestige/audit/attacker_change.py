"""Whether the attacker of NEW may recover less than that of BASE: then no gate of a comparison can hold."""

from collections.abc import Iterator
from typing import get_args

from vestige.audit.result import AuditResult
from vestige.case.findings import Subject
from vestige.case.settings import Access, Settings

AMOUNTS = ("pairs", "vocabulary_size", "labels")
"""Settings of which an attacker with less recovers less."""

CHOICES = ("recipe", "queries", "inverter", "surrogate", "importance", "vocabulary", "budgets", "keywords", "patterns")
"""Settings of the attack, or of what it looks for, that have no order: with another value it may recover less."""

ENOUGH_PAIRS = 0.9
"""The share of the pairs of BASE that a probe of NEW must have had: a few texts come and go between two audits."""


def list_weaker_inputs(base: AuditResult, new: AuditResult) -> tuple[str, ...]:
    """What the attacker of NEW has less of, or another value of; empty if it is at least as strong as that of BASE."""
    return (
        *_list_lower_settings(base.settings, new.settings),
        *_list_missing(base.subject, new.subject),
        *_list_short_probes(base, new),
        *_list_other_choices(base.settings, new.settings),
    )


def _list_lower_settings(base: Settings, new: Settings) -> Iterator[str]:
    for name in AMOUNTS:
        before, after = getattr(base, name), getattr(new, name)
        if after < before:
            yield f"{name} {after:,} instead of {before:,}"
    order = get_args(Access)
    if order.index(new.access) < order.index(base.access):
        yield f"access {new.access} instead of {base.access}"
    if new.attributes and not set(new.attributes) >= set(base.attributes or ("all",)):
        yield "fewer attributes"


def _list_other_choices(base: Settings, new: Settings) -> Iterator[str]:
    return (f"another value of {name}" for name in CHOICES if getattr(base, name) != getattr(new, name))


def _list_missing(base: Subject, new: Subject) -> Iterator[str]:
    """Inputs that the attacker of BASE had, and that of NEW has not."""
    if base.encoder is not None and new.encoder is None:
        yield "no encoder"
    if base.auxiliary is not None and new.auxiliary is None:
        yield "no auxiliary texts"


def _list_short_probes(base: AuditResult, new: AuditResult) -> Iterator[str]:
    """Probes whose attack had fewer pairs although the settings allow as many, since there were fewer texts."""
    if new.settings.pairs < base.settings.pairs:
        return
    for finding in base.findings:
        before = finding.adversary.pairs
        after = new[finding.probe].adversary.pairs if finding.probe in new else before
        if after < ENOUGH_PAIRS * before:
            yield f"{finding.probe} with {after:,} pairs instead of {before:,}"
