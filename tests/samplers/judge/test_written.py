"""Chains that move by a learner's rule: the right rule makes the right run, and a wrong one its own error."""

from collections import Counter
from math import isnan

import numpy as np
import pytest

from samplers import Chain
from samplers.conjugate.beta import Beta, BetaDensity
from samplers.crp.seating import CRPSeating
from samplers.judge.bank import PROBLEMS
from samplers.judge.documents import SHORT, collapsed
from samplers.judge.features import features
from samplers.judge.mixtures import crp_mixture, finite_mixture
from samplers.judge.rule import RuleError
from samplers.judge.topics import lda
from samplers.judge.written import BETWEEN, Written, WrittenConditional, WrittenMetropolis, read
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.recipe import outcomes
from samplers.regression.metropolis import RandomWalkMetropolis

SAMPLERS = {
    "crp-mixture": crp_mixture(7),
    "finite-mixture": finite_mixture(5),
    "pi-integrated": NaiveBayes(SHORT, 2, 1.0, 1.0),
    "pi-explicit": NaiveBayes(SHORT, 2, 1.0, 1.0, weights="explicit"),
    "naive-bayes-logs": NaiveBayes(SHORT, 2, 1.0, 1.0),
    "naive-bayes-collapsed": collapsed(6),
    "lda-word": lda(7),
    "ibp-bit": features(4),
    "crp-seating": CRPSeating(1.7),
}
WALK = RandomWalkMetropolis(BetaDensity(Beta(14.0, 8.0)), 0.1, np.array([0.3]))


def link(problem: str, lines: tuple[str, ...]) -> str:
    return BETWEEN.join((problem, *lines))


def test_every_problem_whose_options_are_known_of_any_sampler_has_one_here():
    assert {*SAMPLERS} == {name for name, problem in PROBLEMS.items() if problem.knows}


@pytest.mark.parametrize("problem", SAMPLERS)
def test_the_right_rule_makes_the_run_of_the_right_sampler(problem):
    right = SAMPLERS[problem]
    written = Written(right, link(problem, tuple(PROBLEMS[problem].right)))
    ours, theirs = Chain(written, seed=3), Chain(right, seed=3)
    for t in (1, 5, 40):
        mine, others = written.variables(ours[t]), right.variables(theirs[t])
        assert all(np.array_equal(mine[name], others[name]) for name in others)


@pytest.mark.parametrize("problem", SAMPLERS)
def test_each_wrong_rule_makes_another_run_and_no_wrong_rule_breaks_a_chain(problem):
    for name, forms in PROBLEMS[problem].wrong.items():
        for form in forms:
            if callable(form):
                continue
            chain = Chain(Written(SAMPLERS[problem], link(problem, tuple(form))), seed=3)
            states = [chain[t] for t in (1, 5, 40)]
            assert len(states) == 3, name


def test_a_rule_moves_the_chain_by_the_probabilities_that_it_gives():
    """Without the fit, the weights of a point's tables are those of the restaurant, whatever the data."""
    written = Written(crp_mixture(3), "crp-mixture;n;alpha")
    start = written.right.state([0, 0, 0])
    reached = outcomes(written, start, [0])
    alpha = written.concentration
    assert reached[0, 0, 0][0] == pytest.approx(2 / (2 + alpha))
    assert reached[1, 0, 0][0] == pytest.approx(alpha / (2 + alpha))
    right = outcomes(written.right, start, [0])
    assert right[0, 0, 0][0] != pytest.approx(2 / (2 + alpha), abs=0.05)


def test_the_conditional_keeps_the_names_and_the_numbers_of_each_option():
    written = Written(crp_mixture(3), "crp-mixture;n * fit;alpha * fit_new")
    state = written.right.state([0, 0, 1])
    written.forget(state, 0)
    found = written.score(state, 0)
    assert isinstance(found, WrittenConditional)
    assert [one.line for one in found.known] == [0, 0, 1]
    assert [one.values.get("n") for one in found.known] == [1, 1, None]
    assert found.given[0] == pytest.approx(found.known[0].values["n"] * found.known[0].values["fit"])
    assert [*found.known[2].values] == [*PROBLEMS["crp-mixture"].lines["a new table"]]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("n - 5", "1"), "negative"),
        (("0 / 0", "1"), "not a number"),
        (("1 / 0", "1"), "infinite"),
        (("0", "0"), "every option is 0"),
    ],
)
def test_where_a_rule_gives_no_probabilities_it_says_why_and_takes_the_first_option(lines, fault):
    written = Written(crp_mixture(3), link("crp-mixture", lines))
    state = written.right.state([0, 0, 1])
    written.forget(state, 0)
    found = written.score(state, 0)
    assert fault in found.fault
    assert found.undefined
    assert np.isnan(found.probabilities).all()
    assert found.pick(0.99) == 0


def test_logarithms_may_be_negative():
    written = Written(SAMPLERS["naive-bayes-logs"], "naive-bayes-logs;-3")
    state = Chain(written, seed=1)[3]
    written.forget(state, 0)
    assert written.score(state, 0).probabilities.tolist() == [0.5, 0.5]


def test_blocks_are_redrawn_by_the_right_rule():
    written = Written(SAMPLERS["pi-explicit"], "pi-explicit;weight * fit")
    kinds = Counter(type(update.conditional).__name__ for update in Chain(written, seed=1).record(2))
    assert kinds == {"WrittenConditional": len(SHORT), "Dirichlet": 2}


# ---- a proposal that is accepted -------------------------------------------------------------------------------------


def test_the_right_ratio_makes_the_run_of_the_right_chain():
    ours = Chain(WrittenMetropolis(WALK, "metropolis-grid;p_there * q_back / (p * q)"), seed=4)
    theirs = Chain(WALK, seed=4)
    assert [ours[t].position[0] for t in range(60)] == [theirs[t].position[0] for t in range(60)]
    assert ours.record(9).known.values["q"] == ours.record(9).known.values["q_back"]


def test_a_ratio_that_is_no_probability_rejects():
    for text in ("-1", "0 / 0", "log(-1)"):
        chain = Chain(WrittenMetropolis(WALK, f"metropolis-grid;{text}"), seed=4)
        assert chain[20].position[0] == WALK.start[0]
        assert chain.record(20).probability == 0
    assert isnan(chain.record(20).given)


def test_a_chain_that_accepts_everything_never_leaves_the_support():
    chain = Chain(WrittenMetropolis(WALK, "metropolis-grid;1"), seed=4)
    positions = [chain[t].position[0] for t in range(300)]
    assert all(0 < position < 1 for position in positions)
    assert len({*positions}) > 200


# ---- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "n", "no-such;1", "crp-mixture;n", "crp-mixture;n;1;1", "crp-mixture;m;1", "crp-mixture;__import__;1"]
)
def test_a_text_that_is_no_rule_is_told_apart(text):
    with pytest.raises(RuleError):
        read(text)
