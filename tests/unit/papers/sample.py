"""A reproduction made up by hand, with everything a record may hold."""

from vestige.papers.record import OURS, PAPER, PRIOR, Curve, Line, Plot, Point, Reproduction, Row
from vestige.types import Score, TrainingLog

CUT_OFF = TrainingLog("until the loss rises", converged=False, steps=30, curve=((10, 0.5), (30, 0.25)))
GOOD, POOR = Score(0.5, 0.45, 0.55, 100), Score(0.07, 0.05, 0.09, 100)


def sample(**changes):
    record = {
        "schema": 2,
        "version": "0.1.0",
        "paper": "song2020",
        "table": "table1",
        "title": "Table 1: a <table>",
        "citation": "Somebody, Something, 2020",
        "scale": "small",
        "changes": ("epochs=30",),
        "models": (),
        "sections": (),
        "device": "cpu",
        "seed": 3,
        "encoders": ("BERT=hf:mine@mean",),
        "columns": ("F1, same domain", "F1, other domain"),
        "rows": (
            Row(
                "Equation 5",
                "LSTM",
                "dual:lstm",
                (56.74, "< 10"),
                (Line(PAPER, (GOOD, None), (CUT_OFF,), 2.5), Line(PRIOR, (POOR, None))),
            ),
            Row(
                "Equation 7",
                "LSTM",
                "dual:lstm",
                (59.98, 52.55),
                (Line(OURS, (GOOD, POOR)), Line(PRIOR, (POOR, POOR))),
                samples=("A <text> - some, words",),
            ),
            Row("Equation 7", "ALBERT", "hf:none", (62.26, 59.86), (), "skipped: not here | nor there"),
        ),
        "differs": ("The texts are others.", "So are the encoders."),
        "plots": (
            Plot(
                "F1 by layer",
                "layer",
                "F1",
                (Curve("ours", (Point(0, GOOD), Point(2, POOR))), Curve("guessing", (Point(0, POOR), Point(2, POOR)))),
            ),
        ),
        "minutes": 1.5,
    }
    return Reproduction(**{**record, **changes})
