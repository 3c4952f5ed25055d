"""Keyword inference: does the text behind a vector hold a word of the adversary's choice (Pan et al. 2020)?"""

from vestige.attacks.keywords.domain_adversarial import DomainAdversarialKeyword as DomainAdversarialKeyword
from vestige.attacks.keywords.inference import KeywordInference as KeywordInference
