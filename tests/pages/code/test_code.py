"""The code that is shown is the code that runs: its lines, its values, the line of each beat, a wrong rule's change."""

import importlib
import inspect
import re
import textwrap
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import samplers
from lessons.topics import STAGES
from pages.code import ways
from pages.code.listing import listing
from pages.code.mistakes import of_class, of_function
from pages.code.source import source_of
from pages.code.values import said
from pages.code.watch import GIBBS, Way, watch
from pages.contract.stage import Stage
from pages.scenes.close_up import CloseUp
from pages.topics.crp_mixture import story
from pages.topics.generative import labels, learning
from pages.topics.generative import story as told
from pages.topics.marginalise import inspector as marginalise
from samplers import Chain, updates
from samplers.buffet.wrong import WRONG_FEATURE_RULES
from samplers.climb.wrong import WRONG_CLIMBS
from samplers.conjugate.beta import Beta
from samplers.crp.wrong import WRONG_RULES, CountsForgotten
from samplers.generative.wrong import WRONG_GENERATIVE_RULES
from samplers.gradient.wrong import WRONG_MARGINALS
from samplers.mixtures.wrong import WRONG_LABEL_RULES
from samplers.recipe import Conditional
from samplers.regression.laplace import laplace_approximation
from samplers.regression.optimise import Newton
from samplers.regression.predictives import predict_probit
from samplers.regression.wrong import PriorWithoutHalf, erf_for_probit, prior_left_out_of_hessian

WAYS = {
    name: way
    for module in (ways, labels, learning, told, marginalise, story)
    for name, way in vars(module).items()
    if isinstance(way, Way)
}
BEATS = {  # settings that show one beat after the other, and how many frames an update has
    "crp_mixture": {"data": "seven_points", "step_by": "update", "sweep": 3},
    "gibbs_blobs": {"points": 30, "step_by": "update", "blocks": "uncollapsed"},
    "gibbs_text": {"data": "six_messages", "step_by": "update", "sweep": 2},
    "gibbs_topics": {"data": "tiny", "step_by": "update", "sweep": 2},
    "hidden_chain": {"step_by": "update", "sweep": 2},
}
STEPS = [  # settings that show a step whole
    ("coin", {}),
    ("draws", {}),
    ("draws", {"method": "chain"}),
    ("generative", {"method": "ask"}),
    ("why_sample", {"starts": "every"}),
    ("why_sample", {"starts": "past"}),
    ("why_sample", {"starts": "class"}),
    ("why_sample", {"starts": "past", "until": "meeting"}),
    ("crp_seating", {}),
    ("crp_seating", {"door": "stick"}),
    ("crp_mixture", {"data": "seven_points"}),
    ("gibbs_text", {"data": "six_messages", "word_probs": "collapsed"}),
    ("laplace_line", {}),
    ("logistic", {}),
    ("logistic", {"method": "gradient"}),
    ("logistic", {"method": "chain"}),
    ("logistic", {"method": "points"}),
    ("generative", {"points": 20}),
    ("generative", {"points": 20, "method": "story"}),
    ("generative", {"points": 20, "method": "labels"}),
    ("walk_the_hill", {"method": "NUTS"}),
    ("walk_the_hill", {"method": "GIST"}),
    ("walk_the_hill", {"method": "Metropolis"}),
    ("walk_the_hill", {"method": "tempering", "target": "two hills"}),
    ("walk_the_hill", {"step_by": "leapfrog"}),
    ("climb_mixture", {}),
    ("climb_mixture", {"data": "seven_points", "method": "VB"}),
    ("marginalise", {}),
    ("marginalise", {"method": "HMC", "model": "two means"}),
    ("marginalise", {"step_by": "leapfrog", "model": "two means"}),
    ("marginalise", {"step_by": "term"}),
]


def code_of(stage: str, t: int, seed: int = 5, **changes: object) -> str:
    importlib.import_module(f"pages.topics.{stage}")
    return Stage.by_name[stage]().cards(STAGES[stage](**changes), seed, "code", t)


def lines_of(html: str, look: str = "") -> list[str]:
    """Return the lines of code in a listing, or those that look so, without what stands beside them."""
    shown = re.findall(rf"<p[^>]*{look}[^>]*><code>(.*?)</code>", html)
    return [unescape(re.sub("<.*?>", "", line)) for line in shown]


def opened(sampler, number: int = 1):
    """Return an update of the third sweep, with the code that ran."""
    chain = Chain(sampler, 7)
    return CloseUp(chain, 3, chain[2]).open(number, watched=True)


# ---- lines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [updates, Conditional.pick, Newton._step, erf_for_probit, CountsForgotten.spoil])
def test_the_source_is_the_functions_own(function):
    assert source_of(function.__code__).lines == textwrap.dedent(inspect.getsource(function)).splitlines()


@pytest.mark.parametrize(("stage", "changes"), [*STEPS, *BEATS.items()], ids=str)
def test_every_line_that_is_shown_stands_in_our_modules(stage, changes):
    shown = lines_of(code_of(stage, 2, **changes))
    text = "\n".join(path.read_text("utf-8") for path in Path(samplers.__file__).parent.rglob("*.py"))
    assert len(shown) > 2
    assert [line for line in shown if line not in text] == []
    assert not any(line.startswith(('"""', "#")) for line in shown), "neither docstrings nor comments"


def test_what_did_not_run_is_left_out():
    beat = opened(STAGES["crp_mixture"]().sampler())
    shown = "\n".join(lines_of(listing(GIBBS, beat.calls)))
    assert "table = state.labels[site]" in shown
    assert "isinstance(site, str)" not in shown.partition("remember(self")[0], "a point has left this branch alone"
    assert "_, conditional.draw" not in shown


# ---- values ----------------------------------------------------------------------------------------------------------


def test_values_are_those_of_the_update():
    beat = opened(STAGES["crp_mixture"](data="seven_points").sampler())
    update, table = beat.update, beat.after.labels[1]
    html = listing(GIBBS, beat.calls, notes={"site": "point 2"})
    assert f"uniform = rng.random()</code> <span>= {said(update.uniform)}</span>" in html
    assert f"<span>= log weights {said(update.conditional.log_weights)}</span>" in html
    assert f"state.labels[point] = table</code> <span>= {table}</span>" in html
    assert "<span>site = 1 (point 2)</span>" in html


def test_watching_changes_nothing():
    sampler = STAGES["gibbs_text"](data="six_messages").sampler()
    states = []
    for number in range(2):
        made = updates(sampler, state := Chain(sampler, 7)[2].copy(), np.random.default_rng(3))
        if number:
            watch(GIBBS, lambda made=made: next(made))
        list(made)
        states.append((state.labels, state.log_word_probs.tolist()))
    assert states[0] == states[1]


def test_values_of_beats_to_come_are_not_told():
    beat = opened(STAGES["crp_mixture"](data="seven_points").sampler())
    uniform = said(beat.update.uniform)
    assert [f"= {uniform}" in listing(GIBBS, beat.calls, main=main) for main in (1, 2, 3, 4)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "True"),
        (-3, "−3"),
        (0.12345, "0.123"),
        (np.array([[1.5]]), "1.5"),
        (np.array([1.0, -2.0, 3.0, 4.0, 5.0]), "(1, −2, 3, 4, …)"),
        (np.eye(2), "((1, 0), (0, 1))"),
        ([0.5, float("-inf")], "(0.5, −∞)"),
        ([0.0] * 17, ""),
        ({"a": 1}, ""),
        ("<b>", "“&lt;b&gt;”"),
        (Beta(2, 3), "Beta(2, 3)"),
    ],
    ids=str,
)
def test_a_value_is_told_in_few_characters(value, text):
    assert said(value) == text


# ---- beats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_every_beat_has_a_line(way):
    found = {WAYS[way].beat_of(one) for code in WAYS[way].codes for one in source_of(code).statements}
    assert found - {0} == {number for number, names in enumerate(WAYS[way].beats, 1) if names}


@pytest.mark.parametrize("stage", BEATS)
def test_the_line_of_the_present_beat_is_lit(stage):
    lit = [lines_of(code_of(stage, t, **BEATS[stage]), "lit") for t in range(5)]
    assert lit == [
        [],
        ["for site in sampler.sites(state):", "sampler.forget(state, site)"],
        ["conditional = sampler.score(state, site)"],
        ["uniform = rng.random()", "value = conditional.pick(uniform)"],
        ["sampler.remember(state, site, value)"],
    ]


@pytest.mark.parametrize(("stage", "changes"), STEPS, ids=str)
def test_a_whole_step_lights_its_beats_in_turn(stage, changes):
    html = code_of(stage, 2, **changes)
    if changes.get("step_by") == "term":
        assert lines_of(html, "lit"), "the one that the program's line is at"
    else:
        assert len(set(re.findall("turn-[1-4]", html))) >= 2


def test_a_block_of_the_sweep_is_drawn_and_not_picked():
    changes = BEATS["gibbs_blobs"]
    html = code_of("gibbs_blobs", 4 * 30 + 3, **changes)
    assert lines_of(html, "lit") == ["uniform, value = None, conditional.draw(rng)"]


def test_nothing_runs_for_customers_who_are_shuffled():
    assert "no code runs" in code_of("crp_seating", 4, shuffle=2)


# ---- wrong rules -----------------------------------------------------------------------------------------------------

CHANGES = {
    "point not removed": "return self.terms_before_lifting(state, point)",
    "counts forgotten": "return [*(0.0 for _ in customers[:-1]), customers[-1]], fit",
    "new table too sure": "certain = self.family.with_certain_centre(ALMOST_CERTAIN)",
    "new table guessed": "guess = self.family.draw(np.random.default_rng(GUESS))",
    "all labels at once": "self._seat(state, site, state.labels[site])",
    "one too few": "less = (self.class_prior + state.counts - self.taken_off).tolist()",
    "weights drawn once": "return (site for site in super().sites(state) if site != WEIGHTS)",
    "repeated words as powers": "return np.zeros(int(times.sum()))",
    "word probabilities a sweep late": "state.fits = (self.counts @ before.T).tolist()",
}


@pytest.mark.parametrize("rule", [*WRONG_RULES, *WRONG_LABEL_RULES])
def test_what_a_wrong_rule_changes_is_marked(rule):
    stage = "crp_mixture" if rule in WRONG_RULES else "gibbs_text"
    marked = lines_of(code_of(stage, 2, rule=rule), "wrong")
    assert marked
    assert CHANGES.get(rule, marked[0]) in marked
    assert not any(re.fullmatch(r"(.* = |return )?super\(\)\.\w+\(state, site(, value)?\)", line) for line in marked)


@pytest.mark.parametrize("rule", WRONG_GENERATIVE_RULES)
def test_what_a_wrong_rule_of_the_classifier_changes_is_marked(rule):
    assert lines_of(code_of("generative", 2, rule=rule), "wrong")
    assert lines_of(code_of("generative", 2, rule=rule, method="labels"), "wrong")


@pytest.mark.parametrize("rule", WRONG_CLIMBS)
def test_what_a_wrong_rule_of_a_climb_changes_is_marked(rule):
    method = "VB" if rule == "points counted again" else "EM"
    marked = [
        lines_of(code_of("climb_mixture", t, rule=rule, method=method, data="seven_points"), "wrong") for t in (3, 4)
    ]
    assert all(marked), "of E and of M, as the change is at work in either"


@pytest.mark.parametrize("rule", WRONG_FEATURE_RULES)
def test_what_a_wrong_rule_for_features_changes_is_marked(rule):
    marked = [lines_of(code_of("ibp_features", t, rule=rule, step_by="update", sweep=1), "wrong") for t in range(1, 40)]
    (changed,) = {line for lines in marked for line in lines}
    assert changed == {"own features dropped": "return 0.0"}.get(rule, "return state.concentration")


def test_wrong_rules_lie_where_their_lines_are_looked_for():
    assert {path.name for path in Path(samplers.__file__).parent.rglob("*wrong*.py")} == {"wrong.py"}


def test_what_a_wrong_rule_for_topics_changes_is_marked():
    changes = {
        "document count left in": "state.by_document[self.words.document[site]][state.labels[site]] -= 1",
        "word count left in": "state.totals[state.labels[site]] -= 1",
        "one beta below": "pseudo_counts = state.word_prior",
    }
    for rule, line in changes.items():
        assert line in lines_of(code_of("gibbs_topics", 2, rule=rule, data="tiny"), "wrong")


@pytest.mark.parametrize("rule", WRONG_MARGINALS)
def test_what_a_wrong_density_changes_is_marked(rule):
    for changes in ({}, {"step_by": "leapfrog"}):
        assert lines_of(code_of("marginalise", 1, rule=rule, variant="prediction", **changes), "wrong")


@pytest.mark.parametrize("rule", ["prior without 1/2", "no prior in H", "erf for Φ", "π/8 forgotten"])
def test_what_an_error_in_a_formula_changes_is_marked(rule):
    assert lines_of(code_of("logistic", 2, rule=rule), "wrong")


def test_only_the_lines_that_differ_are_changed():
    (lines,) = of_function(erf_for_probit, predict_probit).values()
    source = source_of(erf_for_probit.__code__)
    assert [source.lines[line].strip() for line in lines] == [
        "return 0.5 * (1 + special.erf(mean / np.sqrt(8 / np.pi + variance)))"
    ]
    assert of_function(predict_probit, predict_probit) == {}
    assert of_class(STAGES["crp_mixture"]().sampler()) == {}
    assert of_function(prior_left_out_of_hessian, laplace_approximation)
    assert PriorWithoutHalf._set_prior.__code__ in of_class(
        STAGES["logistic"](rule="prior without 1/2").model(np.eye(2), np.array([0, 1]))
    )


def test_right_rules_have_no_marks():
    assert 'class="wrong"' not in code_of("crp_mixture", 2) + code_of("logistic", 2) + code_of("marginalise", 2)


def test_the_optimisers_method_is_its_own():
    assert "-self.step_length * gradient" in " ".join(lines_of(code_of("logistic", 2, method="gradient")))
