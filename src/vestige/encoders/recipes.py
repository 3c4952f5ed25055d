"""From the words of a spec to the recipe of an encoder that learns."""

from typing import Literal

from vestige.encoders.bag_of_words import FEATURES, HashingRecipe, TfidfRecipe
from vestige.encoders.dual.choices import Architecture
from vestige.encoders.dual.recipe import DualRecipe
from vestige.encoders.lsa import DIMENSION, LsaRecipe
from vestige.encoders.packaged import no_argument
from vestige.encoders.words.doc2vec import Doc2VecRecipe
from vestige.encoders.words.glove import GloVeRecipe
from vestige.encoders.words.word2vec import FastTextRecipe, Word2VecRecipe
from vestige.errors import InputError

MOST_COLUMNS = 2**22

RecipeName = Literal["default", "paper"]


def tfidf(argument: str) -> TfidfRecipe:
    """tfidf, or tfidf:N for the N most frequent words."""
    return TfidfRecipe(features=_number("tfidf", argument, FEATURES))


def hashing(argument: str) -> HashingRecipe:
    """hashing, or hashing:N for N columns."""
    return HashingRecipe(features=_number("hashing", argument, FEATURES))


def lsa(argument: str) -> LsaRecipe:
    """lsa:tfidf or lsa:hashing, and :N for N directions."""
    base, _, dimension = argument.partition(":")
    bases: dict[str, TfidfRecipe | HashingRecipe] = {"tfidf": TfidfRecipe(), "hashing": HashingRecipe()}
    if base not in bases:
        raise InputError(f"'lsa:{argument}' names no counts to reduce; expected lsa:tfidf or lsa:hashing")
    return LsaRecipe(bases[base], _number(f"lsa:{base}", dimension, DIMENSION))


def word2vec(argument: str) -> Word2VecRecipe:
    """word2vec."""
    no_argument("word2vec", argument)
    return Word2VecRecipe()


def fasttext(argument: str) -> FastTextRecipe:
    """fasttext."""
    no_argument("fasttext", argument)
    return FastTextRecipe()


def glove(argument: str) -> GloVeRecipe:
    """glove."""
    no_argument("glove", argument)
    return GloVeRecipe()


def doc2vec(argument: str) -> Doc2VecRecipe:
    """doc2vec."""
    no_argument("doc2vec", argument)
    return Doc2VecRecipe()


def dual(argument: str, *, recipe: RecipeName = "default") -> DualRecipe:
    """dual:lstm or dual:transformer, our way or with the settings that the paper states."""
    architectures: tuple[Architecture, ...] = ("lstm", "transformer")
    architecture = next((known for known in architectures if known == argument), None)
    if architecture is None:
        raise InputError(f"'dual:{argument}' names no architecture; expected dual:lstm or dual:transformer")
    return DualRecipe.paper(architecture) if recipe == "paper" else DualRecipe.default(architecture)


def _number(name: str, written: str, default: int) -> int:
    if not written:
        return default
    if not written.isdecimal() or not 1 <= int(written) <= MOST_COLUMNS:
        raise InputError(
            f"'{name}:{written}' gives no number of columns from 1 to {MOST_COLUMNS:,}; "
            f"expected {name} or, say, {name}:4096"
        )
    return int(written)
