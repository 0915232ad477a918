"""The numbers in the mixture's inspector are those of the samplers: cards, clusters, chains and truth."""

import re

import numpy as np
import pytest

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.contract.tools import Verdict
from pages.scenes.close_up import FORGET, REMEMBER, SAMPLE, SCORE, Beat, four_beats
from pages.scenes.points import inspector, panels
from pages.scenes.points.crp import LEFT_IN
from pages.scenes.points.film import sweeps_film
from pages.scenes.points.scene import MixtureScene
from pages.topics.crp_mixture.chains import beside_truth as truth
from pages.topics.crp_mixture.chains import followed, scene_of
from samplers.crp.mixture import co_clustering
from samplers.crp.wrong import AllLabelsAtOnce
from samplers.diagnostics.convergence import (
    Diagnosis,
    diagnose,
)
from tests.pages.html import charts, rows, words
from tests.pages.scenes.points.scenes import ALL, SEED, SETTINGS, SWEEPS, grown, own, scene
from tests.pages.scenes.points.support import cards_of

every = pytest.mark.parametrize("name", ALL)


def points_of(name: str, sweep: int) -> tuple[MixtureScene, list[Beat]]:
    made = scene(name)
    return made, [beat for beat in made.runs[0].close_up(sweep) if not beat.is_block]


# ---- the four cards --------------------------------------------------------------------------------------------------


def bodies(html: str) -> list[str]:
    return [words(body) for body in re.findall(r"<section[^>]*>(.*?)</section>", html, re.DOTALL)]


def worth(terms: str) -> float:
    """Compute "2 / 29 · 0.31" as it stands on the screen, with a power of ten or without."""
    count, bottom, fit = re.fullmatch(r"(\S+) / (\S+) · (.+)", terms).groups()
    return float(count) / float(bottom) * float(fit.replace("·10 −", "e-").replace("·10 ", "e"))


@every
@pytest.mark.parametrize("sweep", [1, 40])
def test_what_stands_under_score_are_the_terms_of_the_update(name, sweep):
    made, beats = points_of(name, sweep)
    for beat in beats:
        law = beat.update.conditional
        lines = rows(cards_of(made, beat))
        if len(law.probabilities) > len(lines):
            assert "more, together" in lines[-1][1]
            continue
        names = [str(table + 1) for table in list(beat.lifted.clusters)]
        assert [line[0] for line in lines] == names + ["+"] * (len(lines) - len(names))
        for i, (_, terms, probability) in enumerate(lines):
            assert float(probability) == pytest.approx(law.probabilities[i], abs=6e-4)
            exact = np.exp([law.terms[term][i] for term in ("customers already there", "fit")])
            bottom = len(made.data) - 1 + beat.lifted.concentration
            if not np.isnan(worth(terms)):
                assert worth(terms) == pytest.approx(exact[0] / bottom * exact[1], rel=6e-3)


@every
def test_forget_and_remember_name_the_tables_and_their_counts(name):
    made, beats = points_of(name, 7)
    for beat in beats:
        forget, _, sample, remember = bodies(cards_of(made, beat))
        point, left, joined = (
            beat.update.site,
            beat.before.labels[beat.update.site],
            beat.after.labels[beat.update.site],
        )
        late = isinstance(made.model.sampler, AllLabelsAtOnce)
        there = [*beat.before.labels].count(left) if late else beat.before.clusters[left].count
        assert f"Point {point + 1} is lifted out of table {left + 1}." in forget
        stays = late or isinstance(made.model.sampler, LEFT_IN)  # and should go: what the rule does is under Score
        alone = f"so its table {'should vanish' if stays else 'vanishes'}."
        shared = f"Its count{' should go' if stays else ':'} {there} → {there - 1}"
        assert (alone if there == 1 else shared) in forget
        if beat.update.value < len(list(beat.lifted.clusters)):
            now = beat.after.clusters[joined].count
            assert f"sits down at table {joined + 1}, which has {now} now" in remember
        else:
            assert f"opens table {joined + 1}." in remember
        assert f"Random number: {beat.update.uniform:.3f}." in sample


@every
def test_the_dart_lies_on_the_piece_of_the_table_that_was_taken(name):
    made, beats = points_of(name, 11)
    for beat in beats:
        html = cards_of(made, beat)
        at = float(re.search(r'class="arrow"[^>]* style="left:([\d.]+)%', html)[1])
        line = re.search(r'class="line">(.*?)</div>', html, re.DOTALL)[1]
        ends = np.cumsum([float(width) for width in re.findall(r"width:([\d.]+)%", line)])
        assert ends[-1] == pytest.approx(100, abs=0.01 * len(ends))
        value = beat.update.value
        start = 0 if value == 0 else ends[value - 1]
        assert start - 0.02 <= at <= ends[value] + 0.02


@pytest.mark.parametrize("reached", [FORGET, SCORE, SAMPLE, REMEMBER])
def test_cards_come_one_after_the_other_and_tell_nothing_before(reached):
    made, beats = points_of("seven points", 7)
    for beat in beats:
        html = cards_of(made, beat, reached)
        parts = bodies(html)
        assert [part.endswith("Not yet.") for part in parts] == [False] * reached + [True] * (4 - reached)
        assert ('class="chosen"' in html) == (reached >= SAMPLE)
        assert html.count('class="beat main"') == 1


def test_a_guess_is_judged_by_what_came_and_told_how_likely_it_was():
    for beat in points_of("seven points", 7)[1]:
        for guess, chance in enumerate(beat.update.conditional.probabilities):
            verdict = "As you guessed" if guess == beat.update.value else "Not as you guessed"
            assert inspector.verdict(beat, guess) == Verdict(verdict, chance)


def test_the_concentrations_cards_have_its_numbers():
    made = scene("line, learned")
    beat = made.run.close_up(5)[-1]
    block = made.model.block(beat)
    law, parts = beat.update.conditional, bodies(four_beats(block, main=REMEMBER))
    assert f"α was {beat.before.concentration:.3g}" in parts[0]
    assert f"{len(beat.before.clusters)} tables, 25 points, and a Gamma(1, 1) prior" in parts[1]
    assert f"is {law.auxiliary:.3f}" in parts[2]
    assert f"α is now {beat.after.concentration:.3g}" in parts[3]
    assert [part.endswith("Not yet.") for part in bodies(four_beats(block, SCORE))] == [0, 0, 1, 1]


def test_in_large_units_the_numbers_shown_still_make_the_probabilities():
    data = 3_000 * np.random.default_rng(1).normal(size=(12, 2))
    made = own(data, ("income", "rent"), start="prior")
    beat = max(made.runs[0].close_up(30), key=lambda beat: len(list(beat.lifted.clusters)))
    lines = rows(cards_of(made, beat))
    shown_as = [(terms, float(p)) for _, terms, p in lines if "/" in terms]
    weights = np.array([worth(terms) for terms, _ in shown_as])
    assert weights / weights.sum() == pytest.approx([p for _, p in shown_as], abs=0.01)


# ---- clusters --------------------------------------------------------------------------------------------------------


def cells(html: str) -> list[list[str]]:
    found = re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.DOTALL)
    return [[words(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)] for row in found]


@every
@pytest.mark.parametrize("sweep", [0, 33])
def test_the_table_of_clusters_has_their_parameters(name, sweep):
    made = scene(name)
    state = made.runs[0].state(sweep)
    html = panels._cluster_table(made, made.runs[0], sweep)
    head, *lines = cells(html)
    assert head == ["", "points", *(f"mean {column.name}" for column in made.columns), "spread"]
    assert f"α = {state.concentration:.3g}" in words(html)
    whole, seating, points = re.search(r"Log joint (\S+) = seating (\S+) \+ points (\S+)\.", words(html)).groups()
    parts = [float(part.replace("−", "-")) for part in (seating, points)]
    assert float(whole.replace("−", "-")) == pytest.approx(made.runs[0].sampler.log_joint(state), abs=0.051)
    assert parts[1] == pytest.approx(sum(cluster.log_marginal() for cluster in state.clusters.values()), abs=0.051)
    assert sum(parts) == pytest.approx(float(whole.replace("−", "-")), abs=0.11)
    listed = lines[: panels.TABLES_LISTED]
    assert [int(line[1]) for line in listed] == sorted(state.counts, reverse=True)[: panels.TABLES_LISTED]
    for badge, size, *numbers in listed:
        law = state.clusters[int(badge) - 1].posterior().typical()
        assert int(size) == state.labels.count(int(badge) - 1)
        means = [float(number.replace("−", "-")) for number in numbers[:-1]]
        assert means == pytest.approx(law.mean.tolist(), abs=0.006)
        spread = [float(number) for number in numbers[-1].split("·")]
        assert spread == pytest.approx(np.sqrt(np.diag(law.covariance)).tolist(), abs=0.006)
    left_out = len(state.clusters) - panels.TABLES_LISTED
    assert (f"and {left_out} smaller ones" in words(html)) == (left_out > 0)


def test_a_file_keeps_its_own_units_and_the_sampler_its_run():
    data = np.random.default_rng(5).normal(size=(12, 2))
    plain, file = own(data, ("a", "b")), own(data, ("height", "weight"), units=((170.0, 10.0), (7e4, 1e4)))
    assert np.array_equal(plain.run.labels[: SWEEPS + 1], file.run.labels[: SWEEPS + 1])
    assert np.array_equal(plain.run.log_joint[: SWEEPS + 1], file.run.log_joint[: SWEEPS + 1])
    (_, *tables), (head, *lines) = (cells(panels._cluster_table(made, made.run, 33)) for made in (plain, file))
    assert head == ["", "points", "mean height", "mean weight", "spread"]
    for was, line in zip(tables, lines, strict=True):
        a, b, *spread = (float(text.replace("−", "-")) for text in (*was[2:4], *was[4].split("·")))
        found = [float(text) for text in (*line[2:4], *line[4].split("·"))]
        expected = [170 + 10 * a, 7e4 + 1e4 * b, 10 * spread[0], 1e4 * spread[1]]
        assert found == pytest.approx(expected, abs=60)
        assert found[::2] == pytest.approx(expected[::2], abs=0.11)
    beat = file.run.close_up(33)[0]
    assert "standard deviations" in cards_of(file, beat)
    assert "standard deviations" not in cards_of(plain, beat)
    spec = sweeps_film(file).charts[0].spec
    axes = [layer["encoding"][side]["axis"] for layer in spec["layer"][:1] for side in "xy"]
    assert [axis["labelExpr"].split(" * ")[0] for axis in axes] == ["format(170.0 + 10.0", "format(70000.0 + 10000.0"]


@pytest.mark.parametrize("sweep", [0, 1, 33])
def test_who_sits_with_whom_is_counted(sweep):
    made = scene("plane")
    (matrix,) = charts(panels.clusters(made, sweep))
    labels = np.array([made.runs[0].state(t).labels for t in (range(1, sweep + 1) if sweep else [0])])
    order = [row["point"] - 1 for row in matrix["sets"]["points"]]
    assert sorted(order) == list(range(len(made.data)))
    expected = co_clustering(labels)[np.ix_(order, order)]
    assert np.reshape(matrix["sets"]["cells"], expected.shape) == pytest.approx(expected, abs=6e-3)
    tables = [made.runs[0].state(sweep).labels[point] for point in order]
    assert tables == sorted(tables), "in the order of their tables"


def test_of_many_points_and_sweeps_the_matrix_shows_some():
    html = panels.clusters(grown(scene_of(CRPMixtureSettings(points=200, data_seed=9), SEED), 30), 30)
    (matrix,) = charts(html)
    assert len(matrix["sets"]["cells"]) == panels.MATRIX_POINTS**2


EVIL = "<script>alert('x')</script>"


def test_names_of_columns_cannot_hold_html():
    made = own(np.random.default_rng(0).normal(size=(6, 2)), (EVIL, "<img src=x onerror=alert(1)>"))
    html = panels.clusters(made, 5) + truth(made, 50)
    html += panels.chains(made, 50, followed(made)) + cards_of(made, made.run.close_up(1)[0])
    assert html.count("<script") == len(charts(html)), "none but those of charts"
    assert "<img" not in html
    assert EVIL in words(html), "as text it is there"


# ---- chains ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("sweep", [8, 120])
def test_the_diagnoses_are_those_of_the_chains(name, sweep):
    made = scene(name)
    html = panels.chains(made, sweep, followed(made))
    series = {"number of tables": "tables", "log joint": "log_joint", "concentration": "concentration"}
    lines = {line[0]: line[1:] for line in cells(html)[1:]}
    assert set(lines) == set(series) - (set() if "learned" in name else {"concentration"})
    for title, shown_there in lines.items():
        draws = np.array([getattr(run, series[title])[sweep // 2 + 1 : sweep + 1] for run in made.runs], float)
        found = diagnose(draws)
        assert int(shown_there[0]) == found.draws == sweep // 2 * len(made.runs)
        for text, value in zip(shown_there[1:4], (found.ess_bulk, found.ess_tail, found.rhat), strict=True):
            said = value is not None and not found.too_few_for_rhat
            assert (text in ("–", "too few draws")) != said
            if said:
                assert float(text.replace("∞", "inf")) == pytest.approx(value, rel=1e-3, abs=0.51)
        mean, sign, _ = shown_there[4].replace("−", "-").partition(" ± ")
        assert float(mean) == pytest.approx(draws.mean(), rel=1e-3)
        assert not (sign and found.too_few_for_rhat)
    assert ("2 chains" in words(html)) == (len(made.runs) == 2)


def test_a_branch_is_judged_from_the_branch_on():
    made = grown(scene_of(CRPMixtureSettings(points=30, second="branch", branch_at=40), SEED), 100)
    html = panels.chains(made, 100, followed(made))
    found = diagnose([run.tables[71:101] for run in made.runs])
    assert cells(html)[1][1] == str(found.draws) == "60"
    assert panels.rhat(found) in html
    assert "2 chains, sweeps 71 to 100: the first half since the branch is left out." in words(html)
    assert panels.chains(made, 46, followed(made)) == panels.TOO_FEW


@pytest.mark.parametrize("sweep", [0, 6])
def test_too_few_sweeps_are_said(sweep):
    assert panels.chains(scene("plane"), sweep, followed(scene("plane"))) == panels.TOO_FEW


def test_chains_that_stand_still_elsewhere_have_an_infinite_r_hat():
    line = panels._diagnosis("K", [np.full(20, 1), np.full(20, 2)])
    assert diagnose([[1] * 20, [2] * 20]).rhat == np.inf
    assert line[4] == "<b>∞</b>"
    assert "<td><b>∞</b></td>" in panels.diagnoses({"K": [np.full(20, 1), np.full(20, 2)]})


def test_what_cannot_be_said_is_a_dash():
    assert diagnose([[1] * 40]) == Diagnosis(None, None, None, None, 40, 1)
    assert panels._diagnosis("K", [np.full(40, 1)]) == ("K", "40", "–", "–", "–", "1")
    assert panels._diagnosis("K", [np.full(20, 1)])[2:] == ("too few draws",) * 3 + ("1",)


def test_where_r_hat_has_too_few_draws_sizes_and_errors_have_too():
    fewest = np.arange(20) % 3  # two chains of 20 draws are four parts of ten
    enough, short = [fewest, fewest + 1], [fewest[:19], fewest[:19] + 1]
    line = panels._diagnosis("K", enough)
    assert "too few draws" not in line
    assert "±" in line[5]
    assert panels._diagnosis("K", short)[2:5] == ("too few draws",) * 3
    assert "±" not in panels._diagnosis("K", short)[5]


@pytest.mark.parametrize(("value", "text"), [(1.0, "1.000"), (1.01, "1.010"), (1.0101, "<b>1.010</b>"), (None, "–")])
def test_an_r_hat_above_the_line_is_set_off(value, text):
    assert panels.rhat(Diagnosis(value, None, None, None, 40, 2)) == text
    assert panels.rhat(Diagnosis(None, 3.0, 3.0, 1.0, 38, 2)) == "too few draws"


# ---- truth -----------------------------------------------------------------------------------------------------------
