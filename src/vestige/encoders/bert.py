"""The forward pass of a sentence encoder of BERT's architecture, with torch and tokenizers alone.

Importing transformers and sentence-transformers takes longer than encoding a thousand sentences, and their forward pass
does more than the arithmetic. Weights and arithmetic are the same here, so the vectors agree to rounding.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from vestige.encoders.batching import FEWEST_TOKENS
from vestige.encoders.reloaded import ReloadedWhenSent
from vestige.types import Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

MODULES = {
    ("Transformer", "Pooling"): False,
    ("Transformer", "Pooling", "Normalize"): True,
}
"""The modules of a model that this forward pass can compute, and whether it scales vectors to unit length."""

SETTINGS: dict[str, Any] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
}
"""The settings of a configuration under which this forward pass is the model's own. All but the first are defaults."""

PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)
"""The maps and normalisations of a layer; each has a weight and a bias."""

LinearMap = Callable[["Tensor"], "Tensor"]

Group = tuple[int, int]
"""Texts of one length that follow each other: how many, and how long."""

PACK = 512
"""Tokens that are computed at once: with fewer, little is arithmetic; more are hardly faster, and take memory."""

POOLINGS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes of a model and what follows its last layer."""

    width: int
    heads: int
    layers: int
    epsilon: float
    longest: int
    pooling: Literal["mean", "cls"]
    unit_length: bool


def read_shape(folder: Path) -> BertShape | None:
    """The shape of the model in a sentence-transformers folder; None if it needs more than this forward pass."""
    try:
        config, modules = (json.loads((folder / name).read_text("utf-8")) for name in ("config.json", "modules.json"))
        kinds = tuple(module["type"].rpartition(".")[2] for module in modules)
        pooling = _read_pooling(folder / modules[1]["path"] / "config.json")
        limits = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))
        prompts = _read_prompts(folder / "config_sentence_transformers.json")
        width, heads, layers = (config[name] for name in ("hidden_size", "num_attention_heads", "num_hidden_layers"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None
    usual = all(config.get(name, value) == value for name, value in SETTINGS.items()) and "model_type" in config
    single = (folder / "tokenizer.json").is_file() and (folder / "model.safetensors").is_file()
    longest = limits.get("max_seq_length")
    plain = pooling is not None and not prompts and not limits.get("do_lower_case") and isinstance(longest, int)
    if not (usual and single and plain and kinds in MODULES):
        return None
    return BertShape(
        width,
        heads,
        layers,
        config.get("layer_norm_eps", 1e-12),
        longest,
        pooling,
        MODULES[kinds],
    )


def _read_pooling(path: Path) -> Any:
    """The only pooling that a model uses, if it is one of ours."""
    pooling = json.loads(path.read_text("utf-8"))
    used = [name for name, value in pooling.items() if name.startswith("pooling_mode_") and value is True]
    return POOLINGS.get(used[0]) if len(used) == 1 else None


def _read_prompts(path: Path) -> Any:
    return json.loads(path.read_text("utf-8")).get("default_prompt_name") if path.is_file() else None


class BertModel(ReloadedWhenSent):
    """A model folder of this shape, its weights in float32. Weights are read at the first text."""

    def __init__(self, folder: Path, shape: BertShape, *, cut: int | None = None) -> None:
        self.folder = folder
        self.shape = shape
        self.longest = shape.longest if cut is None else cut

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """The tokenizer, which truncates and does not pad."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self.longest)
        return tokenizer

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of each text, special ones included."""
        return [row.ids for row in self.tokenizer.encode_batch([*texts])]

    def encode(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        """One vector per text. Neighbours of equal length share a call of the attention, and all share the products.

        Few tokens are followed by texts of one token, whose vectors are dropped.
        """
        import torch

        self.prepare()
        filled = [*tokens, *[[0]] * (FEWEST_TOKENS - sum(map(len, tokens)))]
        groups = [(len(list(group)), length) for length, group in groupby(map(len, filled))]
        places = torch.cat([self.places[:length].repeat(texts, 1) for texts, length in groups])
        with torch.inference_mode():
            states = self.words[torch.tensor([token for text in filled for token in text])] + places
            states = self._run_layers(states, groups, self._packed)
            vectors: Vectors = torch.cat([self.finish(part) for part in _split(states, groups)]).numpy()
        return vectors[: len(tokens)]

    def prepare(self) -> None:
        """Read and pack the weights, once for all threads.

        This is done outside of inference mode: tensors that are made within it have no gradient ever.
        """
        _ = self.weights, self.places, self._packed

    def run(self, word_vectors: "Tensor", layers: int | None = None) -> "Tensor":
        """The states of the last layer, or of layer `layers`, (texts, length, width), from tokens of one length.

        A gradient flows through.
        """
        texts, length, width = word_vectors.shape
        states = (word_vectors + self.places[:length]).reshape(-1, width)
        return self._run_layers(states, [(texts, length)], {}, layers).view(texts, length, width)

    def _run_layers(
        self, states: "Tensor", groups: "Sequence[Group]", packed: "dict[str, LinearMap]", layers: int | None = None
    ) -> "Tensor":
        """The states of tokens, a row each; the rows of a group of texts follow each other."""
        states = self._normalize("embeddings.LayerNorm", states)
        for layer in range(self.shape.layers if layers is None else layers):
            states = self._run_layer(f"encoder.layer.{layer}.", states, groups, packed)
        return states

    def _run_layer(
        self, name: str, states: "Tensor", groups: "Sequence[Group]", packed: "dict[str, LinearMap]"
    ) -> "Tensor":
        from torch.nn import functional

        def linear(part: str, values: "Tensor") -> "Tensor":
            place = name + part
            return packed[place](values) if place in packed else functional.linear(values, *self.weights[place])

        mixed = self._attend(linear("attention.self", states), groups)
        states = self._normalize(f"{name}attention.output.LayerNorm", linear("attention.output.dense", mixed) + states)
        inner = functional.gelu(linear("intermediate.dense", states))
        return self._normalize(f"{name}output.LayerNorm", linear("output.dense", inner) + states)

    def _attend(self, parts: "Tensor", groups: "Sequence[Group]") -> "Tensor":
        """The mixed values of each token, from the query, key and value of each token of its text."""
        import torch
        from torch.nn import functional

        mixed = []
        for rows in _split(parts, groups):
            heads = rows.unflatten(-1, (3, self.shape.heads, -1)).permute(2, 0, 3, 1, 4)
            mixed.append(functional.scaled_dot_product_attention(*heads).transpose(1, 2).flatten(2).flatten(0, 1))
        return torch.cat(mixed)

    def _normalize(self, name: str, states: "Tensor") -> "Tensor":
        from torch.nn import functional

        return functional.layer_norm(states, (self.shape.width,), *self.weights[name], eps=self.shape.epsilon)

    def pool(self, states: "Tensor") -> "Tensor":
        """One vector per text, from the states of a layer."""
        return states.mean(dim=1) if self.shape.pooling == "mean" else states[:, 0]

    def finish(self, states: "Tensor") -> "Tensor":
        """What `encode` returns, from the last states."""
        from torch.nn import functional

        return functional.normalize(self.pool(states), dim=1) if self.shape.unit_length else self.pool(states)

    @property
    def words(self) -> "Tensor":
        """The input embeddings, one row per token."""
        return self._stored["embeddings.word_embeddings.weight"]

    @cached_property
    def places(self) -> "Tensor":
        """What is added to a token by its position, and by being in the only segment."""
        stored = self._stored
        return stored["embeddings.position_embeddings.weight"] + stored["embeddings.token_type_embeddings.weight"][0]

    @cached_property
    def weights(self) -> "dict[str, tuple[Tensor, Tensor]]":
        """Weight and bias of each linear map and each normalisation; query, key and value are one map."""
        import torch

        stored = self._stored
        pairs = {part: (stored[f"{part}.weight"], stored[f"{part}.bias"]) for part in self._list_parts()}
        for layer in range(self.shape.layers):
            name = f"encoder.layer.{layer}.attention.self"
            parts = [pairs.pop(f"{name}.{part}") for part in ("query", "key", "value")]
            weight, bias = (torch.cat(each) for each in zip(*parts, strict=True))
            pairs[name] = (weight, bias)
        return pairs

    @cached_property
    def _packed(self) -> "dict[str, LinearMap]":
        """The linear maps with their weights in the order in which oneDNN reads them; none if it is not available.

        With AVX-512 they are an eighth faster than the plain ones, on processors of AMD in particular; with AVX2 they
        are as fast.
        """
        return {place: pack_linear(*pair) for place, pair in self.weights.items() if can_pack() and pair[0].dim() == 2}

    @cached_property
    def _stored(self) -> "dict[str, Tensor]":
        """The weights in the file, without the prefix that some files have."""
        from safetensors.torch import load_file

        weights = load_file(self.folder / "model.safetensors")
        return {
            name.removeprefix("bert."): value.float() for name, value in weights.items() if value.is_floating_point()
        }

    @property
    def is_complete(self) -> bool:
        """Whether the file has every weight, in a form that can be read."""
        from safetensors import SafetensorError

        wanted = {f"{part}.{kind}" for part in self._list_parts() for kind in ("weight", "bias")}
        wanted |= {f"embeddings.{part}_embeddings.weight" for part in ("word", "position", "token_type")}
        try:
            return wanted <= self._stored.keys()
        except (OSError, SafetensorError):
            return False

    def _list_parts(self) -> Iterator[str]:
        yield "embeddings.LayerNorm"
        for layer in range(self.shape.layers):
            yield from (f"encoder.layer.{layer}.{part}" for part in PARTS)


def can_pack() -> bool:
    """Whether torch offers linear maps with packed weights on this processor."""
    import torch

    operators = ("_reorder_linear_weight", "_linear_pointwise")
    return torch.backends.mkldnn.is_available() and all(hasattr(torch.ops.mkldnn, name) for name in operators)


def pack_linear(weight: "Tensor", bias: "Tensor") -> LinearMap:
    """The map `values @ weight.T + bias`, with the weight in oneDNN's own order."""
    import torch

    order = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous())
    return lambda values: torch.ops.mkldnn._linear_pointwise(values, order, bias, "none", [], None)


def _split(rows: "Tensor", groups: "Sequence[Group]") -> "Iterator[Tensor]":
    """The rows of each group, (texts, length, columns)."""
    for part, (texts, length) in zip(rows.split([texts * length for texts, length in groups]), groups, strict=True):
        yield part.view(texts, length, -1)
