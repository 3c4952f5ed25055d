"""The evidence of an audit: what its record holds about single words, examples and documents."""

from dataclasses import dataclass

from vestige.audit.result import AuditResult
from vestige.case.findings import Bar, Example, Finding
from vestige.probes.keywords_evidence import INFERRED_KEYWORDS
from vestige.probes.names_evidence import RECOVERED_NAMES
from vestige.probes.words_evidence import RELIABLE_WORDS
from vestige.report import audit_wording
from vestige.view.runs import RunSummary, open_run
from vestige.view.site import MissingPage, Site

MOST_DOCUMENTS = 200
"""Documents that the page of a run lists, the most leaked first."""

WORDS_BY_FREQUENCY = "Which words are recovered: frequent or rare?"
"""The chart whose bars are bands of words."""

WORD_CHARTS = {RELIABLE_WORDS, RECOVERED_NAMES, INFERRED_KEYWORDS}
"""The charts whose bars are words; those of others are attacks, encoders, classes or ranges."""


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """A word that a record names: the bars of that word, and the examples from which it was recovered."""

    word: str
    bars: list[tuple[str, str, Bar]]
    examples: list[tuple[str, Example]]


@dataclass(frozen=True, slots=True)
class DocumentEvidence:
    """A target document by its number: the gain over guessing of each of its targets, by probe."""

    number: int
    gains: dict[str, list[float]]

    @property
    def mean(self) -> float:
        """The mean gain over all of its targets, by which documents are ranked."""
        return sum(sum(gains) / len(gains) for gains in self.gains.values()) / len(self.gains)


def render_evidence(site: Site, run: RunSummary) -> str:
    """What the record of an audit holds about words, examples and documents, and what it does not hold."""
    result = open_run(run)
    if not isinstance(result, AuditResult):
        raise MissingPage(run.id)
    documents, apart = list_documents(result)
    return site.render(
        "evidence.html.j2",
        active="runs",
        title=f"Evidence: {run.name}",
        run=run,
        result=result,
        words=list_words(result),
        documents=documents[:MOST_DOCUMENTS],
        unlisted=max(len(documents) - MOST_DOCUMENTS, 0),
        apart=apart,
        wording=audit_wording,
    )


def list_words(result: AuditResult) -> list[WordEvidence]:
    """Every word that the record names, in a bar or as recovered in an example."""
    found: dict[str, WordEvidence] = {}
    for finding in result.findings:
        shown = {token.text for each in finding.examples for token in each.tokens if token.state == "hit"}
        charts = [chart for chart in finding.charts if chart.title in WORD_CHARTS]
        named = {bar.label for chart in charts for bar in chart.bars if " " not in bar.label}
        for word in sorted({word for word in shown if word} | named):
            entry = found.setdefault(word, WordEvidence(word, [], []))
            drawn = [(chart.title, bar) for chart in charts for bar in chart.bars]
            entry.bars.extend((finding.probe, title, bar) for title, bar in drawn if bar.label == word)
            entry.examples.extend((finding.probe, each) for each in finding.examples if _holds(each, word))
    return sorted(found.values(), key=lambda each: (not each.bars, each.word))


def list_bands(result: AuditResult) -> set[str]:
    """The labels of the bands of words."""
    charts = [chart for finding in result.findings for chart in finding.charts if chart.title == WORDS_BY_FREQUENCY]
    return {bar.label for chart in charts for bar in chart.bars}


def list_documents(result: AuditResult) -> tuple[list[DocumentEvidence], list[Finding]]:
    """The target documents by number, and the findings that scored others, which cannot be matched with them.

    A record numbers the documents of each probe in the order of its targets. Probes share the numbers only if they
    scored the same targets, which their digests tell.
    """
    scored = [finding for finding in result.findings if finding.per_target is not None]
    if not scored:
        return [], []
    first = scored[0].per_target
    assert first is not None
    gains: dict[int, dict[str, list[float]]] = {}
    apart = []
    for finding in scored:
        own = finding.per_target
        assert own is not None
        if own.digest != first.digest:
            apart.append(finding)
            continue
        for number, gain in zip(own.documents, own.gains, strict=True):
            gains.setdefault(number, {}).setdefault(finding.probe, []).append(gain)
    documents = [DocumentEvidence(number, own) for number, own in gains.items()]
    return sorted(documents, key=lambda each: (-each.mean, each.number)), apart


def _holds(example: Example, word: str) -> bool:
    return any(token.state == "hit" and token.text == word for token in example.tokens)
