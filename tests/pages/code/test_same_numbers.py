"""Values that code and card both name are the same in both: the code is that of the update on the card."""

import re
from html import unescape

import pytest

from lessons.topics import STAGES
from tests.pages.topics.every_film import SEED, SETTINGS, stages
from tests.pages.waiting import waited

NUMBER = r"(−?[\d,]*\d(?:\.\d+)?)"
ON_CARD = {  # what the card says of a value, by its name in the code
    "uniform": rf"(?:Random number:|The dart falls at) {NUMBER}",
    "bound": rf"{NUMBER} +It (?:rises|falls|does)",
    "rise": rf"It (?:rises|falls) +by {NUMBER}",
    "probability": rf"min\(1, [^=]*\) = {NUMBER}",
}
MORE = [
    ("jumps", {"method": "tempering", "swap_rule": "hotter level left out", "step_by": "update", "sweep": 3}),
    ("climb_mixture", {"data": "seven_points", "rule": "not normalised", "start": "k-means++"}),
    ("climb_mixture", {"points": 20, "rule": "weights left out"}),
    ("climb_mixture", {"data": "seven_points", "rule": "points counted again", "method": "VB"}),
]
ALL = [*MORE, *((stage, changes) for stage, rows in SETTINGS.items() for changes in rows)]


def words_of(html):
    return unescape(re.sub("<.*?>", " ", html))


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


def in_code(html):
    """Return the numbers beside the lines that bind one name, by that name."""
    lines = re.findall(r"<code>((?:(?!</code>).)*)</code> <span>(.*?)</span>", html)
    parts = ((words_of(line), re.match(rf"= {NUMBER}$", words_of(value))) for line, value in lines)
    return {name[1]: number(found[1]) for line, found in parts if found and (name := re.match(r" *(\w+) = ", line))}


def on_card(html):
    text = re.sub(r" +", " ", words_of(html))
    return {name: number(found[1]) for name, said in ON_CARD.items() if (found := re.search(said, text))}


def both(stage, settings, t):
    """Return the numbers of the code and of the card in a frame."""
    made, (view, *_) = stages()[stage](), settings.views
    code, card = (waited(lambda view=view: made.written(settings, SEED, view, t)) for view in ("code", view))
    return in_code(code), on_card(card)


@pytest.mark.parametrize(("stage", "changes"), ALL, ids=str)
def test_code_and_card_have_the_same_numbers(stage, changes):
    settings = STAGES[stage](**changes)
    if "code" not in settings.views:
        return
    for t in (2,) if settings.opened is None else (2, 4, 7):
        if t > settings.iterations:
            return
        code, card = both(stage, settings, t)
        for name in code.keys() & card.keys():
            assert abs(code[name]) == pytest.approx(abs(card[name]), rel=6e-3, abs=6e-4), (name, t)
        if settings.opened is not None:
            assert not code.keys() & ON_CARD.keys() - card.keys(), "the code runs ahead of the card"


def test_the_numbers_that_are_looked_for_are_there():
    found = set()
    for stage, changes in *MORE[:2], ("logistic", {"method": "chain"}):
        code, card = both(stage, STAGES[stage](**changes), 4)
        found |= code.keys() & card.keys()
    assert found == ON_CARD.keys()
