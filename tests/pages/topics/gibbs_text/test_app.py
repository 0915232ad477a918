"""The page of messages as a script: everything that can be set, links and own messages."""

import pytest
from streamlit.testing.v1 import AppTest

from lessons.data.messages import Messages, read_messages
from lessons.own.store import keep_own
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_text import ALL_LABELS, GibbsTextSettings
from pages.contract.events import Open, Touch
from pages.lesson.state import Visit
from pages.topics.gibbs_text import GibbsTextStage
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES
from tests.pages.topics.gibbs_text.steps import scene_of
from tests.pages.visits import cards_on, follow, head, inspector, said

TOPIC = "gibbs_text.py"
VIEWS = GibbsTextSettings.views


@pytest.fixture
def page(visited) -> AppTest:
    """Give the shared session, without the messages of another test."""
    visited.session_state["topic gibbs_text"].own = ""
    return visited


# ---- everything that can be set --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["right", *WRONG_LABEL_RULES])
def test_every_rule_in_every_view(visited, rule):
    looks = zip(VIEWS, ("sweep", "update") * 9, ("documents", "statistics", "statistics") * 6, strict=False)
    for known, (view, step_by, layout) in enumerate(looks):
        values = {"view": view, "step_by": step_by, "layout": layout, "known_labels": known % 6}
        follow(visited, data="six_messages", rule=rule, t=3, **values)
        assert not said(visited)
        assert inspector(visited)


@pytest.mark.parametrize("data", ["toy_corpus", "long_messages"])
def test_more_messages_in_every_view(visited, data):
    for view, step_by in zip(VIEWS, ("update", "sweep") * 9, strict=False):
        follow(visited, data=data, view=view, step_by=step_by, t=2)
        assert inspector(visited)


@pytest.mark.parametrize(("classes", "known"), [(3, 0), (4, 10), (2, ALL_LABELS)])
def test_classes_and_labels(visited, classes, known):
    for view in ("update", "labels"):
        follow(visited, classes=classes, known_labels=known, view=view, t=2)
        told = {"labels": "No hidden message has a true label", "update": "is shown to the sampler"}[view]
        assert (told in inspector(visited)) == (known == ALL_LABELS)


def test_a_vocabulary_that_the_controls_have_emptied_is_told_with_a_remedy(visited):
    follow(visited, data="six_messages", minimum_count=20, step_by="update", t=3)
    assert "lower the minimum count" in " ".join(box.value for box in visited.info)
    assert not visited.get("bidi_component") or all(
        c.proto.component_name != "samplescope_player" for c in visited.get("bidi_component")
    )
    next(s for s in visited.slider if s.label == "Minimum count").set_value(1).run()
    assert not visited.exception
    assert head(visited)["total"] == 4 * 7


def test_nothing_left_to_sample_is_told(visited):
    follow(visited, data="six_messages", known_labels=ALL_LABELS, word_probs="collapsed", step_by="update")
    assert "Nothing to sample" in " ".join(box.value for box in visited.info)
    follow(
        visited,
        data="six_messages",
        known_labels=ALL_LABELS,
        word_probs="explicit",
        step_by="update",
        t=3,
        view="update",
    )
    assert "Dirichlet" in inspector(visited)


def test_what_was_left_out_is_said_in_free_play_and_not_in_the_middle_of_a_lesson(visited):
    follow(visited, stop_words="dropped", most_words=50)
    captions = " ".join(caption.value for caption in visited.caption)
    for part in ("stop words were left out", "50 most frequent", "0 of 254 labels are shown"):
        assert part in captions.replace("\\", "")
    follow(visited, lesson="text-quiet-errors", step="late")
    assert "rule" not in " ".join(caption.value for caption in visited.caption)


def test_a_tiny_corpus_has_a_truth_and_a_large_one_a_kind_word(visited):
    follow(visited, data="six_messages", known_labels=2, t=30, view="truth")
    assert "16 labellings" in inspector(visited)
    follow(visited, known_labels=2, t=3, view="truth")
    assert "there are too many" in inspector(visited)


def test_the_page_asks_and_classifies(page):
    follow(page, data="six_messages", message="Free unicorn", view="new", t=30)
    assert "unicorn" in inspector(page)
    field = next(one for one in page.text_input if one.label == "New message")
    assert field.value == "Free unicorn"
    field.set_value("win  cash\tnow").run()
    assert not page.exception
    assert page.session_state["topic gibbs_text"].settings.message == "win cash now"
    next(one for one in page.button if one.label == "Make one").click().run()
    assert "It was made by" in inspector(page)
    follow(page, message="x" * 101, view="new", t=3)
    assert "at most 100 characters" in " ".join(box.value for box in page.warning)


# ---- hands -----------------------------------------------------------------------------------------------------------


def place_of(**values) -> Visit:
    settings = GibbsTextSettings(**values)
    return Visit("gibbs_text", settings, view="update")


def touch(hand: str, x: float = 0, row: int | None = None) -> Touch:
    return Touch(hand, x, 0.0, True, row)


def test_a_message_that_is_pressed_is_opened():
    place, stage = place_of(document=20), GibbsTextStage()
    for which, opened in ((201, 201), (0, 201), (255, 201), (254, 254)):
        stage.open(place, Open("message", which, 0))
        assert place.settings.document == opened


def test_in_a_sweep_a_message_that_is_pressed_leads_to_its_update():
    place, stage = place_of(step_by="update", sweep=2, known_labels=4, data="six_messages"), GibbsTextStage()
    order = scene_of(place.settings, place.seed).run.order
    for document in range(6):
        before = place.t
        stage.open(place, Open("message", document + 1, before))
        visit = int(order.visit_of[document])
        assert place.t == (4 * visit + 1 if visit < len(order.sites) else before)


@pytest.mark.parametrize(("x", "burn_in"), [(-3.2, 0), (17.6, 18), (9e9, SWEEPS)])
def test_the_line_of_the_burn_in_is_where_it_was_left(x, burn_in):
    place = place_of(layout="statistics")
    GibbsTextStage().touched(place, touch("burn_in", x))
    assert place.settings.burn_in == burn_in


# ---- messages of one's own -------------------------------------------------------------------------------------------


def own(page: AppTest, messages: Messages, **values) -> AppTest:
    return follow(page, data="own", own=keep_own(messages), **values)


def test_own_messages_are_asked_for(page):
    follow(page, data="own")
    assert "upload it" in " ".join(box.value for box in page.info)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "Call me tonight\nWin a prize now\nLunch at noon?\n"),
        ("a.tsv", "ham\tCall me tonight\nspam\tWin a prize now\nham\tLunch at noon?\n"),
        ("a.csv", 'label,text\nham,"Call me, tonight"\nspam,Win a prize now\n?,Lunch at noon?\n'),
    ],
)
def test_files_of_three_kinds(page, name, content):
    follow(page, data="own")
    page.get("file_uploader")[0].set_value((name, content.encode(), "text/plain")).run()
    assert not page.exception
    assert head(page)["data"]["texts"]["doc"] == [0, 1, 2]
    assert "3 messages were read" in " ".join(c.value for c in page.caption).replace("\\", "")


def test_a_file_that_cannot_be_read_is_told(page):
    follow(page, data="own")
    page.get("file_uploader")[0].set_value(("a.txt", b"\x89PNG\r\n", "text/plain")).run()
    assert not page.exception
    assert "picture" in page.error[0].value


ODD = {
    "one message": Messages(("hello there",), [-1], ()),
    "one class": Messages(("win cash", "win now", "cash now"), [0, 0, 0], ("spam",)),
    "three classes": Messages(tuple("abcdef"), [0, 1, 2, 0, 1, 2], ("x", "y", "z")),
    "messages without a word": Messages(("!!!", "win cash", "...", "of the"), [0, 0, 1, 1], ("ham", "spam")),
    "five thousand words": Messages(
        (" ".join(f"w{i % 900} tell" for i in range(2_500)), "tell me"), [0, 1], ("a", "b")
    ),
    "markup": Messages(("<script>alert(1)</script> *b* $x$ win", "[a](b) win & <b>"), [0, 1], ("<i>", "$x$")),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_messages(page, name):
    looks = zip(VIEWS, ("update", "sweep") * 3, ("documents", "statistics", "documents") * 2, strict=False)
    for known, (view, step_by, layout) in enumerate(looks):
        values = {"view": view, "step_by": step_by, "layout": layout, "known_labels": known % 3, "burn_in": 1}
        own(page, ODD[name], t=5, sweep=3, stop_words="kept", **values)


def test_markup_is_text(page):
    own(page, ODD["markup"], view="text", t=5, known_labels=2, stop_words="kept")
    (raw,) = cards_on(page)
    assert "<script>" not in raw
    assert "&lt;" in raw
    assert "<i>$x$" not in raw


def test_more_classes_than_chosen(page):
    own(page, ODD["three classes"], known_labels=ALL_LABELS, word_prior=1.0)
    assert "There are 3 classes" in " ".join(c.value for c in page.caption).replace("\\", "")


def test_other_messages_are_another_film(page):
    own(page, ODD["one class"], stop_words="kept")
    first = head(page)["chain"]
    own(page, read_messages(b"ham\twin cash\nspam\twin now\nham\tcash now", "b.tsv"), stop_words="kept", seed=7)
    assert head(page)["chain"] != first


def test_the_exact_truth_is_that_of_own_messages(page):
    messages = read_messages(b"ham\twin cash\nspam\twin now\nham\tcash now", "b.tsv")
    own(page, messages, view="truth", t=5)
    assert "8 labellings" in inspector(page)
    corpus = GibbsTextSettings(data="own").corpus_of(messages)
    assert len(exact_naive_bayes(corpus.bag.counts, 2, 1.0, 1.0).labellings) == 8
