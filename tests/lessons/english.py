"""English: a lesson's sentences, how hard they are to read, and the words that lessons/STYLE.md replaces everywhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pyphen

from lessons.format.lesson import Lesson

FORMULA = re.compile(r"\$\$.+?\$\$|\$.+?\$", re.DOTALL)
KEY = re.compile(r"(?:^ *|(?<=[{,])[ ]?)[\w' -]+:(?: |$)")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
MARKS = re.compile(r"[*_#>|]|\{[^}]*\}")
SHORT = re.compile(r"\b(Dr|Mr|Ms|St|vs|etc|cf|e\.g|i\.e|eq|fig|p|pp|no)\.", re.IGNORECASE)
END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“(]?[A-Z0-9ΑΒΓαβγθφπμσΣ])|\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|:\s*\n")
WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")
HYPHENS = pyphen.Pyphen(lang="en_US")
FOREIGN = re.compile(  # see lessons/STYLE.md
    r"\b(?:(?:is|are|was|were|be|been) told(?! apart)|tell(?:s|ing)? of|foretell\w*|foretold|so many|who wants?|nobody|"
    r"as \w+ has it|(?:is|are|be) held against|stands? for sure|one (?:can|may|must) \w+)\b",
    re.IGNORECASE,
)
CLICKED = re.compile(r"\bclick\w*", re.IGNORECASE)  # on a phone one presses; guides may say it
CODED = re.compile(  # in the app's code and its guides, beside those of FOREIGN
    r"\b(?:told(?! apart)|stands?(?! for\b)|refus(?:es|ed|al)(?! dish)|likeliest|tells? of)\b",
    re.IGNORECASE,
)
QUOTED = re.compile(r"""//[^\n]*|("[^"\n]*"|`[^`]*`)""")  # of JavaScript, whose comments are passed over
SPELLING = re.compile(
    r"\b(?:\w*(?:normal|marginal|general|optim|minim|maxim|initial|random|summar)iz\w*|colors?|neighbors?|favor\w*|"
    r"labeled|labeling|modeled|modeling|centers?|centered|gray|behavior|analyz\w*)\b",
    re.IGNORECASE,
)


def texts(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Yield each text of a lesson that learners read, with the id of its step."""
    for line in (*lesson.objectives, *lesson.summary):
        yield "front", line
    for step in lesson.steps:
        yield step.id, step.body
        for hint in step.hints:
            yield step.id, hint
        for choice in step.choices:
            yield step.id, choice.text
            yield step.id, choice.reason
        for goal in step.goals:
            yield step.id, goal.text
            yield step.id, goal.reason


def plain(markdown: str) -> str:
    """Return a text without its formulas, its code and its marks; a formula within a sentence is a word."""
    text = LINK.sub(r"\1", CODE.sub(" x ", FORMULA.sub(" x ", markdown)))
    return SHORT.sub(r"\1", MARKS.sub("", text))


def sentences(markdown: str) -> list[list[str]]:
    """Return the words of each sentence."""
    parts = END.split(plain(markdown))
    return [words for part in parts if part and (words := WORD.findall(part))]


def syllables(word: str) -> int:
    """Return about how many syllables a word has."""
    return len(HYPHENS.inserted(word).split("-")) if len(word) > 3 else 1


def grade(markdown: str) -> float:
    """Return the Flesch–Kincaid grade: the school year in which a text of such sentences can be read."""
    found = [words for words in sentences(markdown) if words != ["x"]]
    words = [word for sentence in found for word in sentence if word != "x"]
    return 0.39 * len(words) / len(found) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def coded(source: str) -> Iterator[tuple[int, str]]:
    """Yield the strings and docstrings of a Python file that have words in them, each with its line.

    A name alone, such as ``"told"`` or ``"refused dishes"``, is a value that links and charts know; so is a parameter's
    name at the start of a docstring's line.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"\w \w+ \w", node.value):
            yield node.lineno, re.sub(r"``.*?``|`.*?`|^ *\w+ : .*$", "x", node.value, flags=re.DOTALL | re.MULTILINE)


def written(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a file with their lines: of code its strings, of YAML the values, of a guide all."""
    source = path.read_text("utf-8")
    if path.suffix == ".py":
        yield from coded(source)
    elif path.suffix == ".js":
        for found in QUOTED.finditer(source):
            if re.search(r"\w \w+ \w", found[1] or ""):
                yield source.count("\n", 0, found.start()) + 1, found[1]
    else:
        for number, line in enumerate(source.splitlines(), 1):
            line = KEY.sub("x: ", line) if path.suffix == ".yaml" else line
            yield number, LINK.sub(r"\1", CODE.sub("x", line))


def foreign(path: Path) -> list[str]:
    """Return the foreign words of a file's texts, each as ``line: word``."""
    return [
        f"{line}: {found[0]}"
        for line, text in written(path)
        for find in (FOREIGN, CODED, *([CLICKED] if path.suffix != ".md" else []))
        for found in find.finditer(text)
    ]
