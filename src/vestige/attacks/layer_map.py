"""The map from the vector of a text down to the pooled state of a lower layer of the encoder."""

import numpy as np

from vestige.attacks.dictionary import mean_word_vectors
from vestige.attacks.ridge import LinearMap, ridge_map
from vestige.text.split import sample_rows
from vestige.types import Integers, Progress, Singles, Vectors, WhiteBox

MOST_TRAIN, MOST_HELD_OUT = 4500, 500


def fit_layer_map(
    vectors: Vectors,
    ids: list[list[int]],
    box: WhiteBox,
    layer: int,
    *,
    split: tuple[Integers, Integers],
    rng: np.random.Generator,
    progress: Progress,
) -> LinearMap:
    """The linear map from the vector of a text to the mean state of a layer (Song and Raghunathan 2020, Eq. 6).

    `split` has the rows to learn from and to decide on. Above the word matrix a state costs a run of the encoder, so
    that a sample of the rows is used.
    """
    if layer == 0:
        return ridge_map(vectors, mean_word_vectors(box.word_matrix.detach().float().numpy(), ids), *split)
    train, held_out = (
        sample_rows(rows.tolist(), most, rng) for rows, most in zip(split, (MOST_TRAIN, MOST_HELD_OUT), strict=True)
    )
    states = _states(box, [ids[row] for row in (*train, *held_out)], layer, progress)
    places = np.arange(len(states))
    return ridge_map(vectors[[*train, *held_out]], states, places[: len(train)], places[len(train) :])


def _states(box: WhiteBox, ids: list[list[int]], layer: int, progress: Progress) -> Singles:
    """The pooled states of a layer, text by text; every text must have words."""
    import torch

    advance = progress(f"computing layer {layer}", len(ids))
    states: list[Singles] = []
    with torch.no_grad():
        for row in ids:
            soft = box.word_matrix[torch.tensor(row, dtype=torch.long)][None].float()
            states.append(box.embed(soft, layer=layer).numpy())
            advance(1)
    return np.concatenate(states)
