"""Six small charts with logarithmic axes: seconds above, memory below, one column per varied size."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10

COLOURS = ("#1f4e79", "#b5542b", "#5b7f3a")
LEAST = 0.05
WIDE, HIGH, LEFT, GAP, TOP = 230, 150, 52, 66, 48


def draw_charts(
    sizes: Mapping[str, Sequence[int]],
    attacks: Sequence[str],
    work: Mapping[str, str],
    found: Mapping[str, Mapping[tuple[str, str], Sequence[float]]],
) -> str:
    """The picture as SVG: `found` has, by unit, the values by attack and by what was varied."""
    parts = [_draw_legend(attacks)]
    for column, (varied, places) in enumerate(sizes.items()):
        for row, unit in enumerate(found):
            lines = [[max(value, LEAST) for value in found[unit][attack, varied]] for attack in attacks]
            title = f"{work[varied]}, {unit} by {varied}"
            left, top = LEFT + column * (WIDE + GAP), TOP + row * (HIGH + GAP)
            parts.append(f'<g transform="translate({left} {top})">{"".join(_draw_chart(title, places, lines))}</g>')
    wide, high = LEFT + 3 * (WIDE + GAP), TOP + 2 * (HIGH + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" '
        f'font-size="11" fill="#333"><rect width="{wide}" height="{high}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _draw_chart(title: str, places: Sequence[int], lines: Sequence[Sequence[float]]) -> Iterator[str]:
    least = floor(log10(min(map(min, lines))))
    most = max(ceil(log10(max(map(max, lines)))), least + 1)
    first, last = log10(places[0]), log10(places[-1])

    def x(place: float) -> float:
        return round((log10(place) - first) / (last - first) * WIDE, 1)

    def y(value: float) -> float:
        return round(HIGH - (log10(value) - least) / (most - least) * HIGH, 1)

    yield f'<text x="0" y="-10" font-weight="bold">{title}</text>'
    for power in range(least, most + 1):
        yield f'<line x1="0" x2="{WIDE}" y1="{y(10**power)}" y2="{y(10**power)}" stroke="#ddd"/>'
        yield f'<text x="-6" y="{y(10**power) + 4}" text-anchor="end">{10**power:g}</text>'
    for place in places:
        yield f'<text x="{x(place)}" y="{HIGH + 16}" text-anchor="middle">{place:,}</text>'
    for colour, values in zip(COLOURS, lines, strict=True):
        path = "L".join(f"{x(place)} {y(value)}" for place, value in zip(places, values, strict=True))
        yield f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for place, value in zip(places, values, strict=True):
            yield f'<circle cx="{x(place)}" cy="{y(value)}" r="2.5" fill="{colour}"/>'


def _draw_legend(attacks: Sequence[str]) -> str:
    return "".join(
        f'<text x="{LEFT + 90 * place}" y="12" fill="{colour}" font-weight="bold">{attack}</text>'
        for place, (attack, colour) in enumerate(zip(attacks, COLOURS, strict=True))
    )
