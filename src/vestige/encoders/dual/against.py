"""An encoder that is yet to learn, told what its vectors are to hide."""

from collections.abc import Mapping
from dataclasses import replace

from vestige.encoders.dual.choices import Opposition
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.learned import Learned
from vestige.errors import InputError


def trained_against(
    learner: Learned,
    *,
    words: float = 0.0,
    attributes: Mapping[str, float] | None = None,
    opponent: Opposition | None = None,
) -> Learned:
    """The same, trained against a reader of words, and of each attribute, with these lambdas.

    The `opponent` is that of its recipe unless another is named.
    """
    if not isinstance(learner.recipe, DualRecipe):
        raise InputError(
            f"encoder '{learner.name}' cannot be trained against a reader; expected dual:lstm or dual:transformer"
        )
    pairs = tuple((attributes or {}).items())
    recipe = replace(
        learner.recipe,
        against_words=words,
        against_attributes=pairs,
        opponent=opponent or learner.recipe.opponent,
    )
    return Learned(learner.name, recipe, learner.corpus, seed=learner.seed)
