"""Two decoders of sentences: one from left to right, and the bidirectional one of Pan et al. 2020, Appendix F."""

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, START, END, UNKNOWN = range(4)
RESERVED = 4

State = tuple[Tensor, Tensor] | None


class ForwardDecoder(nn.Module):
    """An LSTM from left to right. The vector sets its first state and is an input at every word."""

    def __init__(self, dimension: int, tokens: int, units: int, dropout: float) -> None:
        super().__init__()
        self.tokens = nn.Embedding(tokens, units)
        nn.init.normal_(self.tokens.weight, std=units**-0.5)
        self.begin = nn.Linear(dimension, 2 * units)
        self.context = nn.Linear(dimension, units)
        self.lstm = nn.LSTM(2 * units, units, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(tokens))
        self.dropout = nn.Dropout(dropout)

    def forward(self, vectors: Tensor, inputs: Tensor, state: State = None) -> tuple[Tensor, State]:
        """Features of (texts, length, units) that predict the next token, and the state after the last."""
        if state is None:
            hidden, memory = self.begin(vectors).chunk(2, dim=1)
            state = (hidden.tanh()[None].contiguous(), memory[None].contiguous())
        context = self.context(vectors)[:, None].expand(-1, inputs.shape[1], -1)
        features, state = self.lstm(self.dropout(torch.cat([self.tokens(inputs), context], dim=2)), state)
        return self.dropout(features), state

    def logits(self, features: Tensor, tokens: Tensor | slice = slice(None)) -> Tensor:
        """Logits of some tokens, or of all; one matrix of tokens serves input and output."""
        return features @ self.tokens.weight[tokens].T + self.bias[tokens]

    def following(self, vectors: Tensor, written: Tensor, state: State) -> tuple[Tensor, State]:
        """Logits of the token after those written."""
        features, state = self(vectors, written[:, -1:], state)
        return self.logits(features[:, -1]), state


class BidirectionalDecoder(nn.Module):
    """The published decoder: one bidirectional layer, the vector as first state of the forward direction.

    In training its backward direction sees the token to be predicted; in decoding there is no such token. Padding is
    never read.
    """

    def __init__(self, dimension: int, tokens: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(tokens, dimension)
        self.lstm = nn.LSTM(dimension, dimension, batch_first=True, bidirectional=True)
        self.output = nn.Linear(2 * dimension, tokens)

    def forward(self, vectors: Tensor, inputs: Tensor, state: State = None) -> tuple[Tensor, State]:  # noqa: ARG002
        """Features of (texts, length, 2 · dimension); there is no state to carry on."""
        first = torch.stack([vectors, torch.zeros_like(vectors)])
        lengths = (inputs != PAD).sum(dim=1).cpu()
        packed = pack_padded_sequence(self.tokens(inputs), lengths, batch_first=True, enforce_sorted=False)
        features, _ = self.lstm(packed, (first, torch.zeros_like(first)))
        return pad_packed_sequence(features, batch_first=True, total_length=inputs.shape[1])[0], None

    def logits(self, features: Tensor, tokens: Tensor | slice = slice(None)) -> Tensor:
        """Logits of some tokens, or of all."""
        return features @ self.output.weight[tokens].T + self.output.bias[tokens]

    def following(self, vectors: Tensor, written: Tensor, state: State) -> tuple[Tensor, State]:  # noqa: ARG002
        """Logits of the token after those written; all of them are read again."""
        return self.logits(self(vectors, written)[0][:, -1]), None


def token_loss(
    network: ForwardDecoder | BidirectionalDecoder, vectors: Tensor, sentences: Tensor, negatives: Tensor | None
) -> Tensor:
    """Teacher forcing: the mean of -log P of each token given the ones before.

    With `negatives`, tokens drawn uniformly, the normaliser is taken over the tokens of the batch and the drawn ones,
    weighted to stand for all that were not drawn; without, over all tokens.
    """
    inputs, wanted = sentences[:, :-1], sentences[:, 1:]
    features, _ = network(vectors, inputs.masked_fill(inputs == END, PAD))
    present = wanted != PAD
    features, wanted = features[present], wanted[present]
    if negatives is None:
        return nn.functional.cross_entropy(network.logits(features), wanted)
    distinct, places = wanted.unique(return_inverse=True)
    drawn = negatives[~torch.isin(negatives, distinct)]
    logits = network.logits(features, torch.cat([distinct, drawn]))
    others = len(network.tokens.weight) - len(distinct)
    weight = logits.new_full((len(drawn),), others / max(len(drawn), 1)).log()
    return nn.functional.cross_entropy(logits + torch.cat([logits.new_zeros(len(distinct)), weight]), places)


@torch.no_grad()
def write_greedily(network: ForwardDecoder | BidirectionalDecoder, vectors: Tensor, longest: int) -> Tensor:
    """The likeliest token at each position until the end; padding and unknown words are never written."""
    written = torch.full((len(vectors), 1), START, device=vectors.device)
    state: State = None
    for _ in range(longest):
        logits, state = network.following(vectors, written, state)
        logits[:, [PAD, START, UNKNOWN]] = -torch.inf
        ended = (written == END).any(dim=1)
        written = torch.cat([written, torch.where(ended, END, logits.argmax(dim=1))[:, None]], dim=1)
        if (written == END).any(dim=1).all():
            break
    return written[:, 1:]
