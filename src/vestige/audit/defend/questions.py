"""Which questions are asked of a case, and why others are not."""

from dataclasses import dataclass

from vestige.audit.case import Case
from vestige.audit.defend.attribute_question import AttributeQuestion
from vestige.audit.defend.keywords_question import KeywordsQuestion
from vestige.audit.defend.question import Question
from vestige.audit.defend.words_question import WordsQuestion
from vestige.audit.settings import Settings
from vestige.errors import InputError


@dataclass(frozen=True)
class Asked:
    """The questions, and for every other one why it is not asked."""

    questions: tuple[Question, ...]
    missing: dict[str, str]


def questions_of(
    case: Case, keywords: tuple[str, ...], attributes: tuple[str, ...], settings: Settings, *, thorough: bool
) -> Asked:
    """Words always; keywords and attributes where there are enough targets to score them.

    A stranger who is `thorough` takes its time, and asks more than its pairs.
    """
    questions: list[Question] = [WordsQuestion(case, settings, thorough=thorough)]
    missing: dict[str, str] = {}
    try:
        questions.append(KeywordsQuestion(case, keywords, settings, thorough=thorough))
    except InputError as refused:
        missing["keywords"] = str(refused).partition(";")[0] if keywords else "no keyword can be scored in these texts"
    told = [each for column in attributes if (each := AttributeQuestion(case, column, settings)).askable]
    if not told:
        missing["attributes"] = "no column of labels came with the texts, or none can be scored"
    return Asked((*questions, *told), missing)
