"""Sparse coding as published (Song and Raghunathan 2020, Equation 7): the descent, and the choice of its settings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vestige.attacks.convergence import Convergence, DescentRecord
from vestige.attacks.dictionary import TokenizedTexts, score_atoms
from vestige.attacks.ridge import LinearMap
from vestige.attacks.row_adam import RowAdam
from vestige.attacks.rows import split_blocks
from vestige.types import Integers, Singles, Vectors

if TYPE_CHECKING:
    from torch import Tensor

PENALTY, THRESHOLD, RATE, STEPS = 0.1, 0.01, 1e-3, 20_000
MOST_TUNED, WORSE = 128, 2
SHARES = (0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
_DEPTH = 200
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class CodingSettings:
    """The L1 penalty, the coefficient above which a word is guessed, and the most steps of the descent."""

    penalty: float = PENALTY
    threshold: float = THRESHOLD
    steps: int = STEPS


@dataclass(frozen=True)
class Codes:
    """The non-negative coefficients of each target, (targets, atoms), and how they were reached."""

    values: "Tensor"
    convergence: Convergence


def projected_adam(
    atoms: "Tensor",
    targets: "Tensor",
    *,
    penalty: float,
    rate: float = RATE,
    steps: int = STEPS,
    start: "Tensor | None" = None,
) -> Codes:
    """Minimise |z·atoms - target|² + penalty·|z|₁ over z >= 0 (Song and Raghunathan 2020, Equation 7).

    Adam from z = 0, or from `start`, every negative coefficient set to zero after each step, until convergence, or for
    `steps` at most. Every target is solved by itself: (targets, d) in, (targets, atoms) out.
    """
    import torch

    first = torch.zeros(len(targets), len(atoms), dtype=atoms.dtype) if start is None else start
    adam, progress = RowAdam(first, rate), Convergence(first, steps)
    twice, slope = 2 * atoms.T, torch.tensor(penalty, dtype=atoms.dtype)
    with torch.no_grad():
        for step in range(1, steps + 1):
            codes = adam.values
            adam.step(torch.addmm(slope, codes @ atoms - targets, twice))
            codes.clamp_(min=0)
            if not progress.is_due(step):
                continue
            objective = (codes @ atoms - targets).square().sum(dim=1) + penalty * codes.sum(dim=1)
            going = progress.update(step, codes, objective)
            if not going.any():
                break
            if not going.all():
                adam.keep(going)
                targets = targets[going]
    return Codes(progress.state, progress)


@dataclass(frozen=True)
class SparseCoder:
    """Codes targets over the atoms of a dictionary; `down` maps a target to the mean of its words' vectors."""

    down: LinearMap
    atoms: Singles
    settings: CodingSettings

    def scores(self, targets: Vectors, records: list[DescentRecord]) -> Iterator[tuple[Integers, Singles]]:
        """The atoms with the largest coefficients in each target, and these; adds how every block descended."""
        import torch

        for block, count in split_blocks(targets, _ROWS_AT_ONCE):
            codes = projected_adam(
                torch.from_numpy(self.atoms),
                torch.from_numpy(self.down(block)),
                penalty=self.settings.penalty,
                steps=self.settings.steps,
            )
            records.append(codes.convergence.record(count))
            places, values = _find_largest(codes.values)
            yield places[:count], values[:count]


@dataclass(frozen=True)
class TuningRows:
    """Held-out auxiliary texts on which the settings are chosen; with a `threshold`, only the penalty is."""

    texts: TokenizedTexts
    vectors: Vectors
    rows: Integers
    threshold: float | None

    def judge(self, codes: "Tensor") -> tuple[float, float]:
        """The mean F1 and the threshold that gives it; every threshold is tried on the same coefficients."""
        places, values = _find_largest(codes)
        scored = score_atoms(self.texts, self.rows, places, np.where(values > 0, values, -np.inf).astype(np.float32))
        return scored.best_threshold() if self.threshold is None else (scored.mean_f1(self.threshold), self.threshold)


def tune_settings(coder: SparseCoder, tuning: TuningRows, penalties: Sequence[float]) -> CodingSettings:
    """The penalty and the threshold with the best mean F1 on held-out auxiliary texts (Section 6.2).

    From the largest penalty down, each descent starting where the one before ended, until two penalties in a row have
    done worse than the best.
    """
    import torch

    atoms, targets = torch.from_numpy(coder.atoms), torch.from_numpy(coder.down(tuning.vectors[tuning.rows]))
    codes: Tensor | None = None
    reached: list[tuple[float, CodingSettings]] = []
    for penalty in sorted(penalties, reverse=True):
        codes = projected_adam(atoms, targets, penalty=penalty, steps=coder.settings.steps, start=codes).values
        f1, threshold = tuning.judge(codes)
        reached.append((f1, replace(coder.settings, penalty=penalty, threshold=threshold)))
        if len(reached) - 1 - int(np.argmax([f1 for f1, _ in reached])) >= WORSE:
            break
    return max(reached, key=lambda each: each[0])[1]


def list_penalties(coder: SparseCoder, vectors: Vectors) -> list[float]:
    """The published penalty, and shares of the one above which the typical code is zero: 2·max(atom·target)."""
    largest = float(np.median((2 * coder.down(vectors) @ coder.atoms.T).max(axis=1)))
    return [PENALTY, *(share * largest for share in SHARES if largest > 0)]


def _find_largest(codes: "Tensor") -> tuple[Integers, Singles]:
    import torch

    largest = torch.topk(codes, min(_DEPTH, codes.shape[1]), dim=1)
    return largest.indices.numpy(), largest.values.numpy()
