"""The record of a sweep as Markdown, for a pull request or a wiki."""

from vestige.defend.record import DefendResult, Reading, Trial
from vestige.report.as_markdown import listed, plain, table
from vestige.report.figures import number, spoken, subject_rows, whole
from vestige.report.frontier import wording
from vestige.report.frontier.repeat import command


def as_markdown(result: DefendResult) -> str:
    """The content of the page, in tables."""
    running = [trial for trial in result.trials if trial.fate != "dropped"]
    dropped = [trial for trial in result.trials if trial.fate == "dropped"]
    parts = [
        f"# {plain(wording.title(result))}",
        table(("Defended", ""), subject_rows(result.subject)[:-2]),
        f"## {plain(result.headline)}",
        *map(plain, result.sentences),
        "## The defenses that were judged at full size",
        _trials(running),
        *(["## Dropped at a small size", _trials(dropped)] if dropped else []),
        "## How they were judged",
        listed(plain(line) for line in wording.judged(result)),
        *_not_tried(result),
        wording.NOT_TOLD,
        listed(f"**{term}**: {meaning}" for term, meaning in wording.READING),
        *_repeat(result),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _trials(trials: list[Trial]) -> str:
    first = trials[0]
    heads = ("Defense", *(f"{name} leakage" for name in first.leakage), *(kept.measure for kept in first.utility), "")
    rows = [
        (trial.defense, *map(_reading, trial.privacy), *(spoken(kept.score) for kept in trial.utility), fate(trial))
        for trial in trials
    ]
    return table(heads, rows)


def _reading(reading: Reading) -> str:
    naive = "not applicable" if reading.naive is None else number(reading.naive.value)
    return f"{spoken(reading.adaptive)}; naive {naive}; control {number(reading.control.value)}"


def fate(trial: Trial) -> str:
    """What became of a trial, and why."""
    marks = [wording.FATES[trial.fate], *(["on the frontier"] if trial.frontier else [])]
    marks += ["only obscurity"] if trial.obscure else []
    return ", ".join(marks) + (f" ({trial.reason})" if trial.reason else "")


def _not_tried(result: DefendResult) -> list[str]:
    rows = [(each.defense, each.reason, each.remedy) for each in result.not_tried]
    rows += [(name, "", "") for name in result.not_asked]
    return ["## What was not tried", table(("", "Why not", "To try it"), rows)] if rows else []


def _repeat(result: DefendResult) -> list[str]:
    lines = command(result)
    again = "" if lines is None else "\n".join(f"    {line}" for line in " \\\n  ".join(lines).splitlines())
    return [f"## To repeat it\n\nVestige {plain(result.version)}; seed {whole(result.settings.seed)}", again]
