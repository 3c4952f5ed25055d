"""Which words of a document matter: a vocabulary of nouns and verbs, and three ways to weigh it (Chen 2023)."""
