import pytest

from vestige.report.chart import Scale, blocks, scale_of
from vestige.types import Score


def test_shares_lie_on_a_scale_from_zero_to_one():
    scale = scale_of([Score(0.5, 0.4, 0.6, 9)])
    assert scale == Scale(0.0, 1.0, 0.25)
    assert (scale.at(0.523), scale.reach(0.128, 0.523)) == ("52.30%", "39.50%")
    assert [tick.label for tick in scale.ticks] == ["0", "0.25", "0.5", "0.75", "1"]
    assert [tick.anchor for tick in scale.ticks] == ["start", "middle", "middle", "middle", "end"]


@pytest.mark.parametrize(
    ("score", "labels"),
    [
        (Score(-0.31, -0.4, -0.2, 9, baseline=1.6), ["-0.5", "0", "0.5", "1", "1.5", "2"]),
        (Score(730.0, 700.0, 760.0, 9), ["0", "200", "400", "600", "800"]),
    ],
)
def test_a_scale_widens_to_round_ends(score, labels):
    assert [tick.label for tick in scale_of([score]).ticks] == labels


def test_no_scores_still_give_a_scale():
    assert scale_of([]) == Scale(0.0, 1.0, 0.25)


@pytest.mark.parametrize(("share", "filled"), [(0.0, 0.0), (0.523, 5.23), (1.0, 10.0), (1.4, 10.0), (-0.1, 0.0)])
def test_ten_blocks_hold_the_share(share, filled):
    assert len(blocks(share)) == 10
    assert sum(blocks(share)) == pytest.approx(filled)
    assert all(0 <= fill <= 1 for fill in blocks(share))
