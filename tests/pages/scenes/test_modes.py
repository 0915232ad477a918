"""A stage that is a table of modes leaves everything to the mode that the settings name; equal results are shared."""

from types import FunctionType

import pytest

from lessons.settings.modes import ModeSettings
from lessons.topics import STAGES
from lessons.topics.coin import CoinSettings
from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.contract.stage import Stage
from pages.scenes.modes import ModeStage
from pages.scenes.shared import key_of, shared
from tests.pages.topics.every_film import SETTINGS, stages

OF_MODES = {name: stage() for name, stage in stages().items() if issubclass(stage, ModeStage)}
OWN = {"written"}  # what a stage does by its other methods


@pytest.mark.parametrize("topic", OF_MODES)
def test_every_mode_of_the_table_has_a_film_among_all_and_no_film_lacks_a_mode(topic):
    assert {STAGES[topic](**row).mode for row in SETTINGS[topic]} == OF_MODES[topic].modes.keys()


@pytest.mark.parametrize("topic", [topic for topic in OF_MODES if issubclass(STAGES[topic], ModeSettings)])
def test_what_settings_tell_the_stage_draws_and_modes_name_controls_that_there_are(topic):
    settings = STAGES[topic]
    assert settings.modes.keys() == OF_MODES[topic].modes.keys()
    assert {name for mode in settings.modes.values() for name in mode.controls} <= {*settings.model_fields, "seed"}


def test_a_stage_without_a_table_has_no_mode():
    for topic in STAGES.keys() - OF_MODES.keys():
        assert {STAGES[topic](**row).mode for row in SETTINGS[topic]} == {""}


def test_all_that_a_stage_does_is_left_to_its_mode():
    does = {name for name, held in vars(Stage).items() if isinstance(held, FunctionType) and not name.startswith("_")}
    assert does - OWN <= vars(ModeStage).keys()


@pytest.mark.parametrize("topic", OF_MODES)
def test_what_modes_offer_the_stage_says_for_all(topic):
    stage = OF_MODES[topic]
    assert set(stage.opens) == {kind for mode in stage.modes.values() for kind in mode.opens}
    assert {stage.whole} == {mode.whole for mode in stage.modes.values()} - {""} | {stage.whole}
    assert all(mode.name == topic for mode in stage.modes.values())


def test_settings_that_differ_in_looks_share_what_is_made_and_others_do_not():
    @shared
    def made(settings, seed):
        return [settings, seed]

    @shared
    def other(settings, seed):
        return [settings, seed]

    plain = CRPMixtureSettings()
    first = made(plain, 1)
    assert first == [plain, 1]
    assert made(plain.model_copy(update={"prediction": "average"}), 1) is first
    assert made(plain, 2) is not first
    assert made(plain.model_copy(update={"points": 31}), 1) is not first
    assert other(plain, 1) is not first
    assert key_of(plain, 1) == key_of(plain.model_copy(update={"prediction": "average"}), 1)
    assert key_of(plain, 1) != key_of(CoinSettings(), 1)
