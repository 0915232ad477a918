"""The numbers in the inspector are those of the updates that ran."""

import math
import re

import pytest

from lessons.topics.ibp_buffet import IBPBuffetSettings
from pages.topics.ibp_buffet import inspector
from pages.topics.ibp_buffet.inspector import SHOWN
from pages.topics.ibp_buffet.run import BuffetRun
from samplers.buffet.exact import log_probability_of_class
from samplers.buffet.prior import NEW, TAKES
from tests.pages.html import words

PLAIN = BuffetRun(IBPBuffetSettings(customers=12, concentration=3.0), 3)
FINITE = BuffetRun(IBPBuffetSettings(customers=12, model="finite", columns=8), 3)
OLD = re.compile(
    r"badge[^>]*>(\d+)</span></span></td><td>([\d.]+) / ([\d.]+) = ([\d.]+)</td>"
    r"<td>([\d.]+) (&lt;|≥)</td><td>(.*?)</td>"
)


@pytest.mark.parametrize("run", [PLAIN, FINITE], ids=["buffet", "finite"])
def test_old_dishes_are_told_with_count_probability_and_dart(run):
    for t in range(2, run.total + 1):
        rows = OLD.findall(inspector.customer(run, t))
        counts = run.counts(t)
        assert len(rows) == min(SHOWN, sum(count > 0 for count in counts))
        for dish, top, bottom, chance, dart, compared, verdict in rows:
            update = run.choices(t)[int(dish) - 1]
            assert counts[int(dish) - 1] == run.matrix[: t - 1, int(dish) - 1].sum()
            assert float(top) == pytest.approx(counts[int(dish) - 1] + run.sampler.share)
            assert float(bottom) == pytest.approx(t + run.sampler.share)
            assert float(chance) == pytest.approx(update.conditional.probabilities[TAKES], abs=6e-4)
            assert float(dart) == pytest.approx(update.uniform, abs=6e-4)
            assert (compared == "&lt;") == ("takes" in verdict) == (update.value == TAKES)


def test_new_dishes_are_told_with_their_distribution():
    for t in range(1, PLAIN.total + 1):
        update, text = PLAIN.choices(t)[-1], words(inspector.customer(PLAIN, t))
        assert update.site == NEW
        assert f"mean α / n = 3 / {t} = {3 / t:.3g}" in text
        assert f"Random number: {update.uniform:.3f}: {update.value} new" in text
        chance = math.exp(-3 / t) * (3 / t) ** update.value / math.factorial(update.value)
        assert f"{chance:.3f}" in text.partition("p(")[2]


def test_untouched_columns_are_told_beside_the_buffet():
    text = words(inspector.customer(FINITE, 1))
    assert "8 columns, each with (0 + α/K) / (n + α/K) = 0.25 / 1.25 = 0.2000" in text
    assert "On average 8 · 0.2000 = 1.600 of them are taken" in text
    assert "The buffet: α / n = 2.000" in text


def test_the_whole_matrix_has_the_probability_of_its_class_in_both_orders():
    for t in (1, 5, 12):
        html = inspector.matrix(PLAIN, t)
        logs = [
            float(number.replace("−", "-")) for number in re.findall(r"<td>(?:<b>)?([−\d.]+)(?:</b>)?</td></tr>", html)
        ]
        exact = log_probability_of_class(PLAIN.matrix[:t], 3.0)
        assert logs[-2:] == pytest.approx([exact, exact], abs=6e-4)
        assert sum(logs[:3]) == pytest.approx(exact, abs=2e-3)


def test_ever_more_columns_come_near_the_buffet():
    logs = [
        float(number.replace("−", "-"))
        for number in re.findall(r"<td>(?:<b>)?([−\d.]+)(?:</b>)?</td></tr>", inspector.matrix(FINITE, 6))
    ]
    expected = [log_probability_of_class(FINITE.matrix[:6], 2.0, columns) for columns in (8, 80, 800, 8000, None)]
    assert logs == pytest.approx(expected, abs=6e-4)


def test_before_the_first_customer_it_says_what_to_do():
    for view in (inspector.customer, inspector.matrix):
        assert "No customer is here yet" in words(view(PLAIN, 0))


@pytest.mark.parametrize("rule", ["new dishes for everyone", "refused dishes counted"])
def test_the_code_of_a_wrong_rule_shows_the_line_that_is_wrong(rule):
    run = BuffetRun(IBPBuffetSettings(rule=rule), 7)
    wrong = {"new dishes for everyone": "return self.concentration", "refused dishes counted": "return count + 1"}[rule]
    for t in (0, 4):
        (line,) = re.findall(r'<p class="[^"]*wrong[^"]*"[^>]*><code>(.*?)</code>', inspector.code(run, t))
        assert words(line) == wrong
