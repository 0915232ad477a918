"""The glossary: terms with their meanings, and the marks where a lesson uses one for the first time."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from lessons.format.placeholders import MESSAGE, is_placeholder
from lessons.format.problems import Report

LONGEST = 240  # characters of a meaning: it is read in passing
TARGET = "#term"  # where the links lead that mark a term: nowhere; their title is the meaning

_ENTRY = re.compile(r"(?m)^##[ \t]*(?!#)(.*)$((?:\n(?!##[ \t]*(?!#)).*)*)")
_MARKUP = re.compile(r"[$`<>\[\]]|\*\*")
# What stays as it is: fenced code, code spans, formulas, links and pictures, escaped characters, headings.
_KEPT = (
    r"(?ms:^[ ]{0,3}(?P<fence>`{3,}|~{3,}).*?(?:^[ ]{0,3}(?P=fence)|\Z))|(?P<ticks>`+)(?s:.*?)(?P=ticks)"
    r"|\\.|\$\$(?s:.*?)\$\$|\$[^$]+\$|!?\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])|(?m:^[ ]{0,3}#.*$)"
)


@dataclass(frozen=True)
class Term:
    """A term of the glossary."""

    forms: tuple[str, ...]  # its name, and other forms that stand for it in a text: ``("sweep", "sweeps")``
    meaning: str  # plain text


def read_terms(text: str, report: Report) -> tuple[Term, ...]:
    """Read a glossary: ``## name, other form`` and the meaning below it; text before the first is left out."""
    terms = []
    lines: dict[str, int] = {}
    for entry in _ENTRY.finditer(text):
        line = text.count("\n", 0, entry.start()) + 1
        forms = tuple(" ".join(form.split()) for form in entry[1].split(","))
        meaning = " ".join(entry[2].split())
        if not all(forms):
            report((line, 1), "write a term and its other forms after ##, with commas between: ## sweep, sweeps")
        for form in filter(None, forms):
            first = lines.setdefault(form, line)
            if first != line:
                report((line, 1), f"'{form}' is in line {first} as well; a form belongs to one term")
        if not meaning:
            report((line, 1), f"'{forms[0]}' has no meaning; write a sentence below it")
        if is_placeholder(meaning):
            report.warn((line + 1 + entry[2][1:].partition(meaning[:1])[0].count("\n"), 1), MESSAGE)
        if len(meaning) > LONGEST:
            report((line + 1, 1), f"this meaning has {len(meaning)} characters; it has at most {LONGEST}")
        if markup := _MARKUP.search(meaning):
            report((line + 1, 1), f"a meaning is plain text; leave out {markup[0]}")
        terms.append(Term(forms, meaning))
    if not terms:
        report((1, 1), "there is no term; write ## sweep, and its meaning below")
    return tuple(terms)


def overlaid(terms: Iterable[Term], over: Iterable[Term]) -> tuple[Term, ...]:
    """Return terms of two glossaries; where both have a form, the term of the second one alone."""
    over = tuple(over)
    taken = {form for term in over for form in term.forms}
    return (*(term for term in terms if not taken & {*term.forms}), *over)


def without(terms: Iterable[Term], words: Iterable[str]) -> tuple[Term, ...]:
    """Return the terms that have none of these words among their forms, in whatever case of letters."""
    plain = {word.casefold() for word in words}
    return tuple(term for term in terms if not plain & {form.casefold() for form in term.forms})


@lru_cache(maxsize=256)
def marked(bodies: tuple[str, ...], terms: tuple[Term, ...]) -> tuple[str, ...]:
    """Return the Markdown of a lesson's steps, in which the first use of each term is a link with its meaning."""
    if not terms:
        return bodies
    of = {each: term for term in terms for form in term.forms for each in (form, form[:1].upper() + form[1:])}
    longest_first = sorted(of, key=len, reverse=True)
    any_form = "|".join(r"\s+".join(map(re.escape, form.split())) for form in longest_first)  # over line ends as well
    pattern = re.compile(rf"{_KEPT}|(?<![\w-])(?P<form>{any_form})(?![\w-])")
    met = set()

    def mark(match: re.Match[str]) -> str:
        if match["form"] is None:
            return match[0]
        term = of[" ".join(match["form"].split())]
        if term in met:
            return match[0]
        met.add(term)
        meaning = term.meaning.replace("\\", r"\\").replace('"', r"\"")
        return f'[{match["form"]}]({TARGET} "{meaning}")'

    return tuple(pattern.sub(mark, body) for body in bodies)
