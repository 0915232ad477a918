"""The cards of a run over clusterings: their numbers are those of the sampler and of the exact facts."""

import re
from functools import cache

import numpy as np
import pytest

from lessons.topics.why_sample import WhySampleSettings
from pages.topics.why_sample import bell, exact_cards, inspector
from pages.topics.why_sample.run import WhyRun
from tests.pages.html import words


@cache
def run_by(rule: str) -> WhyRun:
    return WhyRun(WhySampleSettings(rule=rule), 4)


@pytest.fixture
def right() -> WhyRun:
    return run_by("right")


@pytest.fixture
def wrong() -> WhyRun:
    return run_by("emptied table offered too")


def rows(html: str) -> list[list[str]]:
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", html)]


def test_an_update_lists_weight_fit_and_product_of_each_option(right):
    for t in range(1, 13):
        (update,), html = right.chain.record(t), inspector.update(right, t)
        said = words(html)
        terms = re.findall(r"([\d.]+) · ([\d.]+) = ([\d.]+)", said)
        weights = [float(weight) for weight, _, _ in terms]
        others = update.conditional.terms
        assert np.log(weights) == pytest.approx(others["customers already there"])
        assert [float(fit) for _, fit, _ in terms] == pytest.approx(np.exp(others["fit"]), rel=0.01)
        assert [float(product) for _, _, product in terms] == pytest.approx(
            [float(weight) * float(fit) for weight, fit, _ in terms], rel=0.02
        )
        for chance in update.conditional.probabilities:
            assert f"{chance:.3f}" in said
        assert f"Random number: {update.uniform:.3f}" in said


def test_an_emptied_group_that_is_offered_too_leads_to_the_same_clustering_twice(wrong):
    alone = next(t for t in range(1, 100) if wrong.path[t - 1] == 4)
    names = re.findall(r'title="([\d|]+): ', inspector.update(wrong, alone))
    assert len(names) == 4
    assert names.count("1|2|3") == 2


def test_the_posterior_is_prior_times_fit_over_the_sum(right):
    listed = rows(exact_cards.all_clusterings(right, 0))[1:]
    joint = [float(row[3]) for row in listed[:5]]
    total = float(re.sub("<.*?>", "", listed[5][3]))
    assert sum(joint) == pytest.approx(total, rel=0.01)
    assert [float(row[4][3:-4]) for row in listed[:5]] == pytest.approx(np.array(joint) / total, abs=2e-3)
    assert sum(float(row[1].split("= ")[1]) for row in listed[:5]) == pytest.approx(1, abs=2e-3)
    assert "40 more" not in exact_cards.all_clusterings(right, 0)
    assert "37 more, together" in exact_cards.all_clusterings(WhyRun(WhySampleSettings(points=5), 1), 9)


def test_the_table_of_bell_numbers_goes_to_sixty(right):
    said = words(bell.bell(right, 0))
    assert "9.77·10 59" in said
    assert ["10", "115,975"] in [row[:2] for row in rows(bell.bell(right, 0))]
    assert "1.4 seconds" in said
    assert "147 years" in said


def test_flows_are_equal_by_the_right_rule_and_differ_by_a_wrong_one(right, wrong):
    assert "differ" not in exact_cards.flows(right, 1)
    assert "differ" in exact_cards.flows(wrong, 1)
    assert "equal" in exact_cards.flows(right, 1)


def test_the_check_of_a_sweep_says_what_it_leaves_unchanged(right, wrong):
    assert "Posterior × matrix = posterior" in exact_cards.kept(right, 3)
    said = exact_cards.kept(wrong, 3)
    assert "Posterior × matrix ≠ posterior" in said
    assert "is 0.085 away" in said
    assert "<td" in said
    assert "too many to show" in exact_cards.sweep(WhyRun(WhySampleSettings(points=5), 1), 3)
