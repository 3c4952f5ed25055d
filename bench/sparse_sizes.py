"""What keeps sparse coding as published below its published F1: the encoder's dimension, the pairs, or the map?

Song and Raghunathan 2020, Section 3.1, Equation 7, on dual Transformers. The paper's has 600 dimensions and the
adversary 200,000 pairs; Table 1 here has 128 and 1,000. With most pairs the attack is also given the mean of the word
vectors itself, to which the map M from the vector can only come close. No adversary has these means: what is recovered
from them is the most that a better map could give.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vestige.attacks.dictionary import mean_word_vectors
from vestige.attacks.priors import FixedWords
from vestige.attacks.sparse import SparseInverter
from vestige.case.randomness import stream
from vestige.encoders.load import load_learned
from vestige.papers.run import PaperRun
from vestige.papers.scores import TargetWords, score_averages
from vestige.papers.song2020.setup import SCALES, SongSizes
from vestige.papers.song2020.texts import InversionTexts, read_texts
from vestige.papers.victims import Victim
from vestige.text.corpus import Corpus
from vestige.text.split import sample_rows
from vestige.types import Score, Vectors

DIMENSIONS, PAIRS = (128, 256, 512), (1000, 3000)
OTHER_SEED = 1
"""Other documents than those of the recorded table."""


def run() -> Iterator[str]:
    work = PaperRun[SongSizes](replace(SCALES["small"], same=max(PAIRS)), seed=OTHER_SEED)
    texts = read_texts(work)
    yield (
        f"sparse coding of dual Transformers, {len(texts.targets)} targets of '{texts.targets.name}', words of "
        f"{work.sizes.vocabulary:,} that are frequent in the pairs, encoders trained on "
        f"{len(texts.study.sentences()):,} sentences"
    )
    for dimension in DIMENSIONS:
        spec = f"dual:transformer:{dimension}"
        target = Victim("Transformer", load_learned(spec, texts.study, seed=work.seed), spec)
        for count in PAIRS:
            yield from _attack(work, texts, target, dimension, count)


def _attack(
    work: PaperRun[SongSizes], texts: InversionTexts, target: Victim, dimension: int, count: int
) -> Iterator[str]:
    known = texts.auxiliary["same"]
    pairs = known.take(sample_rows(range(len(known)), count, stream(work.seed, "fewer pairs")))
    truth = TargetWords([target.pieces(text) for text in texts.targets.texts], texts.targets.documents, work.seed)

    def recover(recipe: str, known: Vectors, attacked: Vectors) -> str:
        attack = SparseInverter(
            recipe="paper" if recipe == "paper" else "default", guess="pieces", vocabulary_size=work.sizes.vocabulary
        )
        attack.fit(known, pairs.texts, box=target.box, rng=stream(work.seed, "attack"), documents=pairs.documents)
        guesses = attack.infer(attacked)
        cut = "" if guesses.log is None or guesses.log.converged else ", not converged"
        return _describe(score_averages(guesses.sets, truth)[2]) + cut

    own, other = target.vectors(texts.targets), target.encoder.encode(pairs.texts)
    guessed = FixedWords().fit_sets([target.pieces(text) for text in pairs.texts]).words_
    name = f"  {dimension} dimensions, {len(pairs):,} pairs"
    yield f"{name}: F1 of Equation 7 {recover('paper', other, own)}"
    yield f"{name}, our default: F1 {recover('default', other, own)}"
    if count == max(PAIRS):
        lowest = [_encode_lowest(target, corpus) for corpus in (pairs, texts.targets)]
        yield f"{name}, from the mean of the word vectors: F1 of Equation 7 {recover('paper', *lowest)}"
    yield f"{name}, guessing: F1 {_describe(score_averages([guessed] * len(texts.targets), truth)[2])}"


def _encode_lowest(target: Victim, corpus: Corpus) -> Vectors:
    matrix = np.asarray(target.box.word_matrix.detach().float().numpy())
    return mean_word_vectors(matrix, [target.box.word_ids(text) for text in corpus.texts])


def _describe(score: Score) -> str:
    return f"{100 * score.value:.1f} ({100 * score.low:.1f} to {100 * score.high:.1f}, n {score.n})"
