"""The record of a sweep of defenses as an HTML page, and with the same content as Markdown."""

from collections.abc import Mapping
from typing import Any

from vestige.defend.record import (
    UNDEFENDED,
    DefendResult,
    DefenseTrial,
    ProbeLeakage,
    Recommendation,
    Round,
    Status,
    SweepAttack,
)
from vestige.report.formatting import format_count, format_number, format_score
from vestige.report.frontier_chart import build_frontier_chart
from vestige.report.html import render_page
from vestige.report.markdown import escape, join_blocks, render_list, render_repetition, render_table
from vestige.report.repeat_command import (
    LIST_SETTINGS,
    build_defend_command,
    build_defend_config,
    list_defend_settings,
)
from vestige.report.subject_tables import list_subject

STATUSES: dict[Status, str] = {
    "reference": "undefended",
    "chosen": "chosen",
    "holds": "meets the limits",
    "misses": "misses a limit",
    "tried": "evaluated",
    "dropped": "dropped",
}

GLOSSARY = (
    (
        "Leakage",
        "What an attack recovers beyond guessing, as in an audit: the gain in F1 for words, in accuracy for keywords "
        "and labels. Zero means that the vectors add nothing.",
    ),
    (
        "Adaptive",
        "The attacker knows which defense is in place and learns from defended vectors of their own texts. A limit "
        "must hold against both this attacker and the naive one, since an attacker who knows the defense can always "
        "fall back to the naive attack.",
    ),
    (
        "Naive",
        "The attacker learned from undefended vectors and attacks defended ones. If this figure is low and the "
        "adaptive one is not, the defense is only obscurity: it works until an attacker knows about it.",
    ),
    ("Control", "The adaptive attack scored against the texts of other vectors. It should gain nothing over guessing."),
    (
        "recall@10",
        "The share of a vector's ten nearest undefended neighbours, by cosine, that are still among the ten nearest "
        "after the defense. A search query is treated as `vestige protect --queries` treats it: where the defense adds "
        "noise to the rows of a store, a query has none.",
    ),
    ("correlation", "Spearman's rank correlation of the cosines before and after the defense, for each query."),
    ("task", "Macro-F1 of a linear classifier of the task's labels, trained and tested on defended vectors."),
    (
        "Meets a limit",
        "The whole 95% interval is on the right side of the limit. The cheapest defense is the one with the highest "
        "utility among those that meet every limit.",
    ),
    (
        "Dropped",
        "In a round of small size, the whole interval was beyond a limit, or another defense leaked less in every "
        "probe and had more of every utility with a limit, allowing for the intervals. Both sizes use the same "
        "keywords and classes, and an attack recovers more with more pairs, so leakage at full size would be higher.",
    ),
)

LIMITATIONS = (
    "These figures judge a defense by these attacks on these texts. A stronger attack may recover more from defended "
    "vectors. Only a mechanism with a guarantee covers attacks that nobody has tried."
)


def render_frontier_html(result: DefendResult, **frame: Any) -> str:
    """The sweep as one HTML page that needs no other file; `frame` goes to `render_page`, for another base page."""
    names = (*list_defend_settings(result.settings), *sorted(LIST_SETTINGS))
    settings = {name: getattr(result.settings, name) for name in names}
    context: dict[str, Any] = {
        "title": _title(result),
        "version": result.version,
        "result": result,
        "badge": "none needed" if result.chosen == UNDEFENDED else result.chosen or "none chosen",
        "level": "none" if result.chosen else "substantial" if result.limits else "unknown",
        "chart": build_frontier_chart(result),
        "narrow_chart": build_frontier_chart(result, narrow=True),
        "statuses": STATUSES,
        "what": "sweep",
        "describe_recommendation": describe_recommendation,
        "method": describe_method(result),
        "limitations": LIMITATIONS,
        "glossary": GLOSSARY,
        "subject": list_subject(result.subject),
        "settings": settings | {"draws": result.draws, "task": result.task},
        "command": build_defend_command(result),
        "config": build_defend_config(result),
    }
    return render_page("frontier.html.j2", **(context | frame))


def render_frontier_markdown(result: DefendResult) -> str:
    """The content of the page in Markdown tables, for a pull request or a wiki."""
    full = [trial for trial in result.trials if trial.status != "dropped"]
    dropped = [trial for trial in result.trials if trial.status == "dropped"]
    return join_blocks(
        [
            f"# {escape(_title(result))}",
            render_table(("Defended", ""), list_subject(result.subject)),
            f"## {escape(result.headline)}",
            *map(escape, result.sentences),
            *_render_recommendations(result),
            "## Defenses evaluated at full size",
            render_trials(full, STATUSES),
            *(["## Dropped in a round of small size", render_trials(dropped, STATUSES)] if dropped else []),
            "## How the defenses were evaluated",
            render_list(map(escape, describe_method(result))),
            *render_not_tried(result),
            "## What this report does not cover",
            LIMITATIONS,
            "## How to read the figures",
            render_list(f"**{term}**: {meaning}" for term, meaning in GLOSSARY),
            "## How to repeat this sweep",
            f"Vestige {escape(result.version)}; seed {format_count(result.settings.seed)}",
            *render_repetition(build_defend_config(result), build_defend_command(result)),
        ]
    )


def describe_attacks(result: DefendResult) -> list[str]:
    """The rounds and the attacks."""
    several = len(result.rounds) > 1
    return [
        *(f"Round {number}: {_describe_round(size)}." for number, size in enumerate(result.rounds, 1)),
        *(f"{_describe_start(attack, several)}: {attack.measure}; {attack.attack}." for attack in result.attacks),
    ]


def describe_method(result: DefendResult) -> list[str]:
    """The rounds, the attacks, and what the attackers and the owner had."""
    return [
        *describe_attacks(result),
        "If a defense adds noise and the attacker can query the encoder, the attacker had each of their texts "
        f"defended {result.draws} times.",
        "Every defense was fitted on half of the documents that are not under attack. The attacker's pairs come from "
        "all of these documents.",
    ]


def describe_recommendation(advice: Recommendation) -> str:
    """The defense with its scores and guarantee, and what else to do."""
    if advice.defense in (None, UNDEFENDED) or advice.leakage is None or advice.utility is None:
        return advice.advice
    scores = f"leakage {format_score(advice.leakage)}, utility {format_score(advice.utility)}"
    return f"{advice.defense}: {scores}. Guarantee: {advice.guarantee}. {advice.advice}"


def _render_recommendations(result: DefendResult) -> list[str]:
    rows = [
        (each.need, each.adversary, each.limits, describe_recommendation(each), "; ".join(each.commands))
        for each in result.recommendations
    ]
    heads = ("To hide", "from", "within", "Do this", "Commands")
    return ["## What to do", render_table(heads, rows)] if rows else []


def describe_status(trial: DefenseTrial, statuses: Mapping[Status, str]) -> str:
    """The status of a trial, and why it was dropped."""
    marks = [statuses[trial.status], *(["on the frontier"] if trial.frontier else [])]
    marks += ["only obscurity"] if trial.obscure else []
    return ", ".join(marks) + (f" ({trial.reason})" if trial.reason else "")


def _title(result: DefendResult) -> str:
    return f"Defenses for embeddings: {result.subject.corpus or result.subject.vectors}"


def _describe_start(attack: SweepAttack, several: bool) -> str:
    return f"{attack.probe}, from round {attack.round} on" if several else attack.probe


def _describe_round(size: Round) -> str:
    end = f"{size.dropped} dropped" if size.dropped else "none dropped"
    return f"{size.judged} defenses, {size.pairs:,} pairs, {size.targets:,} targets; {end}"


def render_trials(trials: list[DefenseTrial], statuses: Mapping[Status, str]) -> str:
    """The trials as a table."""
    first = trials[0]
    heads = (
        "Defense",
        *(f"{name} leakage" for name in first.leakage),
        *(utility.measure for utility in first.utility),
        "",
    )
    rows = [
        (
            trial.defense,
            *map(_leakage, trial.privacy),
            *(format_score(utility.score) for utility in trial.utility),
            describe_status(trial, statuses),
        )
        for trial in trials
    ]
    return render_table(heads, rows)


def _leakage(leakage: ProbeLeakage) -> str:
    naive = "not applicable" if leakage.naive is None else format_number(leakage.naive.value)
    return f"{format_score(leakage.adaptive)}; naive {naive}; control {format_number(leakage.control.value)}"


def render_not_tried(result: DefendResult) -> list[str]:
    """A section on the defenses and probes that could not be tried; empty if all could."""
    rows = [(skipped.defense, skipped.reason, skipped.remedy) for skipped in result.not_tried]
    rows += [(name, "", "") for name in result.not_asked]
    return ["## What was not tried", render_table(("", "Why not", "To try it"), rows)] if rows else []
