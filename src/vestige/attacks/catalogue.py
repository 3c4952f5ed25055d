"""The attacks by name."""

from vestige.registry import Entry, Registry

ATTACKS = Registry(
    "attack",
    {
        "multilabel": Entry(
            "vestige.attacks.multilabel:MultiLabelInverter",
            "reads content words, one linear classifier a word (Song and Raghunathan 2020)",
        ),
        "multiset": Entry(
            "vestige.attacks.multiset.inverter:MultiSetInverter",
            "reads content words one after another, each given those before (Song and Raghunathan 2020; Corò 2022)",
        ),
        "sparse": Entry(
            "vestige.attacks.sparse:SparseInverter",
            "white box: the few words of the encoder's own matrix that make up a vector (Song and Raghunathan 2020)",
        ),
        "relaxed": Entry(
            "vestige.attacks.relaxed:RelaxedInverter",
            "white box: descent on soft words through the encoder (Song and Raghunathan 2020)",
        ),
        "decoder": Entry(
            "vestige.attacks.decoder:DecoderInverter",
            "writes a sentence, word after word, with an LSTM (Pan et al. 2020)",
        ),
        "patterns": Entry(
            "vestige.attacks.patterns:PatternReconstructor",
            "reads the secret fields of texts of a known format, birth dates or codes (Pan et al. 2020)",
        ),
        "guided": Entry(
            "vestige.attacks.guided.inverter:GuidedInverter",
            "writes a sentence by a search that asks the encoder",
        ),
        "keywords": Entry(
            "vestige.attacks.keywords.inference:KeywordInference",
            "tells whether a text holds a keyword, from texts of the same kind (Pan et al. 2020)",
        ),
        "keywords-elsewhere": Entry(
            "vestige.attacks.keywords.domain_adversarial:DomainAdversarialKeyword",
            "tells whether a text holds a keyword, from unrelated texts and the victims' vectors (Pan et al. 2020)",
        ),
        "surrogate": Entry(
            "vestige.attacks.surrogate:SurrogateAttack",
            "ranks the words that matter in a document, with few queries and an encoder of one's own (Chen 2023)",
        ),
        "fingerprint": Entry(
            "vestige.attacks.fingerprint.fingerprinter:Fingerprinter",
            "tells which of some encoders made a set of vectors, or that none of them did (Pan et al. 2020)",
        ),
        "attributes": Entry(
            "vestige.attacks.attributes.inference:AttributeInference",
            "tells the author, or any other label, from a few labelled vectors a class (Song and Raghunathan 2020)",
        ),
        "text-tfidf": Entry(
            "vestige.attacks.attributes.text_tfidf:TextTfidf",
            "a baseline of attributes: the label from the raw text, words and letters weighed by rarity",
        ),
        "text-cnn": Entry(
            "vestige.attacks.attributes.text_cnn:TextCNN",
            "a baseline of attributes: the label from the raw text, by convolutions (Song and Raghunathan 2020)",
        ),
        "majority-label": Entry(
            "vestige.attacks.attributes.majority:MajorityLabel",
            "the prior of attributes: the most frequent label, without looking at the vectors",
        ),
        "word-membership": Entry(
            "vestige.attacks.membership.words:WordMembership",
            "tells whether word vectors were trained on a window of words (Song and Raghunathan 2020)",
        ),
        "pair-membership": Entry(
            "vestige.attacks.membership.pairs:PairMembership",
            "tells whether two consecutive sentences were in the training data (Song and Raghunathan 2020)",
        ),
        "group-membership": Entry(
            "vestige.attacks.membership.pairs:GroupMembership",
            "tells whether a whole document was in the training data (Song and Raghunathan 2020)",
        ),
        "index-membership": Entry(
            "vestige.attacks.membership.index:IndexMembership",
            "tells whether a vector store holds a text, from the scores of a search alone",
        ),
        "secret-ranking": Entry(
            "vestige.attacks.membership.canary:SecretRanking",
            "ranks the secrets of a format by what an encoder learned of them in training (Carlini et al. 2019)",
        ),
        "importance-mlp": Entry(
            "vestige.attacks.rivals.mlp:MlpDecoder",
            "ranks words by importance, from a few queried pairs alone (Chen 2023: MLP)",
        ),
        "importance-pseudo-labels": Entry(
            "vestige.attacks.rivals.pseudo_labels:PseudoLabelDecoder",
            "ranks words by importance, from a few queried pairs and its own guesses elsewhere (Chen 2023: PLD)",
        ),
        "importance-domain-adversarial": Entry(
            "vestige.attacks.rivals.domain_adversarial:DomainAdversarialDecoder",
            "ranks words by presence, from a few queried pairs, external documents and victims (Chen 2023: DAAM)",
        ),
        "importance-gan": Entry(
            "vestige.attacks.rivals.gan:GanDecoder",
            "ranks words by importance, from a few queried pairs and a generator (Chen 2023: BERT-GAN)",
        ),
        "importance-mean": Entry(
            "vestige.attacks.rivals.rule_based:MeanImportance",
            "the prior of importance: the words that matter most elsewhere, without vectors (Chen 2023: RB)",
        ),
        "nearest-text": Entry(
            "vestige.attacks.nearest_text:NearestText",
            "a prior of written sentences: the nearest text the stranger has, without asking the encoder",
        ),
        "fixed-text": Entry(
            "vestige.attacks.fixed_text:FixedText",
            "a prior of written sentences: one text for all, without looking at the vectors",
        ),
        "fixed-words": Entry(
            "vestige.attacks.fixed_words:FixedWords",
            "the prior: the best fixed set of words, without looking at the vectors",
        ),
    },
)
