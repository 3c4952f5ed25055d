"""From vectors down to a lower layer of the encoder that made them (Song and Raghunathan, Eq. 6)."""

import numpy as np

from vestige.attacks.dictionary import mean_words
from vestige.attacks.linear_map import LinearMap, ridge_map
from vestige.text.split import sample_rows
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox

MOST_KEPT, MOST_HELD = 4500, 500


def layer_map(
    vectors: Vectors,
    ids: list[list[int]],
    box: WhiteBox,
    layer: int,
    *,
    sides: tuple[Integers, Integers],
    rng: np.random.Generator,
    progress: Progress,
) -> LinearMap:
    """The linear map from the vector of a text to the mean state of a layer, over rows to learn from and to decide on.

    Above the word matrix a state costs a run of the encoder, so that a sample of the rows must do.
    """
    if layer == 0:
        return ridge_map(vectors, mean_words(box.word_matrix.detach().float().numpy(), ids), *sides)
    kept, held = (
        sample_rows(side.tolist(), most, rng) for side, most in zip(sides, (MOST_KEPT, MOST_HELD), strict=True)
    )
    states = _states(box, [ids[row] for row in (*kept, *held)], layer, progress)
    places = np.arange(len(states))
    return ridge_map(vectors[[*kept, *held]], states, places[: len(kept)], places[len(kept) :])


def _states(box: WhiteBox, ids: list[list[int]], layer: int, progress: Progress) -> Singles:
    """The pooled states of a layer, text by text; none may be without words."""
    import torch

    advance = progress(f"reading layer {layer}", len(ids))
    states: list[Singles] = []
    with torch.no_grad():
        for row in ids:
            soft = box.word_matrix[torch.tensor(row, dtype=torch.long)][None].float()
            states.append(box.embed(soft, layer=layer).numpy())
            advance(1)
    return np.concatenate(states)
