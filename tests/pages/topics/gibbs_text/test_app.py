"""The page of messages as a script: lessons and what they say, everything that can be set, links and own messages."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lessons.data.messages import Messages, read_messages
from lessons.own.store import keep_own
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_text import ALL_LABELS, GibbsTextSettings
from pages.contract.events import Open, Touch
from pages.lesson.lessons import library
from pages.lesson.state import Topic
from pages.topics.gibbs_text import GibbsTextStage, statistics
from samplers import Chain
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES
from tests.pages.visits import cards_on, follow, head, inspector, said

scene_of = GibbsTextStage().scene

TOPIC = "gibbs_text.py"
VIEWS = GibbsTextSettings.views
LESSONS = library().for_stage("gibbs_text")
STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]


@pytest.fixture
def page(visited) -> AppTest:
    """Give the shared session, without the messages of another test."""
    visited.session_state["topic gibbs_text"].own = ""
    return visited


# ---- lessons ---------------------------------------------------------------------------------------------------------


def test_there_are_thirteen_lessons():
    assert [int(lesson.path.name.split("-")[1]) for lesson in LESSONS] == list(range(1, 14))


def step_of(lesson: str, step: str, **changes):
    found = next(pair for pair in STEPS if (pair[0].id, pair[1].id) == (lesson, step))
    return found[0].settings_for(found[1]).model_copy(update=changes), found[0].seed_for(found[1]), found[1]


def text_of(lesson: str, step: str) -> str:
    _, _, found = step_of(lesson, step)
    choices = " ".join(f"{choice.text} {choice.reason}" for choice in found.choices)
    return " ".join(f"{found.body} {choices} {found.instructor}".split())


def agree(settings: GibbsTextSettings, seed: int, t: int) -> int:
    return settings.measure(Chain(settings.sampler(), seed), t)["agree"]


@pytest.mark.told
def test_the_numbers_of_one_message():
    settings, seed, _ = step_of("text-word-by-word", "score")
    sampler = settings.sampler()
    first, second = Chain(sampler, seed).record(1)[:2]
    assert first.conditional.probabilities[1] == pytest.approx(0.98, abs=0.005)
    start = Chain(sampler, seed)[0]
    now = list(settings.corpus().bag.words).index("now")
    assert start.word_probs[:, now] == pytest.approx([0.011, 0.177], abs=0.0006)
    assert np.log(5 / 2) == pytest.approx(0.92, abs=0.005)
    assert np.diff(start.log_word_probs[:, now])[0] == pytest.approx(2.75, abs=0.005)
    prize = list(settings.corpus().bag.words).index("prize")
    assert -np.diff(start.log_word_probs[:, prize])[0] == pytest.approx(1.60, abs=0.005)
    assert second.site == 1
    assert sampler.tokens(1).tolist().count(prize) == 2


@pytest.mark.told
def test_the_numbers_without_labels():
    corpus = step_of("text-spam-without-labels", "start")[0].corpus()
    said_of = text_of("text-spam-without-labels", "start")
    assert f"{corpus.size} messages with {len(corpus.bag.words)} different words" in said_of
    assert round(corpus.bag.counts.sum(), -2) == 2_400
    settings, seed, _ = step_of("text-spam-without-labels", "run")
    assert agree(settings, seed, 0) == 57
    assert {agree(settings, other, 30) for other in range(1, 11)} == {83, 84, 85, 86, 87}
    labels = corpus.messages.labels
    for other, spam in ((seed, True), (seed + 2, False)):  # the next seed twice: the classes have changed places
        first = np.array(Chain(settings.sampler(), other)[30].labels) == 0
        assert (labels[first].mean() > 0.75) == spam
        assert (labels[first].mean() < 0.25) != spam
    assert "with seed 9" in text_of("text-spam-without-labels", "names")
    assert corpus.messages.texts[8].startswith("hey its me, lost my phone")
    assert corpus.messages.classes[corpus.messages.labels[8]] == "spam"
    calm, seed, step = step_of("text-spam-without-labels", "sure")
    run = scene_of(calm, seed).run
    run.grow(step.at, seconds=60)
    with_mum = corpus.messages.texts.index("My new number is on the kitchen door, mum has it too")
    assert run.labels[step.at, 8] == run.labels[step.at, with_mum]


@pytest.mark.told
def test_the_numbers_of_ten_labels():
    settings, seed, _ = step_of("text-ten-labels", "mirror")
    assert agree(settings, seed, 60) == 12
    ten, ten_seed, _ = step_of("text-ten-labels", "ten")
    assert agree(ten, ten_seed, 60) == 86
    corpus = settings.corpus()
    shown = corpus.messages.labels[corpus.shown >= 0]
    assert np.bincount(shown).tolist() == [5, 5]
    assert round(corpus.bag.counts[corpus.shown >= 0].sum(), -1) in (80, 90, 100)

    three, seed, _ = step_of("text-ten-labels", "log-joint", chains=3)
    _, draws, found = statistics.summary(grown(three, seed, 100), 100)[-1]
    for level in draws.mean(axis=1):
        assert f"{level:,.0f}".replace("-", "−") in text_of("text-ten-labels", "log-joint")
    assert found.rhat == pytest.approx(1.46, abs=0.005)
    first, seed, _ = step_of("text-ten-labels", "mirror")
    rows = scene_of(first, seed).rows
    assert (corpus.shown[rows[:10]] >= 0).all(), "the first ten rows say so"
    fifty, seed, _ = step_of("text-ten-labels", "fifty")
    assert agree(fifty, seed, 60) > 80
    looked, seed, _ = step_of("text-ten-labels", "start")
    assert (agree(looked, seed, 0), agree(looked, seed, 60)) == (64, 84)


def grown(settings: GibbsTextSettings, seed: int, until: int):
    made = scene_of(settings, seed)
    for run in made.runs:
        run.grow(until, seconds=60)
    return made


def last_row_of(lesson: str, step: str, t: int, **changes):
    settings, seed, _ = step_of(lesson, step, **changes)
    return statistics.summary(grown(settings, seed, t), t)[-1]


@pytest.mark.told
def test_the_numbers_of_when_to_stop():
    def last_row(step: str, t: int = 200, **changes):
        return last_row_of("text-when-to-stop", step, t, **changes)

    early, at = last_row("burn-in", 50)[1], step_of("text-when-to-stop", "burn-in")[2].at
    assert early.shape == (1, at) == (1, 50)
    assert early[:, 25:].mean() - early.mean() == pytest.approx(20, abs=0.5)
    assert early[:, 20:].mean() - early.mean() == pytest.approx(21, abs=0.5)
    low, calm = last_row("burn-in"), last_row("last")
    assert calm[1].mean() - low[1].mean() == pytest.approx(5, abs=0.5)
    assert calm[2].mcse_mean == pytest.approx(2.6, abs=0.05)
    assert calm[1].std() == pytest.approx(25, abs=0.5)
    assert statistics.autocorrelation(calm[1], 1)[1] == pytest.approx(0.03, abs=0.005)
    thin = last_row("thin")
    assert thin[1].size == 18
    assert thin[2].mcse_mean == pytest.approx(3.9, abs=0.05)
    worth = last_row("worth")
    assert worth[1].size == 180
    assert round(worth[2].ess_bulk) == 13
    assert statistics.autocorrelation(worth[1], 10)[[1, 10]] == pytest.approx([0.80, 0.25], abs=0.05)


@pytest.mark.told
def test_the_numbers_of_several_chains():
    def last_row(step: str, **changes):
        return last_row_of("text-several-chains", step, 200, **changes)

    _, draws, many = last_row("better")
    assert (draws.size, round(many.ess_bulk), round(many.rhat, 2)) == (720, 50, 1.05)
    _, draws, collapsed = last_row("collapsed")
    assert (draws.size, round(collapsed.ess_bulk), round(collapsed.rhat, 3)) == (720, 467, 0.999)
    assert last_row("switching")[2].rhat > 100
    assert last_row("switching", statistic="log_joint")[2].rhat < 1.01
    assert last_row("switching", naming="matched")[1].std() == 0


@pytest.mark.told
def test_the_numbers_of_the_errors():
    settings, seed, _ = step_of("text-spot-the-error", "right")
    made = grown(settings, seed, 1)
    both = 1 - made.exact.probabilities[[0, -1]].sum()
    assert both == pytest.approx(0.9, abs=0.02)
    once = grown(*step_of("text-quiet-errors", "weights-once")[:2], 600)
    assert once.run.state(5).weights.tolist() == once.run.state(600).weights.tolist()
    assert abs((once.run.labels[1:601] == 0).mean() - 0.5) > 0.05
    late, seed, step = step_of("text-quiet-errors", "late")
    run = grown(late, seed, step.at).run
    beat = run.close_up(step.at)[int(run.order.visit_of[0])]
    terms = beat.update.conditional.terms["documents already there"]
    own = run.sampler.word_terms(beat.lifted, 0).sum(axis=0)
    assert np.subtract(*terms) + np.subtract(*own) == pytest.approx(-4.95, abs=0.005)
    assert np.subtract(*beat.update.conditional.log_weights) == pytest.approx(-1.28, abs=0.005)


@pytest.mark.told
def test_a_message_that_is_taken_out_changes_one_count_alone():
    settings, seed, _ = step_of("text-word-by-word", "forget")
    beat = scene_of(settings, seed).run.close_up(1)[0]
    assert beat.update.site == 0
    assert (beat.before.labels[0], beat.before.counts[1]) == (1, 2)
    assert "2 - 1 = 1" in text_of("text-word-by-word", "forget")


@pytest.mark.told
def test_on_the_large_corpus_the_quietest_error_does_as_well_as_the_right_rule():
    found = {}
    for rule in ("right", "repeated words as powers"):
        settings = GibbsTextSettings(rule=rule, word_probs="collapsed")
        found[rule] = np.mean([agree(settings, seed, 30) for seed in (7, 8, 9)])
    assert found["right"] == pytest.approx(found["repeated words as powers"], abs=1)


def test_what_the_quietest_error_would_take(visited):
    follow(visited, lesson="text-quiet-errors", step="found")
    shown = inspector(visited)
    said = re.search(r"stays ([\d.]+) from the exact posterior, .* after about ([\d,]+) sweeps", shown)
    distance, sweeps = said.groups()
    told = text_of("text-quiet-errors", "found")
    assert distance in told
    assert round(int(sweeps.replace(",", "")), -3) == 11_000


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


@pytest.mark.parametrize(
    "values",
    [
        {"document": 9_999, "view": "text"},
        {"document": 9_999, "step_by": "update", "sweep": SWEEPS, "data": "six_messages"},
        {"t": 10**9, "data": "six_messages"},
        {"burn_in": -4, "thin": 0, "chains": 77, "layout": "statistics", "view": "statistics"},
        {"known_labels": "many", "rule": "[a](b)", "view": "<script>"},
    ],
)
def test_nonsense_in_a_link_breaks_nothing(visited, values):
    follow(visited, **values)
    assert head(visited)["total"] >= 0


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


def place_of(**values) -> Topic:
    settings = GibbsTextSettings(**values)
    return Topic("gibbs_text", settings, view="update")


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
