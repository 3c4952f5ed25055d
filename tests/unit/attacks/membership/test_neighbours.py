from vestige.attacks.membership.neighbours import find_neighbours


def test_neighbours_are_of_one_document():
    assert find_neighbours(["a", "a", "a", "b", "b"]).tolist() == [0, 1, 3]
