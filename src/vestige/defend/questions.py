"""Which questions are asked of a case, and why others are not."""

from collections.abc import Sequence
from dataclasses import dataclass

from vestige.case.case import Case
from vestige.case.settings import Settings
from vestige.defend.attribute_question import AttributeQuestion
from vestige.defend.keywords_question import KeywordsQuestion
from vestige.defend.limits import PRIVACY
from vestige.defend.question import Question
from vestige.defend.words_question import WordsQuestion
from vestige.errors import InputError
from vestige.registry import nearest


@dataclass(frozen=True)
class Asked:
    """The questions, and for every other one why it is not asked."""

    questions: tuple[Question, ...]
    missing: dict[str, str]

    @property
    def tested(self) -> dict[str, frozenset[str]]:
        """By question, the keywords or classes that its figures are means over."""
        return {each.name: each.tested for each in self.questions}


def questions_of(
    case: Case, keywords: tuple[str, ...], attributes: tuple[str, ...], settings: Settings, *, thorough: bool
) -> Asked:
    """Those that the owner chose, else all; keywords and attributes where there are enough targets to score them.

    A stranger who is `thorough` takes its time, and asks more than its pairs.
    """
    chosen = settings.probes or PRIVACY
    missing = {name: "it was not chosen" for name in PRIVACY if name not in chosen}
    questions: list[Question] = [WordsQuestion(case, settings, thorough=thorough)] if "words" in chosen else []
    if "keywords" in chosen:
        try:
            questions.append(KeywordsQuestion(case, keywords, settings, thorough=thorough))
        except InputError as refused:
            why = str(refused).partition(";")[0] if keywords else "no keyword can be scored in these texts"
            missing["keywords"] = why
    if "attributes" in chosen:
        told = [each for column in attributes if (each := AttributeQuestion(case, column, settings)).askable]
        questions += told
        if not told:
            missing["attributes"] = "no column of labels besides the task came with the texts, or none can be scored"
    return Asked(tuple(questions), missing)


def check_any(asked: Asked) -> None:
    """Refuse to judge defenses by nothing."""
    if not asked.questions:
        reasons = "; ".join(f"{name}: {why}" for name, why in asked.missing.items())
        raise InputError(f"there is nothing to judge defenses by ({reasons}); choose another question with --probe")


def check_chosen(names: Sequence[str]) -> None:
    """Refuse, before any work, a question that no defense is judged by."""
    unknown = next((name for name in names if name not in PRIVACY), None)
    if unknown is not None:
        raise InputError(f"defenses are not judged by '{unknown}' (--probe); {nearest(unknown, list(PRIVACY))}")
