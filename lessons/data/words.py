"""From texts to bags of words: a tokeniser that one sentence explains, and a vocabulary in a fixed order.

A word is a run of letters, with apostrophes inside, in lower case; every number counts as the word ``#``, and every
money sign as the word ``£``.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, get_args

import numpy as np
from scipy import sparse

from samplers.checks import whole_from

NUMBER = "#"
MONEY = "£"
NO_WORD = -1  # in place of a word's number: it is not in the vocabulary
LONGEST_WORD = 40  # letters; of more, the first are kept
_FUNCTION_WORDS = """
    a an the and or but if so than then as of to in on at by for from with into
    it its this that these those there here
    am is are was were be been being do does did have has had will would can could shall should may might must
    it's that's there's isn't aren't wasn't don't doesn't didn't can't won't
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())  # without I, you and your: who speaks to whom tells spam from a friend

StopWords = Literal["kept", "dropped"]
Span = tuple[int, int, int]  # where an occurrence begins and ends in its text, and the number of its word

_ACCENTS = "".join(letter for letter in map(chr, range(0x300, 0x1E00)) if unicodedata.category(letter)[0] == "M")
_LETTERS = rf"[^\W\d_]+(?:[{_ACCENTS}]+[^\W\d_]*)*"  # an accent, or an Indic vowel, may be a character of its own
_TOKEN = re.compile(rf"(?P<word>{_LETTERS}(?:['’]{_LETTERS})*)|(?P<number>\d+(?:[.,:/-]\d+)*)|[$¢£¤¥฿₠-⃀]")


@dataclass(frozen=True, eq=False)
class BagOfWords:
    """Counts of words by text, and the places of each word."""

    # the vocabulary: the most frequent first, those that are equally frequent in alphabetical order
    words: tuple[str, ...]
    counts: sparse.csr_array  # counts of each word in each text, floats of shape (M, V)
    # for each text a tuple (start, end, word) of every token, in reading order, so that ``text[start:end]`` is what the
    # text says; the word is -1 if it is not in the vocabulary
    spans: tuple[tuple[Span, ...], ...]
    dropped: tuple[str, ...]  # what was left out, in sentences

    def read(self, text: str) -> tuple[Span, ...]:
        """Return the tokens of another text, as in `spans`: a word that is not in the vocabulary is -1."""
        return tuple((start, end, self._number_of.get(token, NO_WORD)) for start, end, token in _occurrences(text))

    def count(self, texts: Sequence[str]) -> sparse.csr_array:
        """Count the words of the vocabulary in other texts: shape (texts, V)."""
        return _counts(list(map(self.read, texts)), len(self.words))

    @cached_property
    def _number_of(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}


def tokens(text: str) -> list[str]:
    """Return the words of a text, every occurrence, in reading order.

    A word is a run of letters of any script, with apostrophes inside, without regard to case; of more than 40 letters
    the first are kept. A number, with its points, commas, colons, strokes and hyphens, is ``#`` whatever it says, and a
    money sign is ``£``: so ``£1,000`` is ``£ #``, and ``3pm`` is ``# pm``. All else separates.

    Examples
    --------
    >>> tokens("Don't wait: WIN £1,000 by 3pm!")
    ["don't", 'wait', 'win', '£', '#', 'by', '#', 'pm']
    """
    return [token for _, _, token in _occurrences(text)]


def bag_of_words(
    texts: Sequence[str], *, stop_words: StopWords = "dropped", minimum_count: int = 1, most_words: int = 1000
) -> BagOfWords:
    """Count the words of texts.

    Parameters
    ----------
    texts : sequence of str
        M texts. One that has no word left stays, with a row of zeros.
    stop_words : {"kept", "dropped"}, optional
        What is done with the words in `STOP_WORDS`.
    minimum_count : int, optional
        From 1: how often a word must occur in all texts together.
    most_words : int, optional
        From 1: how many words the vocabulary has at most; the most frequent are kept.

    Raises
    ------
    TypeError
        If a number is no integer.
    ValueError
        If a setting is out of range, or if no word is left.
    """
    if stop_words not in get_args(StopWords):
        raise ValueError(f"stop_words must be 'kept' or 'dropped', got {stop_words!r}")
    minimum_count = whole_from("minimum_count", minimum_count, 1)
    most_words = whole_from("most_words", most_words, 1)
    found = [list(_occurrences(text)) for text in texts]
    totals = Counter(token for row in found for _, _, token in row)
    stopped = totals.keys() & STOP_WORDS if stop_words == "dropped" else set()
    rare = {word for word, total in totals.items() if total < minimum_count} - stopped
    ordered = sorted(totals.keys() - stopped - rare, key=lambda word: (-totals[word], word))
    words, beyond = tuple(ordered[:most_words]), ordered[most_words:]
    if not words:
        raise ValueError(_why_empty(len(texts), len(stopped), len(rare), minimum_count))

    number_of = {word: number for number, word in enumerate(words)}
    spans = tuple(tuple((start, end, number_of.get(token, NO_WORD)) for start, end, token in row) for row in found)
    counts = _counts(spans, len(words))
    dropped = [
        *_left_out("stop word", "", stopped, totals),
        *_left_out("word", f" found fewer than {minimum_count:,} times", rare, totals),
        *_left_out("word", f" beyond the {most_words:,} most frequent", beyond, totals),
    ]
    if empty := int((counts.sum(axis=1) == 0).sum()):
        dropped.append(f"{_counted(empty, 'text')} {'has' if empty == 1 else 'have'} no word left.")
    return BagOfWords(words, counts, spans, tuple(dropped))


def _counts(spans: Sequence[Sequence[Span]], words: int) -> sparse.csr_array:
    rows = [[word for *_, word in row if word != NO_WORD] for row in spans]
    places = np.repeat(np.arange(len(rows)), list(map(len, rows))), np.array(list(chain.from_iterable(rows)), np.int64)
    return sparse.csr_array((np.ones(len(places[0])), places), shape=(len(rows), words))


def _occurrences(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match.lastgroup == "word":
            yield start, end, _word(match[0])
        else:
            yield start, end, NUMBER if match.lastgroup == "number" else MONEY


def _word(surface: str) -> str:
    word = surface[:LONGEST_WORD].rstrip("'’").casefold()
    return word if word.isascii() else unicodedata.normalize("NFC", word.replace("’", "'"))


def _left_out(noun: str, which: str, words: Collection[str], totals: Counter[str]) -> list[str]:
    """Return a sentence that says how many words were left out, if any."""
    if not words:
        return []
    occurrences = _counted(sum(totals[word] for word in words), "occurrence")
    return [f"{_counted(len(words), noun)}{which} {'was' if len(words) == 1 else 'were'} left out ({occurrences})."]


def _why_empty(texts: int, stopped: int, rare: int, minimum_count: int) -> str:
    place = f"in {_counted(texts, 'text')}"
    causes, remedies = [], []
    if stopped:
        causes.append(_counted(stopped, "stop word"))
        remedies.append("keep the stop words")
    if rare:
        causes.append(f"{_counted(rare, 'word')} found fewer than {minimum_count:,} times")
        remedies.append("lower the minimum count")
    if not causes:
        return f"there is no word {place}; give texts that have letters or numbers"
    return f"no word is left {place}, only {' and '.join(causes)}; {' or '.join(remedies)}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
