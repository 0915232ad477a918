"""The film of an evening against the chain that it shows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.drawing.palette import COLORS
from pages.topics.crp_seating.bar import ENDS
from pages.topics.crp_seating.dishes import served
from pages.topics.crp_seating.run import NEVER, RANKS, SeatingRun
from samplers import Chain
from samplers.crp.facts import log_joint, relabel, table_count_moments, table_count_pmf
from samplers.crp.seating import CRPSeating

SETTINGS = [
    CRPSeatingSettings(customers=40),
    CRPSeatingSettings(customers=1),
    CRPSeatingSettings(customers=40, concentration=8.0),
    CRPSeatingSettings(customers=40, discount=0.4),
    CRPSeatingSettings(customers=40, door="stick", concentration=3.0),
]
SHUFFLED = [a.model_copy(update={"shuffle": 3}) for a in SETTINGS]
RUNS = [SeatingRun(a, seed) for seed, a in enumerate(SETTINGS + SHUFFLED)]
EVERY = pytest.mark.parametrize("run", RUNS, ids=lambda run: run.settings.model_dump_json())


def sizes_at(run: SeatingRun, t: int) -> np.ndarray:
    """Customers at each table after t arrivals, counted one by one."""
    counts = np.zeros(int(run.tables.max()) + 1, int)
    for person in run.order[:t]:
        counts[run.tables[person]] += 1
    return counts


@EVERY
def test_frames_say_what_the_chain_did_at_every_iteration(run):
    frames = run.film.frames(0, run.total + 1)
    mean, _ = table_count_moments(run.total, run.settings.concentration, run.settings.discount)
    for t in range(run.total + 1):
        counts = sizes_at(run, t)
        if not run.shuffled:
            states = run.chain[t].counts
            np.testing.assert_array_equal(counts[: len(states)], states)
        with_new = np.append(counts, 0)  # there is always a place for a new table
        np.testing.assert_array_equal(frames["tables", "count"][t], with_new)
        said = {name: float(values[t, 0]) for (data_set, name), values in frames.items() if data_set == "say"}
        assert said == {
            "customers": t,
            "tables": np.count_nonzero(counts),
            "largest": counts.max(),
            "alone": np.count_nonzero(counts == 1),
            "mean": pytest.approx(mean[t - 1] if t else 0.0),
            "fresh": pytest.approx(served(run, t).fresh),
        }
        assert frames["base", "fresh"][t, 0] == pytest.approx(served(run, t).fresh)
        assert frames["now", "many"][t, 0] == np.count_nonzero(counts)
        ranked = np.sort(counts)[::-1][:RANKS]
        np.testing.assert_array_equal(frames["ranks", "count"][t], ranked)
        named = frames["ranks", "table"][t].astype(int) - 1
        np.testing.assert_array_equal(counts[named], ranked)
        np.testing.assert_array_equal(frames["ranks", "color"][t], named % len(COLORS))


def parts_of(run: SeatingRun, t: int, when: str) -> dict[int, tuple[float, float]]:
    """Return where the parts of the bar begin and end after t arrivals, by table; 0 is a new one."""
    low = run.film.frames(t, t + 1)["bar", when][0] / ENDS
    names = run.film.data["bar"]["part"]
    return {name: ends for name, *ends in zip(names, low, [*low[1:], 1.0], strict=True) if ends[1] > ends[0]}


@EVERY
def test_the_bar_has_the_probabilities_of_the_customer_who_comes_and_of_the_one_who_has_sat_down(run):
    for t in range(1, run.total + 1):
        arrival = run.arrival(t)
        names = [*arrival.tables, 0] if not run.has_stick else [*range(1, len(arrival.tables) + 1), 0]
        expected = dict(zip(names, arrival.conditional.probabilities, strict=True))
        for parts in [parts_of(run, t - 1, "next"), *([] if run.has_stick else [parts_of(run, t, "was")])]:
            assert list(parts) == [*sorted(names[:-1]), 0]
            assert {name: high - low for name, (low, high) in parts.items()} == pytest.approx(expected, abs=4e-5)


def test_a_stick_breaks_at_the_arrival_that_opens_a_table_and_its_pieces_stay():
    run = RUNS[4]
    bar = run.film.data["bar"]
    tables = len(bar["part"]) - 1
    np.testing.assert_allclose(np.subtract(bar["to"], bar["from"])[:-1], run.chain[40].sticks, atol=2e-4)
    for table in range(1, tables + 1):
        since, ends = bar["since"][table - 1], (bar["from"][table - 1], bar["to"][table - 1])
        assert run.arrival(since).name == table
        assert table not in parts_of(run, since - 1, "was")
        for t in {since, run.total}:
            assert parts_of(run, t, "was")[table] == pytest.approx(ends, abs=2e-4)
    assert bar["since"][-1] == NEVER
    assert {*RUNS[0].film.data["bar"]["since"]} == {NEVER}


def test_every_dart_lies_in_the_part_of_the_table_that_was_chosen_and_nobody_who_was_shuffled_throws_one():
    for run in RUNS:
        darts = run.film.data["darts"]
        if run.shuffled:
            assert darts["arrival"] == [NEVER]
            continue
        assert darts["arrival"] == list(range(1, run.total + 1))
        for t, at in zip(darts["arrival"], darts["at"], strict=True):
            arrival = run.arrival(t)
            low, high = parts_of(run, t - 1, "next")[arrival.name if arrival.option < len(arrival.tables) else 0]
            assert low - 2e-4 <= at <= high + 2e-4


def test_the_tallest_bar_has_room_for_its_number():
    for run in RUNS:
        assert run.film.params["largest"] >= 1.15 * run.counts[-1].max()


@EVERY
def test_customers_sit_where_they_chose_in_the_order_in_which_they_came(run):
    film = run.film
    assert len(film.data["customers"]["name"]) == run.total
    np.testing.assert_array_equal(np.array(film.data["customers"]["name"]) - 1, run.tables)
    np.testing.assert_array_equal(np.argsort(film.data["customers"]["arrival"]), run.order)


@EVERY
def test_the_histogram_is_of_all_restaurants_beside_the_exact_law(run):
    shown = run.film.data["many"]
    assert sum(shown["share"]) == pytest.approx(1, abs=1e-3)
    exact = table_count_pmf(run.total, run.settings.concentration, run.settings.discount)
    np.testing.assert_allclose(shown["exact"], exact[shown["number"]], rtol=1e-3, atol=1e-12)
    assert sum(shown["exact"]) > 0.99
    assert np.abs(np.array(shown["share"]) - shown["exact"]).max() < 0.08  # five standard deviations of 1,000 coins


@pytest.mark.parametrize("name", ["log1p", "log"])
def test_the_two_approximations_and_the_mean_are_as_in_the_formulas(name):
    facts = RUNS[2].film.data["facts"]
    alpha, n = 8.0, np.arange(1, 41)
    formula = {"log1p": alpha * np.log(1 + n / alpha), "log": alpha * np.log(n)}[name]
    np.testing.assert_allclose(facts[name], formula, rtol=1e-3)
    mean = np.cumsum(alpha / (alpha + n - 1))
    np.testing.assert_allclose(facts["mean"], mean, rtol=1e-3)
    sd = np.sqrt(np.cumsum(alpha * (n - 1) / (alpha + n - 1) ** 2))
    np.testing.assert_allclose(facts["high"], mean + sd, rtol=1e-3)
    np.testing.assert_allclose(facts["low"], np.maximum(mean - sd, 0), rtol=1e-3, atol=1e-3)


# ---- one arrival -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", RUNS[: len(SETTINGS)])
def test_an_arrival_is_the_chains_own_update(run):
    for t in range(1, run.total + 1):
        arrival, before = run.arrival(t), run.chain[t - 1]
        update = Chain(run.settings.sampler(), run.seed).record(t)[0]
        np.testing.assert_array_equal(arrival.conditional.probabilities, update.conditional.probabilities)
        assert arrival.uniform == update.uniform
        assert list(arrival.counts) == before.counts
        assert (arrival.order, arrival.person, arrival.option) == (t, t, update.value)
        assert arrival.name == run.tables[t - 1] + 1
        assert arrival.name == ([*arrival.tables, len(arrival.tables) + 1][arrival.option])


@pytest.mark.parametrize("run", RUNS[len(SETTINGS) :])
def test_a_shuffled_arrival_is_scored_by_the_rule_at_the_tables_as_they_then_are(run):
    alpha, discount = run.settings.concentration, run.settings.discount
    for t in range(1, run.total + 1):
        arrival = run.arrival(t)
        counts = sizes_at(run, t - 1)
        assert dict(zip(arrival.tables, arrival.counts, strict=True)) == {
            table + 1: count for table, count in enumerate(counts) if count
        }
        weights = [count - discount for count in arrival.counts] + [alpha + discount * len(arrival.counts)]
        np.testing.assert_allclose(arrival.conditional.probabilities, np.array(weights) / sum(weights))
        assert arrival.person == run.order[t - 1] + 1
        assert arrival.name == run.tables[arrival.person - 1] + 1
        is_new = counts[arrival.name - 1] == 0
        assert arrival.option == (len(arrival.tables) if is_new else arrival.tables.index(arrival.name))


# ---- order does not matter -------------------------------------------------------------------------------------------


@given(
    concentration=st.floats(0.1, 50),
    discount=st.floats(0, 0.9),
    customers=st.integers(2, 60),
    shuffle=st.integers(1, 999),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=30, deadline=None)
def test_a_shuffled_evening_has_the_same_seating_and_the_same_probability(
    concentration, discount, customers, shuffle, seed
):
    asked = CRPSeatingSettings(concentration=concentration, discount=discount, customers=customers)
    first = SeatingRun(asked, seed)
    other = SeatingRun(asked.model_copy(update={"shuffle": shuffle}), seed)
    np.testing.assert_array_equal(first.tables, other.tables)
    np.testing.assert_array_equal(first.counts[-1], other.counts[-1])
    assert sorted(other.order) == list(range(customers))
    product = sum(
        np.log(other.arrival(t).conditional.probabilities[other.arrival(t).option]) for t in range(1, customers + 1)
    )
    assert product == pytest.approx(log_joint(first.tables, concentration, discount), abs=1e-8)
    assert product == pytest.approx(CRPSeating(concentration, discount).log_joint(first.chain[customers]), abs=1e-8)


def test_shuffles_differ_from_one_another_and_can_be_repeated():
    orders = [SeatingRun(CRPSeatingSettings(shuffle=shuffle), 7).order for shuffle in range(4)]
    assert len({tuple(order) for order in orders}) == 4
    np.testing.assert_array_equal(orders[3], SeatingRun(CRPSeatingSettings(shuffle=3), 7).order)
    np.testing.assert_array_equal(orders[0], np.arange(60))


def test_tables_are_numbered_by_opening():
    for run in RUNS:
        np.testing.assert_array_equal(run.tables, relabel(run.tables))


# ---- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.1, 50.0])
@pytest.mark.parametrize("discount", [0.0, 0.9])
@pytest.mark.parametrize("customers", [1, 2, 500])
@pytest.mark.parametrize("door", ["seating", "stick"])
def test_at_the_limits_of_the_settings_the_film_goes_over_the_wire(alpha, discount, customers, door):
    asked = CRPSeatingSettings(concentration=alpha, discount=discount, customers=customers, door=door)
    film = SeatingRun(asked, 2**32 - 1).film
    assert len(film.packed(0, film.total + 1)) < 2_000_000
    numbers = [value for fields in film.staying.values() for values in fields.values() for value in values]
    assert all(np.isfinite(number) for number in numbers if number is not None and not isinstance(number, str))


@pytest.mark.parametrize(("shuffle", "moves"), [(0, [(8, 1), (3, 5), (2, 7)]), (2, [(1, 8), (1, 8)])])
def test_arrivals_that_are_moved_come_in_the_new_order_and_sit_where_they_sat(shuffle, moves):
    settings = CRPSeatingSettings(customers=8, shuffle=shuffle)
    run = SeatingRun(settings, 36)
    order, sits = run.order.tolist(), run.tables.tolist()
    for which, to in moves:
        order.insert(to - 1, order.pop(which - 1))
        run = SeatingRun(settings.model_copy(update={"arrivals": run.moved(which, to)}), 36)
        assert run.order.tolist() == order
        assert run.tables.tolist() == sits
        assert run.shuffled


@pytest.mark.parametrize("arrivals", ["9.2.2.0.1", "2.1.3", "2.1"])
def test_an_order_that_does_not_fit_is_followed_as_far_as_it_does(arrivals):
    run = SeatingRun(CRPSeatingSettings(customers=8, arrivals=arrivals), 36)
    assert run.order.tolist() == [1, 0, 2, 3, 4, 5, 6, 7]
    assert not SeatingRun(CRPSeatingSettings(customers=8, arrivals="1.2"), 36).shuffled
