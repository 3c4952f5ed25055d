"""Which defenses are tried, and how strong."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.defenses.catalogue import DEFENSES, find_info, list_strengths, make_defense
from vestige.defenses.defense import Defense
from vestige.errors import InputError
from vestige.text.redaction import Redactor, parse_redactor

REDACT = "redact"
ALL_KINDS = f"{REDACT}:names+numbers+emails,mode=surrogate"
OF_KEYWORDS = f"{REDACT}:keywords,mode=mask"
"""Redactions that a sweep without list tries, the second if there are keywords.

Keywords are masked: a placeholder would reveal that there is one.
"""

REDACTION = "Replaces names, numbers or keywords in the texts before they are encoded."
"""What redaction does, as `DefenseInfo.explanation` says it of defenses of vectors."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A defense by its spec; `hides` names the labels to hide, "keywords" or a column, if the owner named any."""

    spec: str
    hides: str | None = None

    @property
    def name(self) -> str:
        """As the owner would type it."""
        return self.spec if self.hides is None else f"{self.spec}@{self.hides}"

    @property
    def redacts(self) -> bool:
        """Whether it changes the texts before they are encoded, and not the vectors."""
        return is_redaction(self.spec)

    @property
    def needs(self) -> str:
        """What it is fitted on."""
        return "texts" if self.redacts else self.build().info.needs

    def build(self) -> Defense:
        """The unfitted defense."""
        return make_defense(self.spec)

    def build_redactor(self, keywords: Sequence[str]) -> Redactor:
        """The redactor of a spec such as "redact:names+numbers"; raises if it redacts keywords and there are none."""
        return parse_redactor(self.spec, keywords)

    def check(self) -> None:
        """Raise if the spec is not valid."""
        if self.redacts:
            self.build_redactor(("keyword",))
        else:
            self.build()


def is_redaction(name: str) -> bool:
    """Whether a candidate of this name redacts texts."""
    return name.partition(":")[0] == REDACT


def explain(spec: str) -> str:
    """What a defense does, in a plain sentence; empty if it is not installed here, or a plugin that does not say."""
    if is_redaction(spec):
        return REDACTION
    known = spec.partition("@")[0].partition(":")[0] in DEFENSES
    return find_info(spec).explanation if known else ""


def list_candidates(listed: str | None, dimension: int) -> list[Candidate]:
    """The listed defenses, a family without a strength at several; without a list, each family that is `swept`.

    Commas separate both specs and the settings of a spec: a part that begins with the name of a defense begins a spec.
    """
    swept = [*(name for name, entry in DEFENSES if entry.load().info.swept), ALL_KINDS]
    named = swept if listed is None else split_specs(listed)
    candidates = [candidate for name in named for candidate in _expand(name, dimension)]
    for candidate in candidates:
        candidate.check()
    return list(dict.fromkeys(candidates))


def split_specs(listed: str) -> list[str]:
    """The specs of a list."""
    specs: list[str] = []
    for part in filter(None, (part.strip() for part in listed.split(","))):
        family = part.partition("@")[0].partition(":")[0]
        if "=" in family and specs:
            specs[-1] += f",{part}"
        elif family == REDACT or DEFENSES[family]:
            specs.append(part)
    if not specs:
        raise InputError("no defense was listed (--defenses); name some, such as rounding:2,gaussian")
    return specs


def _expand(name: str, dimension: int) -> list[Candidate]:
    spec, _, hides = name.partition("@")
    specs = [spec] if ":" in spec or is_redaction(spec) else list_strengths(spec, dimension)
    candidates = [Candidate(each, hides or None) for each in specs]
    if hides and candidates[0].needs != "labels":
        raise InputError(f"'{name}' names labels, and {spec} hides none; remove '@{hides}' (--defenses)")
    return candidates
