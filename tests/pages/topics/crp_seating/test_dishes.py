import numpy as np
import pytest

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.topics.crp_seating.dishes import panel, served
from pages.topics.crp_seating.run import SeatingRun
from tests.pages.html import words


def run(**settings: object) -> SeatingRun:
    return SeatingRun(CRPSeatingSettings(customers=40, **settings), 7)


@pytest.mark.parametrize("settings", [{}, {"concentration": 5.0}, {"discount": 0.5}], ids=str)
def test_shares_are_those_by_which_the_next_customer_chooses(settings):
    made = run(**settings)
    for t in (1, 12, 39):
        now, next_one = served(made, t), made.arrival(t + 1)
        assert now.tables.tolist() == sorted(next_one.tables)
        chosen = dict(zip(next_one.tables, next_one.conditional.probabilities, strict=False))
        np.testing.assert_allclose(now.shares, [chosen[table] for table in now.tables.tolist()])
        assert now.fresh == pytest.approx(next_one.conditional.probabilities[-1])


def test_a_dish_stays_where_it_is():
    made = run()
    early, late = served(made, 10), served(made, 40)
    kept = np.isin(late.tables, early.tables)
    np.testing.assert_array_equal(late.places[kept], early.places)


def test_before_anybody_comes_there_is_the_base_alone():
    now = served(run(), 0)
    assert (len(now.tables), now.fresh) == (0, 1.0)
    assert "0 dishes" in panel(run(), 0)


def test_a_discount_has_another_name():
    assert "Dirichlet process" in words(panel(run(), 12))
    assert "Pitman–Yor process" in words(panel(run(discount=0.5), 12))
