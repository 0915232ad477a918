"""The language of a lesson or a course, by its short name (BCP 47), and the direction in which it is read."""

import re
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

ENGLISH = "en"
_NAME = re.compile(  # language, script, region, variants: de, zh-Hant, pt-BR, es-419, de-CH-1996
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?(-([A-Za-z0-9]{5,8}|\d[A-Za-z0-9]{3}))*"
)
_TO_THE_LEFT = frozenset(
    ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi"]
)  # languages
_SCRIPTS = frozenset(["adlm", "arab", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"])  # that run to the left


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise PydanticCustomError(
            "language", "this should be the short name of a language, such as en, de, ar or pt-BR (BCP 47)"
        )
    return name


Language = Annotated[str, AfterValidator(_named)]


def is_english(language: str) -> bool:
    """Return whether a language is English, of whatever country."""
    return language.lower().split("-")[0] == ENGLISH


def direction(language: str) -> str:
    """Return in which direction a language is read, as HTML's `dir` has it: "rtl" from the right, else "ltr"."""
    first, *others = language.lower().split("-")
    scripts = [part for part in others if len(part) == 4 and part.isalpha()]
    to_the_left = scripts[0] in _SCRIPTS if scripts else first in _TO_THE_LEFT
    return "rtl" if to_the_left else "ltr"


def attributes(language: str) -> str:
    """Return the attributes of an HTML element whose words are in a language."""
    return f'lang="{language}" dir="{direction(language)}"'


def english_within(language: str) -> str:
    """Return the attributes, with a space before them, of an element with English words among those of a language."""
    return "" if language == ENGLISH else f" {attributes(ENGLISH)}"


def isolated(text: str, language: str) -> str:
    """Return words that share a line with words of a language read from the right, so that each keep their order."""
    return f"\u2068{text}\u2069" if direction(language) == "rtl" and text else text
