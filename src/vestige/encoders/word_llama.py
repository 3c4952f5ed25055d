"""WordLlama: the mean of token vectors extracted from large language models; 256 dimensions."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from vestige.encoders.batching import encode_by_length
from vestige.encoders.model_folder import find_package_files, refuse_argument
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.types import Progress, Vectors, WhiteBox, silent

FILES = {
    "weights/l2_supercat_256.safetensors": "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    "tokenizers/l2_supercat_tokenizer_config.json": "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
}


class WordLlamaEncoder(ReloadedWhenSent):
    """The model in the package `wordllama`; nothing is downloaded. A text without tokens has the zero vector."""

    name = "wordllama"
    identity = f"wordllama fp32 {sorted(FILES.values())}"
    dimension = 256

    def __init__(self, *, batch_size: int = 64) -> None:
        self.batch_size = batch_size

    @cached_property
    def _model(self) -> Any:
        from wordllama import WordLlama

        weights, _ = find_package_files(self.name, "wordllama", "wordllama", FILES)
        return WordLlama.load(cache_dir=weights.parent.parent, disable_download=True)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        advance = progress(f"encoding with {self.name}", len(texts))
        lengths = [len(self._tokens(text)) for text in texts]

        def encode_rows(rows: list[int]) -> Vectors:
            if not lengths[rows[0]]:
                return np.zeros((len(rows), self.dimension), dtype=np.float32)
            return np.asarray(self._model.embed([texts[row] for row in rows], batch_size=len(rows)), dtype=np.float32)

        return encode_by_length(lengths, self.batch_size, encode_rows, advance)

    def _tokens(self, text: str) -> list[int]:
        ids: list[int] = self._model.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def white_box(self) -> WhiteBox:
        """The token table."""
        from vestige.encoders.white_box import MeanWhiteBox

        vocabulary = self._model.tokenizer.get_vocab()
        words = sorted(vocabulary, key=vocabulary.__getitem__)
        return MeanWhiteBox(words, self._model.embedding, self._tokens)


def load_word_llama(argument: str) -> WordLlamaEncoder:
    """Load the model in the package `wordllama`."""
    refuse_argument("wordllama", argument)
    return WordLlamaEncoder()
