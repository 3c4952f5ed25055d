"""The record as Markdown, for a pull request or a wiki."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from vestige.audit.result import AuditResult
from vestige.case.findings import Chart, Example, Finding, Roc, Token
from vestige.preflight.result import Preflight
from vestige.report import wording
from vestige.report.figures import (
    interval,
    number,
    provenance_rows,
    setting,
    sizes,
    spoken,
    standing,
    subject_rows,
    title,
    whole,
    wrong,
)
from vestige.report.preflight import looked_at
from vestige.report.repeat import command
from vestige.report.roc import RATES, caught_at

_SPECIAL = re.compile(r"([\\`*_\[\]|~#!])")


def as_markdown(result: AuditResult) -> str:
    """The content of the page, in tables."""
    masked = not result.settings.show_text
    parts = [
        f"# {plain(title(result.subject))}",
        table(("Audited", ""), subject_rows(result.subject)),
        *_verdict(result),
        *_before_any_attack(result.preflight),
        *(part for finding in result.findings for part in _finding(finding, masked)),
        *_not_measured(result),
        *_reading(),
        *_repeat(result),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _verdict(result: AuditResult) -> list[str]:
    verdict = result.verdict
    gates = [("held" if gate.held else "**failed**", gate.gate, gate.explanation) for gate in result.gates]
    return [
        f"## {plain(verdict.headline)}",
        f"Level: **{plain(verdict.level)}**",
        *map(plain, verdict.sentences),
        *(["## Limits you set", table(("Outcome", "Fails on", "Found"), gates, marked=1)] if gates else []),
    ]


def _finding(finding: Finding, masked: bool) -> list[str]:
    leakage, scored = finding.leakage, plain(finding.measure(finding.headline).label)
    return [
        f"## {plain(finding.question)}",
        *(f"> **Warning.** {plain(warning)}" for warning in finding.warnings),
        f"Leakage, the gain over guessing in “{scored}”: **{number(leakage.value)}** "
        f"(95% interval {interval(leakage)}, {standing(leakage)}; n = {whole(leakage.n)} texts). "
        f"Level: **{finding.level}**.",
        _measures(finding),
        listed(f"**{name}**: {meaning}." for name, meaning in wording.ROLES.values()),
        *(_roc(finding.roc) if finding.roc else []),
        *(part for chart in finding.charts for part in _chart(chart)),
        *(_examples(finding.examples, scored, masked) if finding.examples else []),
        *_adversary(finding),
    ]


def _measures(finding: Finding) -> str:
    rows = []
    for measure in finding.measures:
        scores = (measure.attack, measure.prior, measure.control)
        rows.append((measure.label, *map(spoken, scores), sizes(scores)))
    return table(("Measure", "Attack", "Guessing", "Control", "n"), rows)


def _roc(curves: Sequence[Roc]) -> list[str]:
    heads = ("Members found, where of others no more are taken for them than", *(f"{rate:.1%}" for rate in RATES[:-1]))
    rows = [(each.label, *(number(caught_at(each, rate)) for rate in RATES[:-1])) for each in curves]
    return [f"### {wording.ROC}", table(heads, rows)]


def _chart(chart: Chart) -> list[str]:
    rows = [
        (
            bar.label,
            spoken(bar.score),
            "" if bar.score.baseline is None else number(bar.score.baseline),
            whole(bar.score.n),
        )
        for bar in chart.bars
    ]
    drawn = (
        table(("", "Value", "Baseline", "n"), rows)
        if rows
        else "There are no bars to show: nothing was measured for this chart."
    )
    return [f"### {plain(chart.title)}", plain(chart.reading), drawn]


def _examples(examples: Sequence[Example], scored: str, masked: bool) -> list[str]:
    legend = "**word**: read from the vector. " + (
        "█████: there, not read (masked). ·: a stop word." if masked else "_word_: there, not read. Others: stop words."
    )
    return [
        "### What it looks like, text by text",
        f"> {wording.MASKED if masked else wording.UNMASKED}",
        *(part for example in examples for part in _example(example, scored)),
        legend,
    ]


def _example(example: Example, scored: str) -> list[str]:
    missed = wrong(example.wrong) if example.wrong else ""
    words = " ".join(map(_word, example.tokens))
    written = f"The stranger wrote: {plain(example.written)}" if example.written is not None else ""
    return [f"**{plain(example.label)}** ({scored} {number(example.score)})", f"> {words}", written, missed]


def _word(token: Token) -> str:
    if token.text is None:
        return {"hit": "**read**", "missed": "█████"}.get(token.state, "·")
    return {"hit": "**{}**", "missed": "_{}_"}.get(token.state, "{}").format(plain(token.text))


def _adversary(finding: Finding) -> list[str]:
    spent = (
        f"Attack: {finding.attack}",
        f"Pairs learned from: {whole(finding.adversary.pairs)}",
        f"Texts sent to the encoder: {whole(finding.adversary.queries)}",
    )
    return [
        "### What the stranger was given, and what it spent",
        listed(map(plain, (*finding.adversary.given, *spent))),
    ]


def _before_any_attack(looked: Preflight | None) -> list[str]:
    if looked is None:
        return []
    rows = [(check.level, check.name, check.sentence) for check in looked.checks]
    return ["## Before any attack", plain(looked_at(looked)), table(("", "Check", "Found"), rows)]


def _not_measured(result: AuditResult) -> list[str]:
    rows = [(question.question, question.reason, question.remedy) for question in result.not_run]
    return [
        "## What was not measured",
        table(("Question", "Why not", "To run it"), rows) if rows else "",
        "### What this page does not tell",
        wording.NOT_TOLD,
        wording.better_equipped(result.subject),
    ]


def _reading() -> list[str]:
    levels = [(level, limit) for level, limit in wording.LEVELS.items()]
    terms = listed(f"**{term}**: {meaning}" for term, meaning in wording.READING)
    return ["## How to read the figures", terms, table(("Level", "Given for"), levels)]


def _repeat(result: AuditResult) -> list[str]:
    lines = command(result)
    again = "" if lines is None else "\n".join(f"    {line}" for line in " \\\n  ".join(lines).splitlines())
    rows = [(name, setting(value)) for name, value in sorted(asdict(result.settings).items())]
    known = table(("Input", ""), provenance_rows(result.subject))
    return [f"## To repeat it\n\nVestige {plain(result.version)}", again, known, table(("Setting", "Value"), rows)]


def listed(items: Iterable[str]) -> str:
    """Items one below the other."""
    return "\n".join(f"- {item}" for item in items)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], marked: int = 0) -> str:
    """A table whose cells are escaped, but for the first `marked` columns, which carry our own marks."""
    lines = [[cell if place < marked else plain(cell) for place, cell in enumerate(row)] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, ["---"] * len(heads), *lines])


def plain(text: str) -> str:
    """Text that Markdown takes as it stands, on one line: no marks, no HTML, no links."""
    escaped = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
