"""The live page, and the parts of it that change while somebody types."""

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from secrets import token_urlsafe
from threading import BoundedSemaphore, Lock
from typing import Any

from markupsafe import Markup

from vestige.errors import InputError
from vestige.printable import printable
from vestige.text.words import content_words
from vestige.types import Trial, Vectors
from vestige.view.attacker import Attacker
from vestige.view.live import UNDEFENDED, LiveModel
from vestige.view.live_records import DefenseChoice, LiveResult
from vestige.view.site import MissingPage, Site
from vestige.view.worker import FitStep, TaskProgress

LONGEST_TEXT = 10_000
MOST_SEARCHES, AT_ONCE = 64, 2
"""Searches that wait to be watched, and rounds of them that run at the same time."""

EXAMPLES = (
    "I noticed unauthorized charges on my credit card statement, and the bank refuses to refund the money.",
    "The mortgage company lost my payment and reported me late to the credit bureaus.",
    "A debt collector calls my mother every day about a medical bill that I already paid.",
)
"""Made-up complaints, for people who do not know what to type."""

Group = tuple[str, list[DefenseChoice]]
"""A heading of the selector, and its defenses."""


@dataclass(frozen=True)
class Panel:
    """One attacker on the page: what it inferred, or why it cannot yet; `search` is the key of its sentence search."""

    defense: str
    result: LiveResult | None
    search: str | None
    error: str
    waiting: bool

    @property
    def title(self) -> str:
        """The heading of the panel."""
        return f"Behind {self.defense}" if self.defense else "Without a defense"


@dataclass
class SearchQueue:
    """Vectors whose sentence may be searched, by a key that only the page knows; the oldest are forgotten.

    Each is kept with the defense in place, not with its attacker: the model decides how many attackers stay in memory.
    """

    _waiting: OrderedDict[str, tuple[str, Vectors, frozenset[str]]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)
    _slots: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(AT_ONCE))

    def add(self, defense: str, vector: Vectors, truth: frozenset[str]) -> str:
        """Keep a vector for a search, and give its key."""
        with self._lock:
            key = token_urlsafe(12)
            self._waiting[key] = defense, vector, truth
            while len(self._waiting) > MOST_SEARCHES:
                self._waiting.popitem(last=False)
            return key

    def follow(self, model: LiveModel, key: str) -> Iterator[str]:
        """Server-sent events: the best sentence after each round, and the end."""
        with self._lock:
            found = self._waiting.get(key)
        attacker = None if found is None else model.find_attacker(found[0])
        if found is None or attacker is None or attacker.sentence is None:
            raise MissingPage(key)
        return self._stream(attacker, *found[1:])

    def _stream(self, attacker: Attacker, vector: Vectors, truth: frozenset[str]) -> Iterator[str]:
        """A slot is held during a round only: a page that is closed leaves its stream suspended between two."""
        trials = attacker.follow(vector)
        while (trial := self._run_round(trials)) is not None:
            step = {
                "text": printable(trial.text),
                "cosine": round(trial.similarity, 4),
                "queries": trial.queries,
                "recovered": len(truth & content_words(trial.text)),
                "present": len(truth),
            }
            yield f"data: {json.dumps(step)}\n\n"
        yield "event: done\ndata: {}\n\n"

    def _run_round(self, trials: Iterator[Trial]) -> Trial | None:
        with self._slots:
            return next(trials, None)


def check_text(text: str) -> str:
    """The text, if it is short enough."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"the text has {len(text):,} characters; expected at most {LONGEST_TEXT:,}, shorten it")
    return text.replace("\r\n", "\n")


def attack_text(model: LiveModel, searches: SearchQueue, text: str, defense: str) -> list[Panel]:
    """Attack a text without a defense and, if one is selected, behind it."""
    model.select(defense)
    subjects = dict.fromkeys((UNDEFENDED, defense))
    with model.hold_background(), model.turn:
        return [_attack(model, searches, text, subject) for subject in subjects]


def _attack(model: LiveModel, searches: SearchQueue, text: str, defense: str) -> Panel:
    attacker, error = model.find_attacker(defense), model.find_error(defense)
    truth = content_words(text)
    if attacker is None or not truth:
        return Panel(defense, None, None, error if attacker is None else "", attacker is None and not error)
    vector = model.encode(text, attacker)
    search = None if attacker.sentence is None else searches.add(defense, vector, truth)
    return Panel(defense, attacker.attack(text, vector), search, error, waiting=False)


def count_ended(model: LiveModel, defense: str) -> int:
    """How many jobs have ended of those that a text behind this defense needs."""
    return _count_ended(_list_jobs(model, defense))


def _count_ended(jobs: list[FitStep]) -> int:
    return sum(job.state in ("done", "failed") for job in jobs)


def _list_jobs(model: LiveModel, defense: str) -> list[FitStep]:
    subjects = dict.fromkeys((UNDEFENDED, defense))
    return [job for subject in subjects for job in model.worker.list_jobs(subject)]


def describe_status(model: LiveModel, defense: str) -> dict[str, Any]:
    """How far the background is, as the page shows it."""
    jobs, running = _list_jobs(model, defense), model.worker.progress
    share = 0.0 if running is None or not running.total else min(running.done / running.total, 1.0)
    ended = _count_ended(jobs)
    return {
        "done": ended,
        "total": len(jobs),
        "ready": all(model.find_attacker(subject) is not None for subject in (UNDEFENDED, defense)),
        "finished": bool(jobs) and ended == len(jobs),
        "share": round((ended + (share if ended < len(jobs) else 0)) / max(len(jobs), 1), 4),
        "label": "" if running is None else running.label,
        "task": "" if running is None else _describe_task(running),
        "error": next((job.error for job in jobs if job.error), ""),
    }


def _describe_task(running: TaskProgress) -> str:
    return f"{running.task}: {running.done:,} of {running.total:,}" if running.total > 1 else ""


def render_live(site: Site, model: LiveModel, groups: list[Group], text: str, defense: str, **more: Any) -> str:
    """The whole page."""
    return site.render(
        "live.html.j2",
        active="live",
        title="What does an embedding reveal?",
        text=text,
        defense=defense,
        groups=groups,
        examples=EXAMPLES,
        listed=bool(model.list_defenses()),
        status=describe_status(model, defense),
        source=model.source,
        longest=LONGEST_TEXT,
        **more,
    )


def render_panels(site: Site, panels: list[Panel], text: str, ended: int = 0) -> Markup:
    """The results for one text, without the frame; the page asks again once more jobs have ended than `ended`."""
    empty = not content_words(text)
    return Markup(site.render("panels.html.j2", active="live", title="", panels=panels, empty=empty, ended=ended))
