"""A card of scores marks what was drawn only once it has been drawn: until then it would tell."""

import pytest

from lessons.topics import STAGES
from pages.scenes.close_up import SAMPLE, SCORE, under_way
from tests.pages.topics.every_film import SEED, SETTINGS, stages
from tests.pages.waiting import waited

OPENED = [
    (stage, changes)
    for stage, rows in SETTINGS.items()
    for changes in rows
    if changes.get("step_by") == "update" and changes.get("method") not in ("tempering", "means")
]
FRAMES = (2, 34)  # of the first update, and of a block's first draw, after its sums


def marked(stage, changes, t):
    settings = STAGES[stage](**changes)
    (view, *_) = settings.views
    return t <= settings.iterations and 'class="chosen"' in waited(
        lambda: stages()[stage]().written(settings, SEED, view, t)
    )


@pytest.mark.parametrize(("stage", "changes"), OPENED, ids=str)
def test_no_score_is_marked_before_the_draw(stage, changes):
    assert [under_way(t)[1] for t in FRAMES] == [SCORE] * len(FRAMES)
    assert not any(marked(stage, changes, t) for t in FRAMES)


def test_the_mark_comes_with_the_draw():
    assert all(marked(stage, {"step_by": "update", "sweep": 2}, SAMPLE) for stage in ("hidden_chain", "gibbs_topics"))
