"""Parts of the inspector that topics share: cards, a table of options with their numbers, a dart on a bar."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import cycle

import numpy as np

from pages.drawing.numbers import probability
from pages.drawing.palette import color
from samplers.diagnostics.convergence import Diagnosis

MOST_ROWS = 6  # options that a card lists one by one


@dataclass(frozen=True)
class Option:
    """One option of an update, for a row: its name, colour, the terms of its score as HTML, and its probability."""

    name: str
    badge: str
    cluster: int | None  # None: not opened yet
    terms: str
    probability: float
    mark: str = ""  # the mark that lights when the row is pointed at


def pointing(mark: str, html: str) -> str:
    """Return HTML that lights a mark of the charts when pointed at, and lights with it."""
    return f'<span data-mark="{mark}" tabindex="0">{html}</span>'


def card(number: int, title: str, body: str, *, main: bool = False) -> str:
    """Return the card of one beat of an update; `main` is for the beat under way."""
    return f'<section class="beat{" main" if main else ""}"><h4><i>{number}</i>{escape(title)}</h4>{body}</section>'


def numbered(*beats: tuple[str, str], main: int = 0) -> str:
    """Return cards from titles and bodies, side by side, or below one another on a narrow screen.

    `main` is the number of the card under way; without it, the cards light up in turn when they appear.
    """
    each = "".join(card(number, *beat, main=number == main) for number, beat in enumerate(beats, 1))
    return f'<div class="beats{"" if main else " in-turn"}">{each}</div>'


def quiet(text: str) -> str:
    """Return a remark, in small grey letters."""
    return f'<p class="quiet">{text}</p>'


def badge(text: str, cluster: int | None) -> str:
    """Return the badge of a table or cluster: its number in its colour, dashed for a new one."""
    look = f"background:{color(cluster)}" if cluster is not None else ""
    return f'<span class="badge{"" if cluster is not None else " new"}" style="{look}">{escape(text)}</span>'


def score_table(options: Sequence[Option], chosen: int, heading: str) -> str:
    """Return a table of options with the formula's numbers and bars of probability; one row sums the least likely."""
    rank = sorted(range(len(options)), key=lambda i: (i not in (chosen, len(options) - 1), -options[i].probability))
    shown = sorted(rank[:MOST_ROWS]) if len(options) > MOST_ROWS else range(len(options))
    rows = "".join(_row(options[i], i == chosen) for i in shown)
    rest = [options[i].probability for i in range(len(options)) if i not in shown]
    if rest:
        rows += (
            f'<tr class="rest"><td></td><td colspan="2">{len(rest)} more, together</td>'
            f"<td>{probability(sum(rest))}</td></tr>"
        )
    return f'<table class="score"><caption>{heading}</caption>{rows}</table>'


def _row(option: Option, chosen: bool) -> str:
    return (
        f'<tr class="{"chosen" if chosen else ""}"{_pointer(option)} tabindex="0">'
        f'<td>{badge(option.badge, option.cluster)}</td><td class="terms">{option.terms}</td>'
        f'<td class="bar"><span style="{_length(option)}"></span></td><td>{probability(option.probability)}</td></tr>'
    )


def _pointer(option: Option) -> str:
    return f' data-mark="{option.mark}"' if option.mark else ""


def _length(option: Option) -> str:
    look = f"background:{color(option.cluster)}" if option.cluster is not None else ""
    return f"width:{100 * option.probability:.3f}%;{look}"


def dart(options: Sequence[Option], at: float, mark: str = "") -> str:
    """Return a bar from 0 to 1 with the options end to end, and the dart's place on it; `mark` is the dart's mark."""
    parts = "".join(
        f'<span title="{escape(option.name)}: {probability(option.probability)}"{_pointer(option)} '
        f'class="{"new" if option.cluster is None else ""}" style="{_length(option)}"></span>'
        for option in options
    )
    return _hit(parts, at, mark)


def dart_in(probabilities: Sequence[float], at: float | None) -> str:
    """Return the same for options without names, in alternating shades; the bar alone before the dart is thrown."""
    parts = "".join(
        f'<span title="{probability:.3f}" style="width:{100 * probability:.3f}%;background:{shade}"></span>'
        for probability, shade in zip(probabilities, cycle(("var(--line)", "var(--soft)")), strict=False)
    )
    return _hit(parts, at)


def dart_below(share: float, at: float, name: str) -> str:
    """Return a bar of a share and the rest with the dart on it, and the words for where that is, without their end."""
    place = "below" if at < share else "not below"
    return f"{dart_in([share, 1 - share], at)}<p>Random number: {at:.3f} is {place} {name}"


def _hit(parts: str, at: float | None, mark: str = "") -> str:
    pointer = f' data-mark="{mark}"' if mark else ""
    arrow = "" if at is None else f'<div class="arrow"{pointer} style="left:{100 * at:.2f}%">▼</div>'
    return f'<div class="dart">{arrow}<div class="line">{parts}</div></div>'


TOO_FEW = "too few draws"


def whole(value: float | None) -> str:
    """Return an effective sample size; a dash if there is none."""
    return "–" if value is None else f"{value:,.0f}"


def effective(found: Diagnosis) -> tuple[str, str]:
    """Return the effective sample sizes of bulk and tails; where R-hat has too few draws, they have, too."""
    if found.too_few_for_rhat:
        return TOO_FEW, TOO_FEW
    return whole(found.ess_bulk), whole(found.ess_tail)


def mean_error(found: Diagnosis) -> str:
    """Return " ± s.e." of the mean, or "" if there are too few draws for R-hat, and so for the error."""
    return "" if found.too_few_for_rhat else plus_minus(found.mcse_mean)


def rhat(found: Diagnosis) -> str:
    """Return an R-hat, bold above 1.01; or that there are too few draws for one; or a dash if all are the same."""
    value = found.rhat
    if value is None:
        return TOO_FEW if found.too_few_for_rhat else "–"
    text = "∞" if np.isinf(value) else "&gt; 100" if value > 100 else f"{value:.3f}"
    return f"<b>{text}</b>" if value > 1.01 else text


def plus_minus(error: float | None) -> str:
    """Return " ± s.e.", or "" if there is none."""
    return "" if error is None else f" ± {error:.2g}"


def table(heads: Iterable[str], rows: Iterable[Iterable[str]], look: str = "") -> str:
    """Return a table with a heading per column; all cells are HTML, and `look` is a class of the style sheet."""
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    body = body.replace(" %", "\N{NO-BREAK SPACE}%")  # a narrow cell parts no number from its sign
    return f'<table class="{" ".join(("list", *look.split()))}">{head(heads)}{body}</table>'


def _handle(place: int, places: int, person: int) -> str:
    """Return the attributes of a movable element, which pages/player/moving.js reads."""
    said = f"customer {person}: drag, or press an arrow key, to come earlier or later"
    return (
        f'data-place="{place}" data-person="{person}" data-mark="customer-{person}" tabindex="0" role="slider" '
        f'aria-label="Place of customer {person}" aria-valuemin="1" aria-valuemax="{places}" aria-valuenow="{place}" '
        f'title="{said}"'
    )


def head(texts: Iterable[str]) -> str:
    """Return the headings of a table; an empty text gives an empty cell."""
    return f"<tr>{''.join(f'<th>{text}</th>' if text else '<td></td>' for text in texts)}</tr>"


def fractions(
    numerators: np.ndarray,
    denominators: np.ndarray,
    tables: Sequence[int],
    most: int,
    moves: Sequence[int] | np.ndarray = (),
) -> str:
    """Return a product of fractions, each in the colour of its table; a long product lacks its middle.

    With `moves`, the numbers of customers from 0, learners can drag the fractions into another order.
    """
    looks = [_handle(place, len(moves), int(person) + 1) for place, person in enumerate(moves, 1)]
    looks = looks or [f'title="table {table}"' for table in tables]
    parts = [
        f'<span class="fraction" style="--c:{color(table - 1)}" {look}><b>{top:g}</b><i>{bottom:g}</i></span>'
        for top, bottom, table, look in zip(numerators, denominators, tables, looks, strict=True)
    ]
    if len(parts) > most:
        parts = [*parts[: most - 2], f'<span class="gap">… {len(parts) - most + 1} more …</span>', parts[-1]]
    return f'<span class="product">{" ".join(parts)}</span>'
