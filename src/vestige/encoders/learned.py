"""An encoder that is yet to learn: its recipe and its corpus say what it will be, and it learns when first asked."""

import hashlib
from collections.abc import Sequence

import numpy as np

from vestige.encoders.fitted import Fitted, Recipe
from vestige.encoders.model_folder import installed_versions
from vestige.text.corpus import Corpus
from vestige.types import Progress, Vectors, WhiteBox, silent

LIBRARIES = ("vestige", "numpy", "scipy", "scikit-learn", "torch", "gensim")


class Learned:
    """A recipe and a corpus as an encoder.

    Since the same seed gives the same bytes, its identity is known before it has learned; where every vector is in a
    cache it never does.
    """

    def __init__(self, name: str, recipe: Recipe, corpus: Corpus, *, seed: int = 0) -> None:
        self.name = name
        self.recipe = recipe
        self.corpus = corpus
        self.seed = seed
        self._fitted: Fitted | None = None
        digest = hashlib.sha256(repr((recipe, seed, installed_versions(LIBRARIES))).encode())
        for row in zip(corpus.documents, corpus.texts, strict=True):
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
        for name in getattr(recipe, "columns", ()):
            digest.update(repr((name, corpus.attributes.get(name))).encode("utf-8", "surrogatepass"))
        self.identity = digest.hexdigest()

    def fitted(self, progress: Progress = silent) -> Fitted:
        """What the recipe makes of the corpus."""
        if self._fitted is None:
            self._fitted = self.recipe.fit(self.corpus, rng=np.random.default_rng(self.seed), progress=progress)
        return self._fitted

    @property
    def dimension(self) -> int:
        """Columns of every vector; known once it has learned."""
        return self.fitted().dimension

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row a text, in the order given."""
        return self.fitted(progress).encode(texts, progress=progress)

    def white_box(self) -> WhiteBox:
        """The inside of what was learned."""
        from vestige.encoders.white_box import white_box

        return white_box(self.fitted())
