"""Goals of a step on the page: boxes that are ticked where the learner rests, and stay."""

from streamlit.testing.v1 import AppTest

from pages.lesson.goals import OPEN, TICKED
from tests.pages.visits import app, choose, follow, press

TOPIC, LESSON = "crp_seating.py", {"lesson": "crp-two-doors", "step": "change"}


def boxes(test: AppTest) -> list[str]:
    """Return the goals' boxes."""
    lines = [markdown.value for markdown in test.markdown if OPEN in markdown.value or TICKED in markdown.value]
    return [line.partition(" ")[0].replace(OPEN, "☐").replace(TICKED, "✓") for line in lines]


def is_lit(test: AppTest) -> bool:
    """Return whether the way on is lit."""
    (dots,) = (html.proto.body for html in test.get("html") if 'class="dots' in html.proto.body)
    return 'class="dots lit"' in dots


def test_goals_are_ticked_once_they_are_reached_and_stay_so():
    test = app(TOPIC, **LESSON)
    assert boxes(test) == ["☐", "☐☐"]
    assert not is_lit(test)
    choose(test, "Recipe", "seating")
    assert boxes(test) == ["✓", "☐☐"]
    choose(test, "Recipe", "stick")
    for _ in range(9):  # seed 9 is the first with nine tables
        press(test, "Next seed")
    assert boxes(test) == ["✓", "✓☐"]
    follow(test, **LESSON)
    follow(test, **LESSON, seed=9)
    assert boxes(test) == ["✓", "✓☐"], "the same seed counts once"
    follow(test, **LESSON, seed=12, t=39)
    assert boxes(test) == ["✓", "✓☐"]
    follow(test, **LESSON, seed=15)
    assert boxes(test) == ["✓", "✓✓"]
    assert is_lit(test)
    follow(test, **LESSON)
    assert boxes(test) == ["✓", "✓✓"]


def test_a_run_that_is_looked_at_closely_is_not_measured():
    times = {"lesson": "mixture-response-times", "step": "sandbox", "concentration": "2", "t": "30"}
    assert boxes(app("crp_mixture.py", **times)) == ["✓", "☐"]
    assert boxes(app("crp_mixture.py", **times, step_by="update")) == ["☐", "☐"]


def test_goals_on_a_wall_of_runs_are_ticked_as_well():
    test = app("gibbs_topics.py", lesson="topics-two-things", step="mixed", t="0")
    while test.get("progress"):  # the wall takes longer than a slice of computing
        test.run()
    assert boxes(test) == ["✓"]


def test_a_goal_that_is_passed_while_something_is_dragged_is_reached_where_it_is_let_go():
    test = app("generative.py", lesson="generative-story", step="bayes")
    place = test.session_state["topic generative"]
    place.held = True
    place.change(query_1=-0.8, query_2=-0.8)
    test.run()
    assert boxes(test) == ["☐"]
    place.held = False
    test.run()
    assert boxes(test) == ["✓"]
