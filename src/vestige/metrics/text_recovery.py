"""How close recovered sentences are to the true ones, text by text: BLEU, ROUGE-1, ROUGE-L, and exact match."""

import logging
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

import numpy as np

from vestige.errors import InputError
from vestige.types import Floats

_RUN = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"[.!?][^\w]*$")


@dataclass(frozen=True)
class TextRecovery:
    """One value from 0 to 1 per text. Case is ignored, since the words that attacks learn are lower-cased.

    `bleu` is BLEU up to four words (Papineni et al. 2002) of each text by itself: orders for which the guess is too
    short are skipped, and orders without a match are smoothed by halves (NIST smoothing, the default of sacrebleu).
    `rouge_1` and `rouge_l` are F-measures of shared words and of the longest common subsequence (Lin 2004), without
    stemming. `exact` is 1 if guess and truth are equal except for case and white space.
    """

    bleu: Floats
    rouge_1: Floats
    rouge_l: Floats
    exact: Floats


def text_recovery(guessed: Sequence[str], truth: Sequence[str]) -> TextRecovery:
    """Score each guess against its text; an empty guess scores 0 in everything, an empty text cannot be scored."""
    _check(guessed, truth)
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(lowercase=True, effective_order=True)
    rouge = _rouge()
    table = np.zeros((len(truth), 4))
    for row, (guess, true) in enumerate(zip(guessed, truth, strict=True)):
        if not guess.strip():
            continue
        shared = rouge.score(true, guess)
        table[row] = (
            _share(bleu.sentence_score(guess, [true]).score),
            shared["rouge1"].fmeasure,
            shared["rougeL"].fmeasure,
            float(_folded(guess) == _folded(true)),
        )
    return TextRecovery(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def corpus_bleu(guessed: Sequence[str], truth: Sequence[str]) -> float:
    """BLEU of all texts together, from 0 to 1: matches are pooled, and one brevity penalty applies to all.

    This is the number that papers report as BLEU; it is not the mean over single texts.
    """
    _check(guessed, truth)
    from sacrebleu.metrics.bleu import BLEU

    return _share(BLEU(lowercase=True).corpus_score(list(guessed), [list(truth)]).score) if guessed else 0.0


def name_recovery(guessed: Sequence[str], truth: Sequence[str]) -> Floats:
    """The share of names and numbers of each text that its guess contains; NaN for a text without any.

    A name is a word with a capital letter inside a sentence, other than "I"; a number is a word with a digit. Case is
    ignored in the guess.
    """
    _check(guessed, truth)
    shares = []
    for guess, true in zip(guessed, truth, strict=True):
        wanted = _find_names(normalize("NFC", true))
        found = wanted & set(_RUN.findall(normalize("NFC", guess).lower()))
        shares.append(len(found) / len(wanted) if wanted else np.nan)
    return np.array(shares, dtype=np.float64)


def _find_names(text: str) -> set[str]:
    """Names and numbers of a text, in lower case."""
    found = set()
    for match in _RUN.finditer(text):
        word, before = match.group(), text[: match.start()]
        inside = bool(before.strip()) and not _SENTENCE_END.search(before)
        if any(character.isdigit() for character in word) or (inside and word[0].isupper() and word != "I"):
            found.add(word.lower())
    return found


def _rouge() -> Any:
    """The ROUGE scorer, without what its logging, absl, does to this process.

    absl adds a handler to the root logger. Another one keeps what standard error is now, and closes it when logging is
    configured anew while standard error is something else: its owner, such as a test runner, could not write any more.
    """
    before = list(logging.root.handlers)
    from absl.logging import get_absl_handler
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rougeL"], tokenizer=_LettersAndDigits())
    logging.root.handlers[:] = before
    get_absl_handler().python_handler.stream = sys.__stderr__  # absl never closes this one.
    return scorer


class _LettersAndDigits:
    """The tokenisation of rouge-score for letters of every script: its default drops all but a to z."""

    def tokenize(self, text: str) -> list[str]:
        return _RUN.findall(normalize("NFC", text).lower())


def _check(guessed: Sequence[str], truth: Sequence[str]) -> None:
    if len(guessed) != len(truth):
        raise InputError(f"{len(guessed)} guesses but {len(truth)} true texts; expected one guess per text")
    if not all(text.strip() for text in truth):
        raise InputError("an empty text cannot be scored; drop it before scoring")


def _share(percent: float) -> float:
    # sacrebleu gives 100.00000000000004 for a perfect match.
    return min(percent / 100, 1.0)


def _folded(text: str) -> list[str]:
    return text.casefold().split()
