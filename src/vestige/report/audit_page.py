"""The record of an audit as an HTML page, and with the same content as Markdown."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, get_args

from vestige.audit.result import AuditResult
from vestige.case.findings import Chart, Example, Finding, Level, Roc, Subject, Token
from vestige.preflight.result import Preflight
from vestige.report import audit_wording as wording
from vestige.report.charts import RATES, build_roc_chart, tpr_at_fpr
from vestige.report.formatting import (
    format_count,
    format_interval,
    format_number,
    format_score,
    format_setting,
    format_sizes,
)
from vestige.report.html import render_page
from vestige.report.markdown import escape, join_blocks, render_list, render_repetition, render_table
from vestige.report.preflight_section import describe_source, summarize_checks
from vestige.report.repeat_command import build_audit_command, build_audit_config
from vestige.report.subject_tables import list_other_texts, list_provenance, list_subject

_RANKED = [level for level in get_args(Level) if level != "unknown"]


def render_audit_html(result: AuditResult, **frame: Any) -> str:
    """The audit as one HTML page that needs no other file; `frame` goes to `render_page`, for another base page."""
    preflight = result.preflight
    return render_page(
        "audit.html.j2",
        title=_title(result.subject),
        version=result.version,
        result=result,
        levels=_RANKED,
        wording=wording,
        build_roc_chart=build_roc_chart,
        subject=_subject(result.subject),
        provenance=list_provenance(result.subject),
        settings=asdict(result.settings),
        command=build_audit_command(result),
        config=build_audit_config(result),
        incomplete=wording.describe_pending(result.pending),
        preflight_source=describe_source(preflight) if preflight else "",
        preflight_summary=summarize_checks(preflight) if preflight else "",
        **frame,
    )


def render_audit_markdown(result: AuditResult) -> str:
    """The content of the page in Markdown tables, for a pull request or a wiki."""
    masked = not result.settings.show_text
    return join_blocks(
        [
            f"# {escape(_title(result.subject))}",
            render_table(("Audited", ""), _subject(result.subject)),
            *_verdict(result),
            *_preflight(result.preflight),
            *(block for finding in result.findings for block in _finding(finding, masked)),
            *_not_measured(result),
            *_explanation(),
            *_repeat(result),
        ]
    )


def _title(subject: Subject) -> str:
    return f"Embedding audit: {subject.corpus or subject.vectors}"


def _subject(subject: Subject) -> list[tuple[str, str]]:
    return [*list_subject(subject), *list_other_texts(subject)]


def _verdict(result: AuditResult) -> list[str]:
    verdict = result.verdict
    gates = [("held" if gate.held else "**failed**", gate.gate, gate.explanation) for gate in result.gates]
    return [
        *([f"> **Incomplete.** {escape(wording.describe_pending(result.pending))}"] if result.pending else []),
        f"## {escape(verdict.headline)}",
        f"Level: **{escape(verdict.level)}**",
        *map(escape, verdict.sentences),
        *(["## Limits you set", render_table(("Outcome", "Fails on", "Measured"), gates, raw=1)] if gates else []),
    ]


def _preflight(preflight: Preflight | None) -> list[str]:
    if preflight is None:
        return []
    rows = [(check.level, check.name, check.sentence) for check in preflight.checks]
    return ["## Preflight", escape(describe_source(preflight)), render_table(("", "Check", "Result"), rows)]


def _finding(finding: Finding, masked: bool) -> list[str]:
    leakage, scored = finding.leakage, escape(finding.measure(finding.headline).label)
    return [
        f"## {escape(finding.question)}",
        *(f"> **Warning.** {escape(warning)}" for warning in finding.warnings),
        f"Leakage, the gain over guessing in “{scored}”: **{format_number(leakage.value)}** "
        f"(95% interval {format_interval(leakage)}, {wording.describe_standing(leakage)}; "
        f"n = {format_count(leakage.n)} texts). Level: **{finding.level}**.",
        _measures(finding),
        render_list(f"**{name}**: {meaning}." for name, meaning in wording.ROLES.values()),
        *(_roc(finding.roc) if finding.roc else []),
        *(block for chart in finding.charts for block in _chart(chart)),
        *(_examples(finding.examples, scored, masked) if finding.examples else []),
        *_adversary(finding),
    ]


def _measures(finding: Finding) -> str:
    rows = []
    for measure in finding.measures:
        scores = (measure.attack, measure.prior, measure.control)
        rows.append((measure.label, *map(format_score, scores), format_sizes(scores)))
    return render_table(("Measure", "Attack", "Guessing", "Control", "n"), rows)


def _roc(curves: Sequence[Roc]) -> list[str]:
    heads = ("True positive rate at a false positive rate of", *(f"{rate:.1%}" for rate in RATES[:-1]))
    rows = [(curve.label, *(format_number(tpr_at_fpr(curve, rate)) for rate in RATES[:-1])) for curve in curves]
    return [f"### {wording.ROC_TITLE}", render_table(heads, rows)]


def _chart(chart: Chart) -> list[str]:
    rows = []
    for bar in chart.bars:
        baseline = "" if bar.score.baseline is None else format_number(bar.score.baseline)
        rows.append((bar.label, format_score(bar.score), baseline, format_count(bar.score.n)))
    empty = "Nothing was measured for this chart."
    return [
        f"### {escape(chart.title)}",
        escape(chart.reading),
        render_table(("", "Value", "Baseline", "n"), rows) if rows else empty,
    ]


def _examples(examples: Sequence[Example], scored: str, masked: bool) -> list[str]:
    missed = (
        "█████: not recovered (masked). ·: a stop word." if masked else "_word_: not recovered. Others: stop words."
    )
    return [
        "### Examples",
        f"> {wording.MASKED_NOTE if masked else wording.UNMASKED_NOTE}",
        *(block for example in examples for block in _example(example, scored)),
        f"**word**: recovered from the vector. {missed}",
    ]


def _example(example: Example, scored: str) -> list[str]:
    return [
        f"**{escape(example.label)}** ({scored} {format_number(example.score)})",
        f"> {' '.join(map(_word, example.tokens))}",
        f"The attack wrote: {escape(example.written)}" if example.written is not None else "",
        wording.describe_wrong_words(example.wrong) if example.wrong else "",
    ]


def _word(token: Token) -> str:
    if token.text is None:
        return {"hit": "**recovered**", "missed": "█████"}.get(token.state, "·")
    return {"hit": "**{}**", "missed": "_{}_"}.get(token.state, "{}").format(escape(token.text))


def _adversary(finding: Finding) -> list[str]:
    spent = (
        f"Attack: {finding.attack}",
        f"Pairs learned from: {format_count(finding.adversary.pairs)}",
        f"Texts sent to the encoder: {format_count(finding.adversary.queries)}",
    )
    return ["### What the attacker had and used", render_list(map(escape, (*finding.adversary.given, *spent)))]


def _not_measured(result: AuditResult) -> list[str]:
    rows = [(question.question, question.reason, question.remedy) for question in result.not_run]
    return [
        *(["## What was not measured", render_table(("Question", "Why not", "To run it"), rows)] if rows else []),
        "## What this report does not cover",
        wording.LIMITATIONS,
        wording.describe_stronger_adversary(result.subject),
    ]


def _explanation() -> list[str]:
    terms = render_list(f"**{term}**: {meaning}" for term, meaning in wording.GLOSSARY)
    return ["## How to read the figures", terms, render_table(("Level", "Meaning"), list(wording.LEVELS.items()))]


def _repeat(result: AuditResult) -> list[str]:
    rows = [(name, format_setting(value)) for name, value in sorted(asdict(result.settings).items())]
    return [
        "## How to repeat this audit",
        f"Vestige {escape(result.version)}",
        *render_repetition(build_audit_config(result), build_audit_command(result)),
        render_table(("Input", ""), list_provenance(result.subject)),
        render_table(("Setting", "Value"), rows),
    ]
