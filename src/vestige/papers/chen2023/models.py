"""The seven encoders of Chen, what stands for each here, and five of ours beside them."""

from collections.abc import Iterable, Sequence

from vestige.errors import InputError
from vestige.papers.run import Run
from vestige.papers.victims import Absent, Victim, victim, victims
from vestige.text.corpus import Corpus

SURROGATE = "SBERT"
"""The adversary's own encoder wherever none is named."""

MODELS = {
    "SBERT": "minilm",
    "BERT": "hf:bert-base-uncased@mean",
    "ALBERT": "hf:albert-base-v2@mean",
    "ERNIE": "hf:ernie-2.0-base-en@mean",
    "XLNET": "hf:xlnet-base-cased@mean",
    "GPT2": "hf:gpt2@mean",
    "Doc2vec": "doc2vec",
    "granite": "hf:granite-30m-english",
    "USE": "use",
    "potion": "static:potion-base-8M",
    "wordllama": "wordllama",
    "GloVe": "glove-6b",
}


def models(
    run: Run[object], asked: Iterable[str], texts: Sequence[Corpus], study: Corpus
) -> dict[str, Victim | Absent]:
    """The encoders asked for, by name; those that learn do so from `study`."""
    found = victims(run, {model: MODELS[model] for model in asked}, texts, study)
    return {target.model: target for target in found}


def surrogate(run: Run[object], model: str, study: Corpus) -> Victim:
    """The adversary's own encoder, which has to be here."""
    found = victim(run, model, MODELS[model], study)
    if isinstance(found, Absent):
        raise InputError(f"the surrogate {model} is not here: {found.reason}")
    return found
