"""What Figure 7 does otherwise than the paper."""

from vestige.papers.pan2020.defended_genome import Genome
from vestige.papers.pan2020.defended_keywords import DEPARTMENTS, Medical
from vestige.papers.pan2020.sizes import Sizes
from vestige.papers.told import NOT_CONVERGED


def defenses_differ(sizes: Sizes, genome: Genome, medical: Medical) -> tuple[str, ...]:
    """Told from what was used."""
    study, changed = medical.texts.study, len(medical.changed.original)
    return (
        "The paper does not say whether its attacks and its systems learned from defended vectors. Both are shown. "
        "DANN adapts to the victims' vectors, so that it has seen the defense in either column; in the second the "
        "unrelated texts are defended too. The networks that read nucleotides learn without the defense by the paper's "
        f"recipe, {sizes.iterations:,} iterations long (100,000), and either way by ours. {NOT_CONVERGED}",
        _genome(genome),
        f"Medical: {len(study.targets):,} sentences of '{study.targets.name}'; keywords: {', '.join(study.keywords)}. "
        f"{_departments(medical)}",
        "Defenses are fitted on the vectors under attack, which their owner holds, and hide all ten keywords at once, "
        "or the nucleotide at every position. The paper hides one keyword at a time.",
        f"Laplace: the sensitivity is the largest of {changed:,} pairs of sentences (10,000), for sequences too, as "
        "the paper has one a model. The values of epsilon and lambda are ours: the paper draws them without a scale.",
        f"PPM: {sizes.strengths.rounds:,} rounds at a rate of 1e-3; the paper states neither. Ours moves vectors by "
        "a network that makes the adversary guess, and projects out what linear readers still tell.",
        "Subspace, as written: the paper takes the directions of most scatter around the mean of each class, which are "
        "those of most spread, whatever the keyword. Between the means are the directions in which the means of the "
        "classes differ: what the words of the paper ask for, one direction a keyword.",
        "The figure prints no values. In words: 95 percent for the system on Medical without a defense, about 15 less "
        "with subspace projection, where 1 percent of the directions make DANN guess for most models; PPM takes "
        "RoBERTa and Transformer-XL from over 90 to about 25.",
        "The systems leave out columns that hold rounding errors alone (three of MiniLM's). They give all columns the "
        "same spread, and in columns stretched from 1e-9 the least noise would be ruinous to a system as it was.",
        f"At this scale {sizes.strengths.models} of the models that are here are defended.",
    )


def _genome(genome: Genome) -> str:
    count = len(genome.attacked.corpus)
    if genome.learned is None:
        return f"Genome: {count:,} generated sequences, which have no use: the corpus 'splice' is not here."
    return (
        f"Genome: {count:,} sequences of 'splice' (2,000 of HS3D); {len(genome.learned):,} others teach the system "
        "what holds a splice site (31,680)."
    )


def _departments(medical: Medical) -> str:
    name = medical.texts.study.targets.name
    if medical.learned is None:
        return f"No label of '{name}' stands for the department, and no system is taught."
    return (
        f"The {DEPARTMENTS[name]} stands for the department (10 of them); {len(medical.learned):,} sentences of other "
        "documents teach the system (120,000 descriptions)."
    )
