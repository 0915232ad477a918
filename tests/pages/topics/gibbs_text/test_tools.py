"""The box with a message's number is there where it chooses one, and nowhere else."""

import pytest

from lessons.flow import Answers, Place
from lessons.topics.gibbs_text import GibbsTextSettings
from pages.contract.tools import Number
from pages.embed.standing import Standing
from pages.topics.gibbs_text import GibbsTextStage

BESIDE_EVERY_VIEW = ("update", "text", "truth")


@pytest.mark.parametrize(
    ("changes", "views"),
    [
        ({}, BESIDE_EVERY_VIEW),
        ({"step_by": "update", "sweep": 1}, ()),  # the update under way says which message is shown
        ({"layout": "statistics"}, ("update", "text")),
        ({"layout": "statistics", "statistic": "open_message"}, BESIDE_EVERY_VIEW),
    ],
)
def test_a_message_is_chosen_where_it_is_shown(changes, views):
    stage, settings = GibbsTextStage(), GibbsTextSettings(data="six_messages", **changes)
    for view in BESIDE_EVERY_VIEW:
        tools = stage.actions(Standing(Place(stage, settings, seed=3, t=2, view=view), Answers()))
        assert any(isinstance(tool, Number) for tool in tools) == (view in views), view
