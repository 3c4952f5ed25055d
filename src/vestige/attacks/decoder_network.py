"""Two decoders of sentences: one that reads from left to right, and one that reads both ways at once (Pan, App. F)."""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, START, END, UNKNOWN = range(4)
RESERVED = 4

State = tuple[Tensor, Tensor] | None


class OneWay(nn.Module):
    """An LSTM from left to right. The vector sets its first state and is seen again beside every word."""

    def __init__(self, dimension: int, tokens: int, units: int, dropout: float) -> None:
        super().__init__()
        self.tokens = nn.Embedding(tokens, units)
        nn.init.normal_(self.tokens.weight, std=units**-0.5)
        self.begin = nn.Linear(dimension, 2 * units)
        self.beside = nn.Linear(dimension, units)
        self.lstm = nn.LSTM(2 * units, units, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(tokens))
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, inputs: Tensor, state: State = None) -> tuple[Tensor, State]:
        """Features of (texts, length, units) from which the next token is told, and the state after the last."""
        if state is None:
            hidden, memory = self.begin(vectors).chunk(2, dim=1)
            state = (hidden.tanh()[None].contiguous(), memory[None].contiguous())
        beside = self.beside(vectors)[:, None].expand(-1, inputs.shape[1], -1)
        features, state = self.lstm(self.dropout(torch.cat([self.tokens(inputs), beside], dim=2)), state)
        return self.dropout(features), state

    def logits(self, features: Tensor, tokens: Tensor | slice = slice(None)) -> Tensor:
        """Logits of some tokens, or of all; the matrix of tokens serves input and output."""
        return features @ self.tokens.weight[tokens].T + self.bias[tokens]

    def following(self, vectors: Tensor, written: Tensor, state: State) -> tuple[Tensor, State]:
        """Logits of the token after those written."""
        features, state = self(vectors, written[:, -1:], state)
        return self.logits(features[:, -1]), state


class BothWays(nn.Module):
    """The published decoder: one bidirectional layer, the vector as first state of the forward direction.

    While it is taught, its backward direction reads the token it is asked for. While it writes, there is nothing there.
    Padding is never read.
    """

    def __init__(self, dimension: int, tokens: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(tokens, dimension)
        self.lstm = nn.LSTM(dimension, dimension, batch_first=True, bidirectional=True)
        self.output = nn.Linear(2 * dimension, tokens)

    def forward(self, vectors: Tensor, inputs: Tensor, state: State = None) -> tuple[Tensor, State]:  # noqa: ARG002
        """Features of (texts, length, 2 · dimension); there is no state to carry on."""
        first = torch.stack([vectors, torch.zeros_like(vectors)])
        lengths = (inputs != PAD).sum(dim=1)
        packed = pack_padded_sequence(self.tokens(inputs), lengths, batch_first=True, enforce_sorted=False)
        features, _ = self.lstm(packed, (first, torch.zeros_like(first)))
        return pad_packed_sequence(features, batch_first=True, total_length=inputs.shape[1])[0], None

    def logits(self, features: Tensor, tokens: Tensor | slice = slice(None)) -> Tensor:
        """Logits of some tokens, or of all."""
        return features @ self.output.weight[tokens].T + self.output.bias[tokens]

    def following(self, vectors: Tensor, written: Tensor, state: State) -> tuple[Tensor, State]:  # noqa: ARG002
        """Logits of the token after those written; all of them are read again."""
        return self.logits(self(vectors, written)[0][:, -1]), None


def token_loss(network: OneWay | BothWays, vectors: Tensor, sentences: Tensor, negatives: Tensor | None) -> Tensor:
    """Teacher forcing: the mean of -log P of each token given the ones before.

    With `negatives`, tokens drawn uniformly, the normaliser is taken over the tokens of the batch and the drawn ones,
    which count for all that were not drawn; without, over all tokens.
    """
    inputs, wanted = sentences[:, :-1], sentences[:, 1:]
    features, _ = network(vectors, inputs.masked_fill(inputs == END, PAD))
    there = wanted != PAD
    features, wanted = features[there], wanted[there]
    if negatives is None:
        return nn.functional.cross_entropy(network.logits(features), wanted)
    present, places = wanted.unique(return_inverse=True)
    drawn = negatives[~torch.isin(negatives, present)]
    logits = network.logits(features, torch.cat([present, drawn]))
    others = len(network.tokens.weight) - len(present)
    weight = torch.full((len(drawn),), others / max(len(drawn), 1)).log()
    return nn.functional.cross_entropy(logits + torch.cat([torch.zeros(len(present)), weight]), places)


@torch.no_grad()
def written_greedily(network: OneWay | BothWays, vectors: Tensor, longest: int) -> Tensor:
    """The likeliest token at each place, then ends; padding and unknown words are never written."""
    written = torch.full((len(vectors), 1), START)
    state: State = None
    for _ in range(longest):
        logits, state = network.following(vectors, written, state)
        logits[:, [PAD, START, UNKNOWN]] = -torch.inf
        ended = (written == END).any(dim=1)
        written = torch.cat([written, torch.where(ended, END, logits.argmax(dim=1))[:, None]], dim=1)
        if (written == END).any(dim=1).all():
            break
    return written[:, 1:]
