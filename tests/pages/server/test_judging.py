"""Verdicts and tables by their addresses."""

import json
from urllib.parse import urlencode

import pytest

from pages.judge.packing import RuleVerdict
from pages.judge.routes import problem_of, verdict
from pages.player.modules import BUILD
from tests.loop import awaited
from tests.pages.server.asking import _app, reply_of


def ask(what: str, *pairs: tuple[str, str]):
    return awaited(reply_of(_app(), f"/play/{BUILD}/judge/{what}", urlencode(pairs)))


def test_a_verdict_depends_on_its_address_alone_and_may_be_kept():
    reply = ask("pi-integrated/verdict", ("line", "(n + gamma - 1) * fit"))
    assert reply.status == 200
    assert "immutable" in reply.headers["cache-control"]
    found: RuleVerdict = json.loads(reply.body)
    assert found["named"] == "one too few, or γ left out: an empty class has nothing"
    assert found == verdict(problem_of("pi-integrated"), ["(n + gamma - 1) * fit"])


def test_a_table_is_that_by_which_a_rule_plays():
    table = json.loads(ask("crp-mixture/table", ("points", "4")).body)
    assert len(table["states"]) == 15
    assert len(table["counts"]) == 15 * 4


@pytest.mark.parametrize(
    ("what", "pairs", "said"),
    [
        ("nothing/verdict", [("line", "1")], "no problem of that name"),
        ("pi-integrated/verdict", [], "1 line"),
        ("crp-mixture/verdict", [("line", "n")], "2 lines"),
        ("pi-integrated/verdict", [("line", "n *")], "cannot be read"),
        ("naive-bayes-logs/verdict", [("line", "counts")], "this is a list"),
        ("pi-integrated/verdict", [("line", "__import__('os').getcwd()")], "not used in rules"),
        ("pi-integrated/verdict", [("line", "n"), ("more", "1")], "1 line"),
        ("crp-mixture/table", [("points", "7")], "plays with 4"),
        ("pi-integrated/verdict", [("line", "n" * 9_000)], "longer than any"),
    ],
)
def test_nonsense_is_answered_by_a_sentence(what, pairs, said):
    reply = ask(what, *pairs)
    assert reply.status == 400
    assert said in reply.body.decode()
