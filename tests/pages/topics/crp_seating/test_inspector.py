"""The numbers in the inspector are those of the update that ran."""

import math
import re

import numpy as np
import pytest

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.drawing.cards import MOST_ROWS, Option, badge, card, dart, fractions, score_table
from pages.topics.crp_seating import inspector
from pages.topics.crp_seating.run import SeatingRun
from samplers.crp.facts import log_joint
from tests.pages.html import rows, words

PLAIN = SeatingRun(CRPSeatingSettings(customers=12, concentration=1.5), 19)
DISCOUNT = SeatingRun(CRPSeatingSettings(customers=12, concentration=1.5, discount=0.25), 4)
STICK = SeatingRun(CRPSeatingSettings(customers=12, concentration=2.0, door="stick"), 5)
SHUFFLED = SeatingRun(CRPSeatingSettings(customers=12, concentration=1.5, shuffle=2), 19)
CROWDED = SeatingRun(CRPSeatingSettings(customers=400, concentration=50.0, discount=0.9), 1)
RUNS = {"plain": PLAIN, "discount": DISCOUNT, "stick": STICK, "shuffled": SHUFFLED}


def worth(terms: str) -> float:
    """Compute a formula as it stands on the screen."""
    sum_of_it = terms.replace("−", "-").replace("·", "*").replace("stick", "").replace("left", "")
    assert re.fullmatch(r"[-+*/(). 0-9]+", sum_of_it), terms
    return float(eval(sum_of_it))


@pytest.mark.parametrize("name", RUNS)
def test_terms_and_probabilities_are_the_conditionals(name):
    run = RUNS[name]
    for t in range(1, run.total + 1):
        arrival = run.arrival(t)
        shown = rows(inspector.customer(run, t))
        probabilities = arrival.conditional.probabilities
        assert len(shown) == len(probabilities) <= MOST_ROWS
        assert [row[0] for row in shown] == [*map(str, arrival.tables), "+"]
        for (_, terms, probability), exact in zip(shown, probabilities, strict=True):
            assert worth(terms) == pytest.approx(exact, abs=6e-5)
            assert float(probability) == pytest.approx(exact, abs=6e-4)


def test_the_discount_is_taken_off_every_table_and_given_to_the_new_one():
    terms = [row[1] for row in rows(inspector.customer(DISCOUNT, 8))]
    tables = len(terms) - 1
    assert tables > 1
    assert all(re.fullmatch(r"\(\d+ − 0\.25\) / 8\.5", term) for term in terms[:-1])
    assert terms[-1] == f"(1.5 + {tables} · 0.25) / 8.5"


def test_a_stick_shows_lengths_that_do_not_change_when_somebody_sits_down():
    joined = next(t for t in range(2, 12) if STICK.arrival(t).option < len(STICK.arrival(t).tables))
    before, after = (rows(inspector.customer(STICK, t)) for t in (joined, joined + 1))
    assert before == after
    assert all(terms.startswith("stick 0.") for _, terms, _ in before[:-1])
    assert before[-1][1].startswith("left 0.")


@pytest.mark.parametrize("name", ["plain", "discount", "stick"])
def test_the_dart_lies_on_the_piece_that_was_chosen(name):
    run = RUNS[name]
    for t in range(1, run.total + 1):
        html, arrival = inspector.customer(run, t), run.arrival(t)
        at = float(re.search(r'class="arrow"[^>]* style="left:([\d.]+)%', html)[1])
        line = re.search(r'class="line">(.*?)</div>', html, re.DOTALL)[1]
        ends = np.cumsum([float(width) for width in re.findall(r"width:([\d.]+)%", line)])
        assert ends[-1] == pytest.approx(100, abs=0.01)
        assert int(np.searchsorted(ends, at)) == arrival.option
        assert f"{arrival.uniform:.3f}" in words(html)


def test_sitting_down_counts_the_customer_in():
    for t in range(1, PLAIN.total + 1):
        counts = PLAIN.counts[t]
        text = words(inspector.customer(PLAIN, t)).partition("Sit down")[2]
        table = int(PLAIN.tables[t - 1])
        seats = "opens, with one customer" if counts[table] == 1 else f"now seats {counts[table]}"
        in_use = int(np.count_nonzero(counts))
        assert f"Table {table + 1} {seats}." in text
        assert f"That makes {t} customer{'s' * (t > 1)} at {in_use} table{'s' * (in_use > 1)}." in text


def test_before_the_first_customer_it_says_what_to_do():
    assert "The restaurant is empty" in words(inspector.customer(PLAIN, 0))
    assert "No table is open yet" in words(inspector.customer(PLAIN, 1))


def test_shuffled_customers_throw_no_dart():
    html = inspector.customer(SHUFFLED, 5)
    assert "No dart" in words(html)
    assert 'class="dart"' not in html
    assert f"Customer {SHUFFLED.order[4] + 1}, number 5 to arrive tonight, comes in." in words(html)


def test_hundreds_of_tables_are_summed_up():
    html, arrival = inspector.customer(CROWDED, 400), CROWDED.arrival(400)
    assert len(arrival.tables) > 300
    shown = rows(html)
    assert len(shown) == MOST_ROWS + 1
    assert shown[-1][1] == f"{len(arrival.tables) + 1 - MOST_ROWS} more, together"
    assert sum(float(row[2]) for row in shown) == pytest.approx(1, abs=0.005)
    badges = [row[0] for row in shown]
    assert "+" in badges, "the new table is always shown"
    opened = arrival.option == len(arrival.tables)
    assert opened or str(arrival.name) in badges, "the chosen table is always shown"
    assert len(html) < 100_000


def test_the_chosen_option_is_shown_however_unlikely():
    options = [Option(f"table {i}", str(i), i, "", 1 / 50) for i in range(49)] + [Option("new", "+", None, "", 1 / 50)]
    for chosen in (0, 30, 49):
        assert options[chosen].badge in [row[0] for row in rows(score_table(options, chosen, "how"))]


# ---- the whole evening -----------------------------------------------------------------------------------------------


def products(html: str) -> list[tuple[list[float], list[float]]]:
    """Return tops and bottoms of each product of fractions."""
    lines = re.findall(r'<span class="product">(.*?)</td>', html, re.DOTALL)
    return [
        (
            [float(top) for top in re.findall(r"<b>([\d.]+)</b>", line)],
            [float(x) for x in re.findall(r"<i>([\d.]+)</i>", line)],
        )
        for line in lines
    ]


@pytest.mark.parametrize("t", [1, 2, 5, 12])
@pytest.mark.parametrize("discount", [0.0, 0.25])
def test_two_orders_have_the_same_tops_and_bottoms_and_the_same_sum_of_logs(discount, t):
    asked = CRPSeatingSettings(customers=12, concentration=1.5, discount=discount, shuffle=1)
    run = SeatingRun(asked, 19)
    html = inspector.evening_view(run, t)
    (tops, bottoms), (other_tops, other_bottoms) = products(html)
    assert len(tops) == t
    assert t < 12 or tops != other_tops
    assert sorted(tops) == sorted(other_tops)
    assert bottoms == other_bottoms
    exact = log_joint(run.tables[run.order[:t]], 1.5, discount)
    assert sum(map(math.log, tops)) - sum(map(math.log, bottoms)) == pytest.approx(exact, abs=1e-4)
    said = [float(number.replace("−", "-")) for number in re.findall(r"log p = <b>(.*?)</b>", html)]
    assert said == [pytest.approx(exact, abs=6e-5)] * 3


@pytest.mark.parametrize("name", ["plain", "discount", "shuffled"])
def test_the_product_is_of_those_who_have_come_and_regrouped_it_is_the_same(name):
    run = RUNS[name]
    alpha, d = run.settings.concentration, run.settings.discount
    assert "The restaurant is empty" in words(inspector.evening_view(run, 0))
    for t in range(1, run.total + 1):
        html = inspector.evening_view(run, t)
        assert [len(tops) for tops, _ in products(html)] == [t] * (1 + run.shuffled)
        assert ("Regrouped" in html) == run.shuffled, "what a shuffle keeps is seen after one"
        if not run.shuffled:
            continue
        by_table = words(html.partition("Regrouped by table:")[2]).partition(", over the same")[0]
        if "…" in by_table:
            continue
        sizes = np.bincount(run.tables[run.order[:t]])
        factors = re.findall(r"(\d+) (\(?α.*?)(?= \d+ \(?α|$)", by_table)
        assert [int(table) - 1 for table, _ in factors] == np.flatnonzero(sizes).tolist()
        top = math.prod(eval(terms.replace("α", str(alpha)).replace("·", "*")) for _, terms in factors)
        bottom = math.prod(products(html)[0][1])
        assert math.log(top / bottom) == pytest.approx(log_joint(run.tables[run.order[:t]], alpha, d))


def test_as_they_came_there_is_one_product():
    html = inspector.evening_view(PLAIN, PLAIN.total)
    assert len(products(html)) == 1
    assert "Shuffle" not in html
    assert "As they came" in html


def test_a_long_product_leaves_out_its_middle_and_says_so():
    shuffled = SeatingRun(CROWDED.settings.model_copy(update={"shuffle": 1}), 1)
    html = inspector.evening_view(shuffled, shuffled.total)
    (tops, _), text = products(html)[0], words(html)
    assert len(tops) == inspector.FRACTIONS_SHOWN - 1
    assert f"… {400 - len(tops)} more …" in text
    tables = len(set(CROWDED.tables.tolist()))
    assert f"… {tables - 8} more" in text
    assert len(html) < 100_000


def test_a_product_that_just_fits_is_whole():
    ones = np.ones(14)
    assert "more" not in fractions(ones, ones, [1] * 14, 14)
    assert "… 2 more …" in fractions(np.ones(15), np.ones(15), [1] * 15, 14)


# ---- text is text ----------------------------------------------------------------------------------------------------


def test_names_and_titles_cannot_hold_html():
    evil = '<img src=x onerror="alert(1)">'
    options = [Option(evil, evil, 0, "1", 0.5), Option(evil, evil, None, "1", 0.5)]
    for html in (card(1, evil, ""), badge(evil, 0), dart(options, 0.5), score_table(options, 0, "how")):
        assert "<img" not in html
        assert "&lt;img" in html
