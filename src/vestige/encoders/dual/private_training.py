"""Dual encoders trained with differential privacy: DP-SGD (Abadi et al. 2016) by document, with a stated epsilon.

Equation 2 compares a sentence with the other sentences of its batch. That loss has no gradient of one example: a single
document changes the loss of every other one in the batch, so that clipping the gradient of each anchor bounds nothing.
Here the negatives are public sentences. The loss of a document then depends on that document and on public text alone,
its gradient can be clipped, and the unit of privacy is the whole document.

Everything else that is learned from text is learned from public text: the vocabulary, the word vectors, and a first
training of the whole network. What is stored about the private part are its weights and the guarantee: a loss on
private text would be a release of its own.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from vestige.checks import check_choice
from vestige.encoders.dual.encoder import DualEncoder
from vestige.encoders.dual.recipe import LONGEST_SENTENCE, DualRecipe
from vestige.encoders.dual.secret_noise import SecretNoise
from vestige.encoders.fitted import LearnedEncoder
from vestige.errors import InputError, MissingExtra
from vestige.text.corpus import Corpus
from vestige.types import Progress, TrainingLog, silent

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Parameter

    from vestige.encoders.dual.network import DualNetwork

Trained = Literal["biases", "layers", "all"]
"""What private text changes: biases and norms (Bu et al. 2022), also the weights of the layers, or words as well. The
noise is as long as the square root of what is trained, so that less can be learned better."""

DELTA = 1e-5
UNIT = "document"
RULE = "a number of steps that the privacy budget sets; no loss on private text is stored, so convergence is not judged"


@dataclass(frozen=True)
class PrivacyGuarantee:
    """(`epsilon`, `delta`)-differential privacy of the weights, if one `unit` is added or removed.

    Each of `steps` draws every document with chance `sample_rate`, clips its gradient to the norm `clip`, and adds
    normal noise of `noise_multiplier` times that norm. The number of documents counts as public.
    """

    epsilon: float
    delta: float
    unit: str
    noise_multiplier: float
    sample_rate: float
    steps: int
    clip: float


@dataclass(frozen=True)
class PrivateRecipe:
    """Train `base` on `public` text, then with DP-SGD on the private text that `fit` is given.

    `passes` is how often a document is drawn on average, and `batch` how many documents a step draws on average. With
    an infinite `epsilon` nothing is added to the clipped gradients: that is no privacy, and a baseline to measure it
    by. Noise comes from AES under a key of the operating system, unless a `noise_seed` is given; whoever knows that
    seed can subtract the noise.
    """

    epsilon: float
    base: DualRecipe
    public: Corpus = field(repr=False)
    delta: float = DELTA
    passes: int = 10
    batch: int = 256
    clip: float = 1.0
    learning_rate: float = 3e-3
    negatives: int = 64
    trained: Trained = "biases"
    noise_seed: int | None = None
    public_digest: str = ""

    def __post_init__(self) -> None:
        """Refuse settings that make no sense, and identify the public text."""
        check_choice("trained", self.trained, ("biases", "layers", "all"))
        for name in ("epsilon", "delta", "clip", "learning_rate"):
            if not getattr(self, name) > 0 or (name != "epsilon" and getattr(self, name) == inf):
                raise InputError(f"The '{name}' parameter must be above 0. Got {getattr(self, name)} instead.")
        for name in ("passes", "batch", "negatives"):
            if getattr(self, name) < 1:
                raise InputError(f"The '{name}' parameter must be at least 1. Got {getattr(self, name)} instead.")
        if self.base.hides:
            raise InputError("a dual encoder is trained with privacy or against an adversary, not both; choose one")
        digest = sha256("\0".join(self.public.texts).encode("utf-8", "surrogatepass")).hexdigest()
        object.__setattr__(self, "public_digest", digest)

    def fit(self, corpus: Corpus, *, rng: np.random.Generator, progress: Progress = silent) -> DualEncoder:
        """Learn from public text, then from the documents of the corpus under the privacy budget."""
        import torch

        from vestige.encoders.dual.training import find_chains

        sentences = corpus.sentences(1, LONGEST_SENTENCE)
        chains = find_chains(sentences)
        guarantee = self.plan(len(chains))
        first = self.base.fit(self.public, rng=rng, progress=progress)
        network = first.network
        texts = [first.word_ids(text)[: self.base.longest_studied] for text in sentences.texts]
        public = [first.word_ids(text)[: self.base.longest_studied] for text in self._list_public()]
        noise = SecretNoise(self.noise_seed)
        advance = progress(f"private training of dual:{self.base.architecture}", guarantee.steps)
        with torch.random.fork_rng(devices=[]):
            steps = _descend(network, self, guarantee, PrivateData(texts, chains, public), noise)
            for _ in steps:
                advance(1)
        recipe = asdict(self.base) | {"privacy": asdict(guarantee), "public": self.public.name}
        return DualEncoder(first.vocabulary, network, recipe, TrainingLog(RULE, False, guarantee.steps, ()))

    def plan(self, documents: int) -> PrivacyGuarantee:
        """The guarantee for so many documents, and the noise that it needs (Mironov 2017, by opacus)."""
        if self.epsilon < inf and self.delta * documents >= 1:
            raise InputError(
                f"a delta of {self.delta:g} allows one of {documents:,} documents to be published; expected less than "
                f"{1 / documents:g}; give a smaller one with --dp-delta"
            )
        rate = min(1.0, self.batch / documents)
        steps = max(1, round(self.passes / rate))
        noise, spent = (0.0, inf) if self.epsilon == inf else account(self.epsilon, self.delta, rate, steps)
        return PrivacyGuarantee(spent, self.delta, UNIT, noise, rate, steps, self.clip)

    def _list_public(self) -> Sequence[str]:
        return self.public.sentences(1, LONGEST_SENTENCE).texts


def account(epsilon: float, delta: float, sample_rate: float, steps: int) -> tuple[float, float]:
    """The noise multiplier that keeps the steps within epsilon, and the epsilon that it spends."""
    try:
        from opacus.accountants import RDPAccountant
        from opacus.accountants.utils import get_noise_multiplier
    except ImportError as missing:
        raise MissingExtra("'opacus'", "privacy") from missing
    with warnings.catch_warnings():  # The bound holds for any order; another one could only be a little lower.
        warnings.filterwarnings("ignore", "Optimal order is the (largest|smallest) alpha")
        noise = get_noise_multiplier(
            target_epsilon=epsilon, target_delta=delta, sample_rate=sample_rate, steps=steps, accountant="rdp"
        )
        accountant = RDPAccountant()
        accountant.history = [(noise, sample_rate, steps)]
        return float(noise), float(accountant.get_epsilon(delta))


@dataclass(frozen=True)
class PrivateData:
    """Private texts as word ids, with the rows of each document; and public texts."""

    texts: Sequence[Sequence[int]]
    chains: Sequence[range]
    public: Sequence[Sequence[int]]


def _descend(
    network: "DualNetwork", recipe: PrivateRecipe, guarantee: PrivacyGuarantee, data: PrivateData, noise: SecretNoise
) -> Iterator[None]:
    """DP-Adam: one step per item."""
    import torch

    weights = select_weights(network, recipe.trained)
    network.eval()  # Dropout would only add to the noise.
    optimizer = torch.optim.Adam(weights, lr=recipe.learning_rate)
    for _ in range(guarantee.steps):
        with torch.no_grad():
            among = noise.permute(len(data.public))[: recipe.negatives]
            negatives = network.vectors([data.public[row] for row in among], places=4096)
        drawn = np.flatnonzero(noise.uniforms(len(data.chains)) < guarantee.sample_rate)
        runs = [_draw_run(data.chains[int(document)], recipe.base.run, noise) for document in drawn]
        total = sum_clipped((_find_gradient(network, weights, data, run, negatives) for run in runs), recipe.clip)
        size = sum(weight.numel() for weight in weights)
        summed = torch.zeros(size) if total is None else total
        if guarantee.noise_multiplier:
            summed += guarantee.noise_multiplier * recipe.clip * torch.from_numpy(noise.normals(size)).float()
        _assign(weights, summed / (guarantee.sample_rate * len(data.chains)))
        optimizer.step()
        yield
    network.requires_grad_(requires_grad=False)


def select_weights(network: "DualNetwork", trained: Trained) -> "list[Parameter]":
    """The weights that private text changes; all others are frozen."""
    network.requires_grad_(requires_grad=False)
    chosen = [
        weight
        for name, weight in network.named_parameters()
        if trained == "all" or (not name.startswith("words.") and (trained == "layers" or weight.dim() == 1))
    ]
    for weight in chosen:
        weight.requires_grad = True
    return chosen


def sum_clipped(gradients: "Iterator[Tensor]", clip: float) -> "Tensor | None":
    """The sum of the gradients of all documents, each of them at most `clip` long; None of no document."""
    total = None
    for gradient in gradients:
        clipped = gradient * (clip / max(float(gradient.norm()), clip))
        total = clipped if total is None else total + clipped
    return total


def contrast(vectors: "Tensor", negatives: "Tensor") -> "Tensor":
    """Equation 2 for the sentences of one document: each picks the next among it and the public negatives."""
    import torch

    positive = (vectors[:-1] * vectors[1:]).sum(dim=1, keepdim=True)
    products = torch.cat([positive, vectors[:-1] @ negatives.T], dim=1)
    return -products.log_softmax(dim=1)[:, 0].mean()


def _draw_run(chain: range, size: int, noise: SecretNoise) -> range:
    """Consecutive sentences of one document, from a random place on."""
    spare = max(len(chain) - size, 0)
    start = int(noise.uniforms(1)[0] * (spare + 1))
    return chain[start : start + size]


def _find_gradient(
    network: "DualNetwork", weights: "list[Parameter]", data: PrivateData, run: range, negatives: "Tensor"
) -> "Tensor":
    import torch

    loss = contrast(network.vectors([data.texts[row] for row in run], places=4096), negatives)
    return torch.cat([part.flatten() for part in torch.autograd.grad(loss, weights)])


def _assign(weights: "list[Parameter]", gradient: "Tensor") -> None:
    start = 0
    for weight in weights:
        weight.grad = gradient[start : start + weight.numel()].view_as(weight)
        start += weight.numel()


def train_privately(
    learner: LearnedEncoder, public: Corpus, *, epsilon: float, delta: float = DELTA, trained: Trained = "biases"
) -> LearnedEncoder:
    """The same encoder, trained on public text first, and with differential privacy on its own corpus."""
    if not isinstance(learner.recipe, DualRecipe):
        raise InputError(
            f"encoder '{learner.name}' cannot be trained with differential privacy; expected dual:lstm or "
            "dual:transformer"
        )
    if not epsilon < inf:
        raise InputError(f"an epsilon of {epsilon} promises nothing; expected a number such as 8")
    _refuse_shared_texts(learner.corpus.texts, public.texts)
    recipe = PrivateRecipe(epsilon, learner.recipe, public, delta=delta, trained=trained)
    return LearnedEncoder(learner.name, recipe, learner.corpus, seed=learner.seed)


def _refuse_shared_texts(private: Sequence[str], public: Sequence[str]) -> None:
    """Raise if a private document is among the public ones, from which the encoder learns without any noise."""
    known = {text.strip() for text in public}
    shared = [row for row, text in enumerate(private) if text.strip() in known]
    if shared:
        raise InputError(
            f"{len(shared):,} of {len(private):,} private texts are also among the public ones, first in row "
            f"{shared[0]}; the guarantee would not cover them; remove them from one side"
        )
