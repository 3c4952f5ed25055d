"""Which defenses are only obscurity: what a stranger reads who does not know of them, and what one reads who does.

A row a defense: leakage, which is the gain over guessing, without a defense, to the naive stranger and to the adaptive
one, then recall@10 of the neighbours. MiniLM; vectors and rows are kept between runs.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from vestige.case.settings import Settings
from vestige.defend.record import DefendResult, Trial
from vestige.defend.run import defend
from vestige.text.authors import own_texts, thread
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
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
    yield from _table(chosen.result, ("words", "keywords"))


def run_authors() -> Iterator[str]:
    """Newsgroups, looked for in VESTIGE_DATA: the authors who wrote most, and the defense that hides them for least.

    Sentences without quotes and signatures, threads kept whole. Defenses that hide labels are given the authors of half
    of the threads, never of those under attack.
    """
    found = defend(
        texts=_most_prolific(AUTHORS),
        encoder="minilm",
        limits=AUTHOR_LIMITS,
        defenses=AUTHOR_DEFENSES,
        settings=AUTHOR_SETTINGS,
        halving=False,
        cache=CACHE,
    ).result
    told = found.trials[0]
    size = f"{AUTHORS} authors, {told.targets} targets, {told.pairs} pairs"
    yield f"newsgroups: {size}; limits {', '.join(AUTHOR_LIMITS)}"
    yield from _table(found, ("attributes:author",))
    yield from (found.headline, *found.sentences)


def _most_prolific(authors: int) -> Corpus:
    """The posts, without quotes and signatures, of those who wrote the most; documents are threads."""
    posts = load_corpus("newsgroups")
    posts = replace(
        posts,
        texts=own_texts(posts.texts, posts.attributes["author"]),
        documents=[thread(subject) for subject in posts.attributes["subject"]],
    )
    posts = posts.take([row for row, text in enumerate(posts.texts) if text])
    names = posts.attributes["author"]
    kept = {name for name, _ in Counter(names).most_common(authors)}
    return posts.take([row for row, name in enumerate(names) if name in kept])


def _table(result: DefendResult, questions: Sequence[str]) -> Iterator[str]:
    names = [question.partition(":")[2] or question for question in questions]
    heads = (f"{who} {name}" for name in names for who in ("naive", "adaptive"))
    yield f"{'defense':16} {''.join(f'{head:>26}' for head in heads)} {'recall@10':>26}"
    for trial in result.trials:
        yield _line(trial, questions)


def _line(trial: Trial, questions: Sequence[str]) -> str:
    readings = [each for each in trial.privacy if each.question in questions]
    cells = [_cell(score) for each in readings for score in (each.naive, each.adaptive)]
    mark = "  only obscurity" if trial.obscure else ""
    return f"{trial.defense:16} {''.join(cells)} {_cell(trial.scores['recall@10'])}{mark}"


def _cell(score: Score | None) -> str:
    shown = "not applicable" if score is None else f"{score.value:.3f} ({score.low:.3f} to {score.high:.3f})"
    return f"{shown:>26}"
