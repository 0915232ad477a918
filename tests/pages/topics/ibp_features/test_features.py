"""Binary features: the film, four beats of a bit, a row as a sum, and rows of the learner's own."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from lessons.data.csv_table import read_csv
from lessons.data.csv_text import OwnDataError
from lessons.own.rows import rows_of
from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.scenes.close_up import opened
from pages.topics.ibp_features import IBPFeaturesStage, inspector
from pages.topics.ibp_features.bits import Bits
from pages.topics.ibp_features.film import close_up_film, sweeps_film
from pages.topics.ibp_features.run import GONE
from samplers.buffet.linear_gaussian import Bit, Own
from tests.pages.html import rows, words
from tests.pages.visits import app, follow, head, upload
from tests.pages.visits import inspector as cards

CARDS = Bits.update
SMALL = IBPFeaturesSettings(rows=8, redrawn="all")


def test_a_frame_has_the_matrix_in_both_orders_and_the_sums():
    scene = IBPFeaturesStage().scene(SMALL, 5)
    state, frame = scene.run.state(12), sweeps_film(scene).frames(12, 13)
    names, shown = state.features, {name: column for column, name in enumerate(state.features) if name < 8}
    bits = frame["cells", "on"].reshape(8, 8)
    for name, column in shown.items():
        assert bits[:, name].tolist() == state.matrix[:, column].tolist()
    by_left = frame["cells", "left"].reshape(8, 8)[0]
    columns = [tuple(bits[:, name]) for name in sorted(shown, key=lambda name: by_left[name])]
    assert columns == sorted(columns, reverse=True)
    assert frame["cells", "name"].reshape(8, 8)[0][sorted(shown)].tolist() == list(range(len(shown)))
    sums = state.matrix @ scene.run.sampler.loadings(state)
    assert max(names) < 8
    assert frame["pixels", "sum"].reshape(8, 36) == pytest.approx(sums, abs=1e-5)


def test_a_row_is_put_together_from_all_features_though_only_the_first_eight_are_drawn():
    scene = IBPFeaturesStage().scene(replace_settings(SMALL, noise=0.05, redrawn="nothing"), 5)
    state, frame = scene.run.state(12), sweeps_film(scene).frames(12, 13)
    beyond = np.array(state.features) >= 8
    assert state.matrix[:, beyond].any()
    sums = state.matrix @ scene.run.sampler.loadings(state)
    assert frame["pixels", "sum"].reshape(8, 36) == pytest.approx(sums, abs=1e-5)


@pytest.mark.parametrize("kind", [Bit, Own])
def test_what_is_redrawn_is_not_counted_nor_put_together_while_it_is_open(kind):
    """The counts, and the sums of the rows, are of the bits that are not open."""
    scene = IBPFeaturesStage().scene(replace_settings(SMALL, step_by="update", sweep=4), 5)
    close_up = opened(scene.key, scene.run, 4)
    had = [
        (number, beat)
        for number, beat in enumerate(close_up)
        if isinstance(beat.update.site, kind)
        and (beat.before.matrix[beat.update.site.row].astype(bool) & (beat.lifted.counts == 1)).any()
    ]
    number, beat = had[0]
    film = close_up_film(scene, close_up)
    film.reach(4 * number + 4)
    frame = film.frames(4 * number + 2, 4 * number + 3)
    bits, counts = frame["cells", "on"].reshape(8, 8), frame["heads", "m"][0]
    named = counts != GONE
    assert (bits[beat.update.site.row] == 2).any()
    assert counts[named].tolist() == (bits == 1).sum(axis=0)[named].tolist()
    sums = (bits == 1) @ np.nan_to_num(frame["contents", "value"].reshape(8, 36))
    assert frame["pixels", "sum"].reshape(8, 36) == pytest.approx(sums, abs=1e-5)


def test_the_beats_of_a_bit_have_the_numbers_of_the_formula():
    settings = replace_settings(SMALL, step_by="update", sweep=4)
    scene = IBPFeaturesStage().scene(settings, 5)
    close_up = opened(scene.key, scene.run, 4)
    number = next(place for place, site in enumerate(close_up.sites) if isinstance(site, Bit))
    beat = close_up[number]
    site, before = beat.update.site, beat.before
    column = before.features.index(site.feature)
    rest = np.delete(before.matrix, site.row, axis=0)
    shared = rest.any(axis=0)
    own_features = int((before.matrix[site.row].astype(bool) & ~shared).sum())
    data = scene.rows.data
    precision = rest[:, shared].T @ rest[:, shared] + before.ratio * np.eye(shared.sum())
    expected = np.linalg.solve(precision, rest[:, shared].T @ np.delete(data, site.row, axis=0))
    weights = []
    for bit in (0, 1):
        z = before.matrix[site.row].copy()
        z[column] = bit
        z = z[shared]
        variance = before.noise**2 * (1 + z @ np.linalg.solve(precision, z)) + own_features * before.spread**2
        fit = stats.norm(z @ expected, math.sqrt(variance)).logpdf(data[site.row]).sum()
        others = int(rest[:, column].sum())
        weights.append((others if bit else 8 - others) * math.exp(fit))
    assert beat.update.conditional.probabilities == pytest.approx(np.array(weights) / sum(weights), rel=1e-6)
    shown = rows(CARDS.beat_by_beat(scene, close_up, 4 * number + 2))
    assert [row[0] for row in shown] == ["0", "1"]
    assert [row[1].split()[0] for row in shown] == [str(8 - others), str(others)]


def test_every_kind_of_update_is_told():
    scene = IBPFeaturesStage().scene(replace_settings(SMALL, step_by="update", sweep=4), 5)
    close_up = opened(scene.key, scene.run, 4)
    own_at = next(place for place, site in enumerate(close_up.sites) if isinstance(site, Own))
    rate = close_up[own_at].before.concentration / 8
    assert f"Poisson probability with mean {rate:.3g}" in words(CARDS.beat_by_beat(scene, close_up, 4 * own_at + 4))
    last = len(close_up)
    assert f"α = {close_up[last - 1].after.concentration:.3f}" in words(CARDS.beat_by_beat(scene, close_up, 4 * last))
    assert f"σₓ = {close_up[last - 2].after.noise:.3f}" in words(CARDS.beat_by_beat(scene, close_up, 4 * last - 4))


def test_features_are_turned_by_hand():
    scene = IBPFeaturesStage().scene(SMALL, 5)
    state = scene.run.state(12)
    names, chosen = inspector.features_of(scene, state)
    turned = replace(scene, settings=replace_settings(SMALL, turned=1 << names[0]))
    assert set(inspector.features_of(turned, state)[1]) ^ set(chosen) == {names[0]}
    assert "Turned by hand" in inspector.as_sum(turned, state)
    assert "Turned by hand" not in inspector.as_sum(scene, state)


def test_columns_of_a_file_become_tiles():
    text = "a,b,c,d,e\n" + "\n".join(",".join(str(row * column % 7) for column in range(1, 6)) for row in range(9))
    table = read_csv(text.encode(), "a.csv")
    found = rows_of(table, table.columns, standardise=True).data
    assert found.data.shape == (9, 5)
    assert found.tile == (2, 3)
    assert rows_of(table, table.columns[:4], standardise=True).data.tile == (1, 4)
    with pytest.raises(OwnDataError, match="Choose one column, or up to 4 different ones"):
        table.points(table.columns, True, 100, 4)


def replace_settings(settings, **changes):
    return settings.model_copy(update=changes)


def test_a_file_plays_and_its_rows_are_sums():
    test = app("ibp_features.py", data="own", view="sum")
    lines = [f"{row % 3},{(row * 5) % 7},{row % 2}" for row in range(20)]
    upload(test, "\n".join(["x,y,z", *lines]).encode())
    assert head(test)["total"] == 2000
    follow(test, **{**test.query_params, "t": "9"})
    said = cards(test)
    assert "Row 1" in said
    assert "Sum of squares left over" in said
    follow(test, data="tiny", view="truth", t="30")
    assert "classes of matrices" in cards(test)
