"""Small random checkpoints of every architecture that the papers attack, with tokenizers of their own kind."""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

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
OLD = int(transformers.__version__.partition(".")[0]) < 5
"""Before transformers 5, fast tokenizers end in "Fast", and an empty one does not know its parts."""

BERT_PIECES = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


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
    return _untrained(name).train_new_from_iterator(TEXTS, vocab_size=300, show_progress=False)


def _untrained(name: str):
    if OLD:
        return getattr(transformers, f"{name}Fast")(tokenizer_object=PARTS[name]())
    return getattr(transformers, name)()


def _word_pieces(begin: str = "[CLS]", end: str = "[SEP]", pieces: Sequence[str] = BERT_PIECES) -> Tokenizer:
    rows = {piece: row for row, piece in enumerate(pieces)}
    backend = Tokenizer(models.WordPiece(rows, unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.post_processor = _frame(f"{begin} $A {end}", {sign: rows[sign] for sign in (begin, end)})
    return backend


def _letter_pairs() -> Tokenizer:
    backend = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=True)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return backend


def _byte_pairs(template: str = "") -> Tokenizer:
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    if template:
        backend.post_processor = _frame(template, {"<s>": 0, "</s>": 1})
    return backend


def _unigrams(template: str, signs: Sequence[str]) -> Tokenizer:
    backend = Tokenizer(models.Unigram([("<unk>", 0.0)], 0, False))
    backend.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents()])
    backend.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    backend.post_processor = _frame(template, dict.fromkeys(signs, 0))
    return backend


def _frame(template: str, rows: dict[str, int]):
    """Put signs around a text; training corrects their rows."""
    return processors.TemplateProcessing(single=template, special_tokens=list(rows.items()))


def _mpnet_tokenizer():
    """MPNet counts places from the padding's row, which is 1."""
    words = sorted({word for text in TEXTS for word in text.lower().split()})
    pieces = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>", *words]
    if OLD:
        return transformers.MPNetTokenizerFast(tokenizer_object=_word_pieces("<s>", "</s>", pieces))
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


PARTS = {
    "BertTokenizer": _word_pieces,
    "AlbertTokenizer": lambda: _unigrams("[CLS] $A [SEP]", ("[CLS]", "[SEP]")),
    "RobertaTokenizer": lambda: _byte_pairs("<s> $A </s>"),
    "OpenAIGPTTokenizer": _letter_pairs,
    "GPT2Tokenizer": _byte_pairs,
    "XLNetTokenizer": lambda: _unigrams("$A:0 <sep>:0 <cls>:2", ("<sep>", "<cls>")),
}
"""The parts of an empty tokenizer, by its class."""
