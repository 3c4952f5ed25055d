"""The same audit for a list of encoders. `vestige.leaderboard(...)` is `vestige.leaderboard.run.leaderboard(...)`."""

from vestige.callable_package import make_callable

ENCODERS = ("minilm", "use", "wordllama", "glove-6b", "lsa:tfidf:300", "tfidf:2048")
"""The encoders that are compared if the owner names none: neural, static and counted ones that need no download."""

LENGTHS = (80, 200)
"""Words of the longer texts that words are recovered from, besides sentences."""

make_callable(__name__)
