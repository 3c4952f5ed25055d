"""Small random checkpoints of every architecture that the papers attack, with tokenizers of their own kind."""

import json
from pathlib import Path

import torch
import transformers

WIDTH, LAYERS, HEADS, PLACES = 32, 3, 2, 64
TEXTS = [
    "the bank closed my account and nobody answered",
    "I disputed the charge of 120 dollars with the lender",
    "congress shall approve the treaty with foreign nations",
] * 20

NAMES = {
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": 2 * WIDTH,
    "max_position_embeddings": PLACES,
}
OTHER_NAMES = {
    "openai-gpt": {"n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": PLACES},
    "gpt2": {"n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": PLACES},
    "xlnet": {"d_model": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "d_inner": 2 * WIDTH},
    "xlm": {"emb_dim": WIDTH, "n_layers": LAYERS, "n_heads": HEADS, "max_position_embeddings": PLACES},
    "albert": {**NAMES, "embedding_size": 16},
    "roberta": {**NAMES, "max_position_embeddings": PLACES + 2},
    "mpnet": {**NAMES, "max_position_embeddings": PLACES + 2},
}
TOKENIZERS = {
    "bert": "BertTokenizer",
    "albert": "AlbertTokenizer",
    "roberta": "RobertaTokenizer",
    "openai-gpt": "OpenAIGPTTokenizer",
    "gpt2": "GPT2Tokenizer",
    "xlnet": "XLNetTokenizer",
    "xlm": "XLMTokenizer",
    "ernie": "BertTokenizer",
    "mpnet": "MPNetTokenizer",
}


def tiny_checkpoint(kind: str, folder: Path) -> Path:
    """Save a random model of this kind and its tokenizer."""
    made = {"xlm": lambda: _xlm_tokenizer(folder), "mpnet": _mpnet_tokenizer}
    tokenizer = made.get(kind, lambda: _trained(TOKENIZERS[kind]))()
    tokenizer.save_pretrained(folder)
    config = transformers.AutoConfig.for_model(
        kind,
        vocab_size=len(tokenizer) + 3,
        pad_token_id=tokenizer.pad_token_id,
        **OTHER_NAMES.get(kind, NAMES),
    )
    torch.manual_seed(7)
    transformers.AutoModel.from_config(config).save_pretrained(folder)
    return folder


def _trained(name: str):
    return getattr(transformers, name)().train_new_from_iterator(TEXTS, vocab_size=300, show_progress=False)


def _mpnet_tokenizer():
    """MPNet counts places from the padding's row, which is 1."""
    words = sorted({word for text in TEXTS for word in text.lower().split()})
    pieces = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>", *words]
    return transformers.MPNetTokenizer({piece: row for row, piece in enumerate(pieces)})


def _xlm_tokenizer(folder: Path):
    """XLM's tokenizer is Python, and reads a list of words and a list of merges."""
    letters = sorted(set("".join(TEXTS).lower()) - {" "})
    pieces = ["<s>", "</s>", "<pad>", "<unk>", *[f"<special{number}>" for number in range(10)]]
    pieces += [*letters, *[f"{letter}</w>" for letter in letters], "th", "the</w>"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps({piece: row for row, piece in enumerate(pieces)}))
    (folder / "merges.txt").write_text("#version: 0.2\nt h\nth e</w>\n")
    return transformers.XLMTokenizer(str(folder / "vocab.json"), str(folder / "merges.txt"))
