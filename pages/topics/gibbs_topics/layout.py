"""Messages as pages of lines: where each word is, in units of a letter's width."""

from dataclasses import dataclass

import numpy as np

from lessons.data.topic_texts import TopicTexts

WIDE = 66  # letters in a line
LINES = 15  # lines of a page
PAD, GAP = 2.3, 0.4  # room in a word's box for its topic's number, and between two boxes
BETWEEN = 0.4  # of a line, between messages
LONGEST = 24  # letters of a word that are shown


@dataclass(frozen=True, eq=False)
class Page:
    """One page."""

    # first, last: the words on it: from `first` and below `last`
    first: int
    last: int
    messages: tuple[int, ...]  # the messages that begin on it
    tops: tuple[float, ...]  # the line in which each of these begins
    # x, y, wide: left end, line and width of each word's box
    x: np.ndarray
    y: np.ndarray
    wide: np.ndarray
    lines: float  # the height of the page


def shown(word: str) -> str:
    """Return a word, cut where it is too long for a line."""
    return word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…"


def pages_of(texts: TopicTexts) -> list[Page]:
    """Lay messages out; one that does not fit on a page goes on to the next."""
    widths = np.array([len(shown(word)) + PAD for word in texts.words])[texts.word]
    pages: list[Page] = []
    places: list[tuple[float, float]] = []
    begun: list[tuple[int, float]] = []
    first, site, line = 0, 0, 0.0

    def turn() -> None:
        nonlocal first, line, places, begun
        if places:
            x, y = np.array(places).T
            messages, tops = zip(*begun, strict=True) if begun else ((), ())
            pages.append(Page(first, site, messages, tops, x, y, widths[first:site], line + 1))
        first, line, places, begun = site, 0.0, [], []

    for message, document in enumerate(texts.documents):
        if not document:
            continue
        if places:
            line += 1 + BETWEEN
        if line + _lines(widths[site : site + len(document)]) > LINES and places:
            turn()
        begun.append((message, line))
        x = 0.0
        for _ in document:
            if x + widths[site] > WIDE:
                x, line = 0.0, line + 1
                if line > LINES - 1:
                    turn()
            places.append((x, line))
            x += float(widths[site]) + GAP
            site += 1
    turn()
    return pages


def _lines(widths: np.ndarray) -> int:
    """Return how many lines a message takes."""
    lines, x = 1, 0.0
    for wide in widths.tolist():
        if x + wide > WIDE:
            lines, x = lines + 1, 0.0
        x += wide + GAP
    return lines
