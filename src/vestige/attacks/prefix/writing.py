"""Texts that the network writes: samples of each vector, and the one that agrees most with the others."""

from collections.abc import Sequence

import numpy as np
import torch

from vestige.attacks.prefix.network import DELETE, END, NOTHING, START, UNKNOWN, PrefixTransformer
from vestige.text.lcs import longest_common_subsequence
from vestige.types import Singles

TEMPERATURE = 0.7
NEVER = (START, UNKNOWN, DELETE, NOTHING)


@torch.no_grad()
def write_samples(network: PrefixTransformer, inputs: Singles, samples: int, seed: int) -> list[list[tuple[int, ...]]]:
    """So many texts for each row of inputs. The first is greedy, the others are drawn.

    All rows share the noise of the draws, so that the texts of a row do not depend on its neighbours.
    """
    noise = torch.Generator().manual_seed(seed)
    rows = torch.from_numpy(inputs).repeat_interleave(samples, dim=0)
    features, cache = network.begin(rows)
    written = torch.full((len(rows), 0), END)
    ended = torch.zeros(len(rows), dtype=torch.bool)
    for place in range(1, network.shape.longest):
        logits = network.logits(features)
        logits[:, list(NEVER)] = -torch.inf
        drawn = -torch.empty(samples, logits.shape[1]).exponential_(generator=noise).clamp_(min=1e-20).log_()
        drawn[0] = 0
        chosen = (logits / TEMPERATURE + drawn.repeat(len(inputs), 1)).argmax(dim=1)
        chosen = torch.where(ended, END, chosen)
        written = torch.cat([written, chosen[:, None]], dim=1)
        ended = ended | (chosen == END)
        if bool(ended.all()):
            break
        features, cache = network.follow(rows, chosen, place, cache)
    texts = [tuple(token for token in row if token != END) for row in written.tolist()]
    return [texts[start : start + samples] for start in range(0, len(texts), samples)]


def choose_consensus(samples: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The text that shares most with the others, in order: the least risk in expectation, if samples are fair."""
    distinct = list(dict.fromkeys(samples))
    counts = [samples.count(text) for text in distinct]
    table = np.array([[_agreement(one, other) for other in distinct] for one in distinct])
    return distinct[int(np.argmax(table @ np.array(counts)))]


def _agreement(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """ROUGE-L of two texts."""
    if not one or not other:
        return float(one == other)
    shared = longest_common_subsequence([*map(str, one)], [*map(str, other)])
    return 2 * len(shared) / (len(one) + len(other))
