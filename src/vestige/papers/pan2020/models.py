"""The eight language models of Pan et al., what stands for each here, and two of ours beside them."""

from collections.abc import Iterable, Sequence

from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim, victims
from vestige.text.corpus import Corpus

MODELS = {
    "Bert": "minilm",
    "Transformer-XL": "hf:transfo-xl-wt103@last",
    "XLNet": "hf:xlnet-base-cased@last",
    "GPT": "hf:openai-gpt@last",
    "GPT-2": "hf:gpt2@last",
    "RoBERTa": "hf:granite-30m-english",
    "XLM": "hf:xlm-mlm-en-2048@last",
    "Ernie 2.0": "hf:ernie-2.0-base-en@last",
    "USE": "use",
    "potion": "static:potion-base-8M",
    "Bert, CLS": "minilm@cls",
    "Bert, half way": "minilm@mean:3",
}
"""The last two are the same network read elsewhere: models that a fingerprint has to tell apart."""


def models(run: Run[object], asked: Iterable[str], texts: Sequence[Corpus]) -> list[Victim | Absent]:
    """The models asked for, to be attacked with vectors of these texts."""
    return victims(run, {model: MODELS[model] for model in asked}, texts)
