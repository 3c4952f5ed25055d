"""The record of a leaderboard as an HTML page and as Markdown."""

from collections.abc import Callable, Sequence
from typing import Any

from vestige.leaderboard.record import Leaderboard, LengthLeakage, RankedEncoder, StoredForm
from vestige.report.formatting import format_count, format_score
from vestige.report.html import render_page
from vestige.report.markdown import escape, join_blocks, render_command, render_list, render_table
from vestige.report.repeat_command import build_leaderboard_command
from vestige.types import Score

TITLE = "Encoders compared by what they leak"

METHOD = (
    "Every encoder is audited on the same texts with the same attacker, targets and seed.",
    "Leakage is the gain of an attack over guessing, as in an audit. The encoder that leaks least by the first probe "
    "comes first.",
    "Retrieval is the share of sentences with another sentence of their document among their ten nearest. It "
    "says what the vectors are good for; other tasks may rank encoders in another order.",
    "Stored forms are attacked by an attacker who has vectors of the same form; recall@10 is relative to float32.",
    "Passages of about 80 words or more are consecutive sentences of one text. Encoders cut long texts: what they cut "
    "cannot leak.",
)

LIMITATIONS = (
    "The order holds for these texts, these attacks and this number of pairs. Intervals describe the choice of target "
    "documents. Two encoders whose intervals overlap cannot be ranked. A stronger attack may recover more from any of "
    "them."
)


def render_leaderboard_html(result: Leaderboard, **frame: Any) -> str:
    """The leaderboard as one HTML page that needs no other file; `frame` goes to `render_page`, as for an audit."""
    return render_page(
        "leaderboard.html.j2",
        title=TITLE,
        version=result.version,
        result=result,
        subject=_list_subject(result),
        lengths=list_lengths(result.ranked),
        forms=list_forms(result.ranked),
        find_length=find_length,
        find_form=find_form,
        method=METHOD,
        limitations=LIMITATIONS,
        command=build_leaderboard_command(result),
        settings=_list_settings(result),
        **frame,
    )


def render_leaderboard_markdown(result: Leaderboard) -> str:
    """The content of the page in Markdown tables."""
    return join_blocks(
        [
            f"# {TITLE}",
            render_table(("Compared", ""), _list_subject(result)),
            f"## {escape(result.headline)}",
            *map(escape, result.sentences),
            "## Leakage by probe, and retrieval",
            render_probes(result),
            *(
                ["## Leakage of words by length of the text", render_lengths(result)]
                if list_lengths(result.ranked)
                else []
            ),
            *(["## Leakage of words by stored form", render_forms(result)] if list_forms(result.ranked) else []),
            *_render_missing(result),
            "## How it was measured",
            render_list(METHOD),
            "## What this page does not cover",
            LIMITATIONS,
            "## How to repeat this",
            render_command(build_leaderboard_command(result)),
        ]
    )


def list_lengths(ranked: Sequence[RankedEncoder]) -> list[str]:
    """The lengths that any encoder was measured with, shortest first."""
    return list(dict.fromkeys(each.length for row in ranked for each in row.lengths))


def list_forms(ranked: Sequence[RankedEncoder]) -> list[str]:
    """The stored forms of any encoder; truncation is one of them, whatever is left of the columns."""
    return list(dict.fromkeys(_name_form(each) for row in ranked for each in row.forms))


def find_length(row: RankedEncoder, length: str) -> LengthLeakage | None:
    """The leakage of this length, or None."""
    return next((each for each in row.lengths if each.length == length), None)


def find_form(row: RankedEncoder, form: str) -> StoredForm | None:
    """The stored form of this name, or None."""
    return next((each for each in row.forms if _name_form(each) == form), None)


def _name_form(form: StoredForm) -> str:
    return "half of the columns" if form.form.startswith("truncation:") else form.form


def render_probes(result: Leaderboard) -> str:
    """Leakage by probe, and retrieval, as a Markdown table."""
    rows = [
        (
            row.encoder,
            format_count(row.dimension),
            *(_format(row.leakage.get(probe)) for probe in result.probes),
            _format(row.retrieval),
        )
        for row in result
    ]
    return render_table(("Encoder", "Columns", *result.probes, "Retrieval"), rows)


def render_lengths(result: Leaderboard) -> str:
    """Leakage of words by length of the text as a Markdown table."""
    lengths = list_lengths(result.ranked)
    found = [[find_length(row, length) for length in lengths] for row in result]
    rows = [
        (row.encoder, *(_format(None if each is None else each.leakage) for each in cells))
        for row, cells in zip(result, found, strict=True)
    ]
    return render_table(("Encoder", *lengths), rows)


def render_forms(result: Leaderboard) -> str:
    """Size, leakage and recall of every stored form as a Markdown table."""
    rows = [
        (
            row.encoder,
            _name_form(each),
            format_count(each.bytes_per_vector),
            _format(each.leakage),
            _format(each.recall),
        )
        for row in result
        for each in row.forms
    ]
    return render_table(("Encoder", "Stored as", "Bytes per vector", "Leakage of words", "recall@10"), rows)


LEADERBOARD_TABLES: dict[str, Callable[[Leaderboard], str]] = {
    "probes": render_probes,
    "lengths": render_lengths,
    "forms": render_forms,
}
"""The tables of the page in Markdown, by name."""


def _format(score: Score | None) -> str:
    return "-" if score is None else format_score(score)


def _render_missing(result: Leaderboard) -> list[str]:
    lines = [f"**{escape(each.encoder)}**: {escape(each.reason)}" for each in result.not_ranked]
    lines += [
        f"**{escape(row.encoder)}**, {escape(each.probe)}: {escape(each.reason)}"
        for row in result
        for each in row.not_run
    ]
    lines += [f"**{escape(row.encoder)}**, {escape(line)}" for row in result for line in row.skipped]
    lines += [f"**{escape(name)}**: the run was stopped before" for name in result.pending]
    return ["## What was not measured", render_list(lines)] if lines else []


def _list_subject(result: Leaderboard) -> list[tuple[str, str]]:
    settings = result.settings
    return [
        ("Texts", result.corpus),
        ("Encoders", f"{len(result.ranked)} ranked, {len(result.not_ranked)} not available"),
        ("Targets", f"{format_count(settings.targets)} at most"),
        ("Pairs of the attacker", f"{format_count(settings.pairs)} at most"),
    ]


def _list_settings(result: Leaderboard) -> dict[str, Any]:
    names = ("seed", "targets", "pairs", "vocabulary_size", "access", "probes", "unit", "rewritten", "labels")
    return {name: getattr(result.settings, name) for name in names}
