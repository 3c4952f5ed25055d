"""Where secrets stand among the candidates of their format, for each owner; a block of candidates at a time."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from vestige.attacks.membership.canary import SecretRanking
from vestige.text.block import runs
from vestige.text.secrets import SecretSpace
from vestige.types import Encoder, Floats, Integers, Progress, silent

BLOCK = 8192
PLACES = 12


@dataclass(frozen=True, slots=True)
class Question:
    """How a secret is asked for: how much at the end of a prompt is `hidden`, and what stands around a candidate.

    Where a sentence ends between the owner and the secret, the sentences before it are asked with, and candidates are
    told in the rest: an encoder may have learned which sentence follows which. Else the whole prompt is asked with.
    """

    hidden: int
    opening: str
    closing: str

    @classmethod
    def of(cls, space: SecretSpace) -> "Question":
        """The question that fits the texts of a space."""
        between = space.before.parts[-1][0]
        ends = [found.end() for found in re.finditer(r"[.!?]\s+", between)]
        opening = between[ends[-1] :] if ends else between
        closing = space.after.parts[0][0] if space.after.parts else ""
        return cls(len(opening) if ends else 0, opening, closing)

    def asked(self, prompt: str) -> str:
        """The part of a prompt that is asked with."""
        return prompt[: len(prompt) - self.hidden].strip()

    def told(self, secret: str) -> str:
        """A candidate in its text."""
        return f"{self.opening}{secret}{self.closing}".strip()


def ranks(
    encoder: Encoder,
    question: Question,
    prompts: Sequence[str],
    secrets: Sequence[Sequence[str]],
    candidates: Sequence[str],
    *,
    progress: Progress = silent,
) -> Integers:
    """The rank of each secret of a prompt among the candidates, itself left out; a row a prompt, a column a secret.

    Scores are compared to twelve places, below which two candidates that the encoder cannot tell apart may differ.
    """
    asked = [question.asked(prompt) for prompt in prompts]
    found = np.ones((len(prompts), len(secrets[0])), np.int64)
    advance = progress("ranking candidates", len(candidates))
    for block in runs(candidates, BLOCK):
        known = list(dict.fromkeys(chain(chain.from_iterable(secrets), block)))
        place = {secret: column for column, secret in enumerate(known)}
        scores = _scores(encoder, [question.told(secret) for secret in known], asked)
        own = np.array([[place[secret] for secret in row] for row in secrets])
        columns = np.array([place[candidate] for candidate in block])
        for kind, at in enumerate(own.T[:, :, None]):
            above = scores[:, columns] >= np.take_along_axis(scores, at, axis=1)
            found[:, kind] += (above & (columns != at)).sum(axis=1)
        advance(len(block))
    return found


def _scores(encoder: Encoder, told: Sequence[str], asked: Sequence[str]) -> Floats:
    ranking = SecretRanking().fit(told, encoder=encoder, references=asked)
    return np.round(ranking.infer(asked).scores, PLACES)
