"""Which defenses are only obscurity: leakage to an adversary who does not know the defense, and to one who does.

One row per defense: leakage (the gain over guessing) to the naive and to the adaptive adversary, then recall@10 of the
neighbours. The first row is without a defense. The encoder is MiniLM; vectors and rows are cached between runs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from vestige.case.settings import Settings
from vestige.defend.record import DefendResult, DefenseTrial
from vestige.defend.run import defend
from vestige.text.authors import normalize_subject, strip_repeated_lines
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.types import Score

CACHE = Path("vestige-audit/bench")
DEFENSES = "rounding:2,rounding:1,int8,rotation,projection:192,projection:64,gaussian:10000,gaussian:3000,gaussian:1000"
SETTINGS = Settings(pairs=6000)

AUTHORS = 15
HIDDEN = "leace@author,subspace@author,ppm:1@author"
AUTHOR_DEFENSES = (
    f"{HIDDEN},rounding:1,int8,binary,rotation,pca:64,pca:16,projection:64,gaussian:3000,gaussian:1000,metric:768"
)
AUTHOR_LIMITS = ("attributes<0.20", "recall@10>0.80")
AUTHOR_SETTINGS = Settings(targets=3000, pairs=6000, probes=("attributes",), attributes=("author",), access="pairs")


def run() -> Iterator[str]:
    """Complaints: words and keywords."""
    chosen = defend(limits=(), defenses=DEFENSES, settings=SETTINGS, halving=False, cache=CACHE)
    yield from _format_table(chosen.result, ("words", "keywords"))


def run_authors() -> Iterator[str]:
    """Newsgroups, from VESTIGE_DATA: the most prolific authors, and the cheapest defense that hides them.

    Sentences are without quotes and signatures, and no thread is split. Defenses that hide labels receive the authors
    of half of the threads, never of those under attack.
    """
    found = defend(
        texts=_select_most_prolific(AUTHORS),
        encoder="minilm",
        limits=AUTHOR_LIMITS,
        defenses=AUTHOR_DEFENSES,
        settings=AUTHOR_SETTINGS,
        halving=False,
        cache=CACHE,
    ).result
    first = found.trials[0]
    size = f"{AUTHORS} authors, {first.targets} targets, {first.pairs} pairs"
    yield f"newsgroups: {size}; limits {', '.join(AUTHOR_LIMITS)}"
    yield from _format_table(found, ("attributes:author",))
    yield from (found.headline, *found.sentences)


def _select_most_prolific(authors: int) -> Corpus:
    """The posts, without quotes and signatures, of the most prolific authors; documents are threads."""
    posts = load_corpus("newsgroups")
    posts = replace(
        posts,
        texts=strip_repeated_lines(posts.texts, posts.attributes["author"]),
        documents=[normalize_subject(subject) for subject in posts.attributes["subject"]],
    )
    posts = posts.take([row for row, text in enumerate(posts.texts) if text])
    names = posts.attributes["author"]
    prolific = {name for name, _ in Counter(names).most_common(authors)}
    return posts.take([row for row, name in enumerate(names) if name in prolific])


def _format_table(result: DefendResult, probes: Sequence[str]) -> Iterator[str]:
    names = [probe.partition(":")[2] or probe for probe in probes]
    heads = (f"{who} {name}" for name in names for who in ("naive", "adaptive"))
    yield f"{'defense':16} {''.join(f'{head:>26}' for head in heads)} {'recall@10':>26}"
    for trial in result.trials:
        yield _format_line(trial, probes)


def _format_line(trial: DefenseTrial, probes: Sequence[str]) -> str:
    leakages = [each for each in trial.privacy if each.probe in probes]
    cells = [_format_cell(score) for each in leakages for score in (each.naive, each.adaptive)]
    mark = "  only obscurity" if trial.obscure else ""
    return f"{trial.defense:16} {''.join(cells)} {_format_cell(trial.scores['recall@10'])}{mark}"


def _format_cell(score: Score | None) -> str:
    shown = "not applicable" if score is None else f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
    return f"{shown:>26}"
