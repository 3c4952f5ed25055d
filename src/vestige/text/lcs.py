"""The longest common subsequence of two sequences of words."""

from collections.abc import Sequence


def longest_common_subsequence(one: Sequence[str], other: Sequence[str]) -> list[int]:
    """The places in `one` of a longest common subsequence of the two."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row in range(len(one) - 1, -1, -1):
        current, below = lengths[row], lengths[row + 1]
        for column in range(len(other) - 1, -1, -1):
            if one[row] == other[column]:
                current[column] = 1 + below[column + 1]
            else:
                current[column] = max(below[column], current[column + 1])
    places, row, column = [], 0, 0
    while row < len(one) and column < len(other):
        if one[row] == other[column]:
            places.append(row)
            row, column = row + 1, column + 1
        elif lengths[row + 1][column] >= lengths[row][column + 1]:
            row += 1
        else:
            column += 1
    return places
