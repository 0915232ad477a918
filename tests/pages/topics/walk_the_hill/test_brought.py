"""Chains of one's own: what is drawn of them, how their diagnostics grow, and what their lesson says."""

from collections.abc import Mapping

import numpy as np
import pytest

from lessons.format.folders import SHIPPED
from lessons.own.draws import CHAINS, OwnDraws
from lessons.own.store import keep_own
from lessons.own.taking import Choice
from lessons.topics.walk_the_hill import WalkTheHillSettings
from pages.contract.film import Film
from pages.contract.stage import stage_of
from pages.topics.walk_the_hill.brought.scene import RANK_BINS, BroughtScene
from samplers import Chain
from samplers.diagnostics.convergence import diagnose
from tests.pages.html import words
from tests.pages.topics.walk_the_hill.own_chains import SWITCHED, own_chains
from tests.pages.visits import app

WARM, DRAWS = 5, 40


def looked_at(data: OwnDraws, **chosen: object) -> WalkTheHillSettings:
    return WalkTheHillSettings.model_validate({"data": "own", "own": keep_own(data), **chosen})


def scene_of(settings: WalkTheHillSettings) -> BroughtScene:
    scene: BroughtScene = stage_of("walk_the_hill").scene(settings, 0)  # type: ignore[attr-defined]
    return scene


def frames(settings: WalkTheHillSettings) -> Mapping[tuple[str, str], np.ndarray]:
    film: Film = stage_of("walk_the_hill").film(settings, 0)
    assert film.made(film.total) == film.total
    return film.frames(0, film.total + 1)


# ---- what is drawn ---------------------------------------------------------------------------------------------------


def test_every_frame_has_the_next_draw_of_every_chain():
    data = own_chains()
    settings, found = looked_at(data), frames(looked_at(data))
    scene = scene_of(settings)
    for chain in range(3):
        for along, letter in enumerate("xy"):
            column = found["past", f"{letter}_{chain}"][:, 0]
            assert np.isnan(column[0]), "the start is not recorded"
            own = scene.columns[along].own(column[1:].astype(float))
            np.testing.assert_allclose(own, data.values[chain, :, along], atol=1e-6)
    np.testing.assert_array_equal(found["past", "diverged"][1:, 0], 2 * data.divergent[1])
    assert found["say", "divergences"][[-1, WARM, WARM + 4], 0].tolist() == [2, 0, 1], (
        "those of the warm-up do not count"
    )
    assert found["say", "draws"][[0, WARM, -1], 0].tolist() == [0, 0, 3 * DRAWS]
    assert found["say", "warm"][:, 0].tolist() == [0, *[1] * WARM, *[0] * DRAWS]


def test_histograms_hold_the_draws_so_far_and_none_of_the_warm_up():
    data = own_chains()
    scene = scene_of(looked_at(data))
    assert scene.counts[WARM].sum() == 0
    for along, (low, high) in enumerate(scene.window):
        places = scene.places[:, WARM : WARM + 7, along]
        assert scene.counts[WARM + 7, along].sum() == ((places >= low) & (places < high)).sum()


def test_one_chain_fewer_draws_and_sorted_elements():
    data = own_chains()
    alone = scene_of(looked_at(data, chain="2", thin=3))
    np.testing.assert_array_equal(alone.shown.values[0], data.values[1, 2::3])
    assert (alone.total, alone.shown.warmup, alone.parts) == (15, 1, 2)
    assert looked_at(data, thin=3).iterations == 15
    ordered = scene_of(looked_at(data, names="smallest first"))
    np.testing.assert_array_equal(ordered.shown.values, np.sort(data.values, axis=2))
    assert scene_of(looked_at(data, chain="9")).chains == (0, 1, 2), "a number that there is not shows all"


# ---- diagnostics -----------------------------------------------------------------------------------------------------


def test_diagnostics_are_those_of_the_draws_so_far():
    data, found = own_chains(), frames(looked_at(own_chains()))
    scene = scene_of(looked_at(data))
    at, later = scene.marks[-3:-1].tolist()
    so_far = data.values[:, WARM:at]
    across, up = diagnose(so_far[:, :, 0]), diagnose(so_far[:, :, 1])
    assert found["past", "rhat_x"][at, 0] == pytest.approx(across.rhat - 1, abs=6e-4)
    assert found["say", "rhat_y"][at, 0] == pytest.approx(up.rhat, abs=6e-4)
    assert found["say", "bulk"][at, 0] == round(min(across.ess_bulk, up.ess_bulk))
    assert found["say", "tail"][at, 0] == round(min(across.ess_tail, up.ess_tail))
    assert np.isnan(found["past", "rhat_x"][at + 1 : later, 0]).all(), "a point where they are computed"
    text = words(stage_of("walk_the_hill").cards(looked_at(data), 0, "summary", at))
    assert f"{across.rhat:.3f}" in text


def test_rank_plots_count_the_ranks_among_all_chains():
    scene = scene_of(looked_at(own_chains()))
    last = scene.told(scene.total)
    assert last is not None
    of = scene.shown.drawn(scene.total)[:, :, 0]
    ranks = of.ravel().argsort().argsort().reshape(of.shape)
    for chain, own in enumerate(ranks):
        counts = np.bincount(own * RANK_BINS // of.size, minlength=RANK_BINS)
        np.testing.assert_allclose(last.ranks[0, chain], counts / (DRAWS / RANK_BINS))
    assert last.ranks.mean(axis=2) == pytest.approx(np.ones((2, 3)))


def test_a_switch_of_labels_is_counted_where_the_order_changes():
    data = own_chains()
    settings, (first, back) = looked_at(data), SWITCHED
    counted = frames(settings)["say", "switches"][:, 0]
    changes = np.flatnonzero(np.diff(counted))
    assert changes.tolist() == [WARM + first, WARM + back]
    assert settings.measure(Chain(settings.sampler(), 0), WARM + DRAWS)["switches"] == 2
    assert frames(looked_at(data, names="smallest first"))["say", "switches"].max() == 0
    plane, labels = stage_of("walk_the_hill").film(settings, 0).charts[:2]
    assert {key[1] for key in plane.legend} >= {"both equal", "✚ divergence"}
    assert [key[1] for key in labels.legend] == ["mu[1]", "mu[2]"]


def test_the_order_of_chains_that_disagree_is_mended_by_sorting():
    data = own_chains()
    swapped = OwnDraws(data.names, data.values.copy(), data.divergent, data.warmup, data.marked)
    swapped.values[2] = swapped.values[2, :, ::-1]
    at = WARM + DRAWS
    drawn, ordered = (
        settings.measure(Chain(settings.sampler(), 0), at)["rhat"]
        for settings in (looked_at(swapped), looked_at(swapped, names="smallest first"))
    )
    assert drawn > 1.5
    assert ordered < 1.1


# ---- on the page -----------------------------------------------------------------------------------------------------


def test_files_are_read_picked_from_and_kept():
    page = app("walk_the_hill.py", data="own")
    assert any("Your own chains" in each.value for each in page.info), "it says what to do"
    for name, factor in (("b", 3), ("a", 2)):
        rows = "".join(f"{n * factor % 7},1,{n * n % 5}.5\n" for n in range(20))
        page.file_uploader[0].upload(f"{name}.csv", f"x,z,y\n{rows}".encode(), "text/csv")
    page.run()
    assert not page.exception
    assert any("“z” is 1 in every draw" in each.value for each in page.error), "cause, place and remedy"
    page.selectbox(key=next(each.key for each in page.selectbox if each.label == "Up")).set_value("y").run()
    assert not page.error
    assert any("2 chains of 20 draws, from a table" in each.value for each in page.caption)
    assert not any("Your own chains" in each.value for each in page.info), "they walk"
    typed(page, "Warm-up draws of each chain", "half")
    assert any("number" in each.value for each in page.error)
    typed(page, "Warm-up draws of each chain", "5")
    assert any("2 chains of 15 draws" in each.value for each in page.caption)


def typed(page, label, text):
    next(field for field in page.text_input if field.label == label).set_value(text).run()
    assert not page.exception


# ---- the lesson ------------------------------------------------------------------------------------------------------


def test_what_the_lesson_says_of_its_file():
    raw = (SHIPPED / "funnel_chains.csv").read_bytes()
    data = CHAINS.take(raw, "funnel_chains.csv", Choice(("x", "v"))).data
    settings = looked_at(data)
    v, diverged = data.values[:, :, 1], data.divergent.astype(bool)
    assert v.shape == (4, 400)
    assert (v[diverged] < 0).mean() == pytest.approx(0.9, abs=0.05)
    assert (v < 0).mean() == pytest.approx(0.5, abs=0.02)
    assert v.mean(axis=1).round(2).tolist()[1] == -1.44
    assert (v.mean(axis=1)[[0, 2, 3]] > 0).all()
    assert max(len(list(run)) for run in _repeats(v[1])) > 30
    whole = settings.measure(Chain(settings.sampler(), 0), 400)
    assert (whole["rhat"], whole["ess"]) == (1.14, 20)
    highest = frames(settings)["ranks", "h_y"][400].reshape(4, -1).max(axis=1)
    assert highest.tolist() == [165, 400, 235, 225], "hundredths, of which the arrow beyond the axis writes the highest"
    thinned = looked_at(data, thin=4)
    assert thinned.measure(Chain(thinned.sampler(), 0), 100)["ess"] == pytest.approx(20, abs=3)


def _repeats(values: np.ndarray) -> list[np.ndarray]:
    return np.split(values, np.flatnonzero(np.diff(values)) + 1)


def test_the_file_of_the_lesson_is_what_our_sampler_makes():
    from samplers.gradient.nuts import NUTS
    from samplers.gradient.plane_targets import PLANE_TARGETS

    raw = (SHIPPED / "funnel_chains.csv").read_bytes()
    data = CHAINS.take(raw, "funnel_chains.csv", Choice(("x", "v"))).data
    for place in range(4):
        start = np.array([0.5 * place - 0.7, 1 - place / 2])
        chain = Chain(NUTS(PLANE_TARGETS["funnel"], 6, warmup=0, step_size=0.7, start=start), 20 + place)
        made = np.array([chain[t].position for t in range(1, 6)])
        np.testing.assert_allclose(data.values[place, :5], made, rtol=1e-3)
