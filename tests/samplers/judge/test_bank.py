"""The judged rules are those that run: right ones are the samplers' own, known errors those of `samplers.*.wrong`."""

from math import exp, fsum

import numpy as np
import pytest
from scipy import special

from samplers.buffet.linear_gaussian import LinearGaussian
from samplers.buffet.prior import BuffetState, IndianBuffet
from samplers.buffet.wrong import WRONG_BUFFETS, WRONG_FEATURE_RULES
from samplers.crp.seating import CRPSeating
from samplers.crp.wrong import WRONG_RULES
from samplers.hmm.block import Block
from samplers.hmm.model import Forwards
from samplers.hmm.single import SingleSite
from samplers.hmm.wrong import DrawnFromFilter, LargestNotSum, NextLeftOut
from samplers.judge import documents, features, mixtures, moves, sequences, topics
from samplers.judge.bank import PROBLEMS
from samplers.judge.long_run import after
from samplers.judge.table import rows_of
from samplers.judge.verdict import judge, verdict_on_error
from samplers.jumps import wrong as jumps_wrong
from samplers.jumps.split_merge import SplitMerge
from samplers.jumps.tempering import MixtureLadder
from samplers.mixtures.wrong import OneTooFew, RepeatsAsPowers
from samplers.regression import wrong as regression_wrong
from samplers.topics.lda import LDA
from samplers.topics.wrong import WRONG_TOPIC_RULES
from tests.samplers.judge.problems import by_rule, form_of, values_of

CHAINS = [problem for problem in PROBLEMS.values() if problem.at(problem.least).posterior is not None]
FORMS = [
    (problem.id, name, form) for problem in PROBLEMS.values() for name, forms in problem.wrong.items() for form in forms
]


def ids(value):
    return value if isinstance(value, str) else "rows" if callable(value) else " | ".join(value)[:60]


# ---- the bank --------------------------------------------------------------------------------------------------------


def test_the_bank_has_the_exercises():
    assert len(PROBLEMS) == 26
    assert sum(problem.own is not None for problem in PROBLEMS.values()) >= 12
    for problem in PROBLEMS.values():
        assert len(problem.right) == len(problem.lines)
        assert len(problem.wrong) >= 6
        verdict = judge(problem, problem.right)
        assert (verdict.kind, verdict.distance, verdict.score) == ("right", 0.0, 1.0)


@pytest.mark.parametrize("problem", CHAINS, ids=lambda problem: problem.id)
def test_right_rules_leave_the_posterior_unchanged(problem):
    for points in range(problem.least, problem.points + 1):
        known = problem.at(points)
        size = len(known.states)
        steps = [known.right[top : top + size] for top in range(0, known.right.shape[0], size)]
        for step in steps:
            assert step.sum(axis=1) == pytest.approx(np.ones(size))
            assert after([step], known.posterior) == pytest.approx(known.posterior, abs=1e-12)


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=lambda problem: problem.id)
def test_every_line_knows_the_names_that_it_lists(problem):
    known = problem.at(problem.points).table.known
    assert [{*values} for values in known] == [{*names} for names in problem.lines.values()]


@pytest.mark.parametrize(("problem", "name", "form"), FORMS, ids=ids)
def test_every_known_error_is_wrong_and_has_one_name(problem, name, form):
    if callable(form):
        rows = form(PROBLEMS[problem].named_on)
        same = [
            other
            for other, all_of_it in PROBLEMS[problem].errors.items()
            if any(abs(rows - it).max() < 1e-9 for it in all_of_it)
        ]
        assert same == [name]
        assert abs(rows - PROBLEMS[problem].at(PROBLEMS[problem].named_on).right).max() > 1e-4
        return
    verdict = judge(PROBLEMS[problem], form)
    assert verdict.named == name
    assert verdict.score < 1
    assert verdict.kind == "broken" or verdict.counterexample is not None


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=lambda problem: problem.id)
def test_every_known_error_has_a_verdict_for_the_museum(problem):
    for name in problem.wrong:
        verdict = verdict_on_error(problem, name)
        assert verdict.named == name
        assert verdict.kind == "broken" or verdict.counterexample is not None


# ---- what runs -------------------------------------------------------------------------------------------------------

GIBBS = {
    "crp-mixture": (mixtures.crp_mixture, mixtures.canonical),
    "finite-mixture": (mixtures.finite_mixture, tuple),
    "pi-integrated": (lambda points: documents.given_words(1.0, "collapsed", documents.SHORT, points), tuple),
    "pi-explicit": (lambda points: documents.given_words(1.0, "explicit", documents.SHORT, points), tuple),
    "naive-bayes-logs": (lambda points: documents.given_words(1.5, "collapsed", documents.LONG, points), tuple),
    "naive-bayes-collapsed": (documents.collapsed, tuple),
    "lda-word": (topics.lda, tuple),
    "chain-state": (lambda points: sequences.hidden_chain(SingleSite, points), tuple),
}


@pytest.mark.parametrize("problem", GIBBS)
def test_a_gibbs_samplers_conditionals_are_the_right_rule(problem):
    make, listed_as = GIBBS[problem]
    states = PROBLEMS[problem].at(4).states
    assert by_rule(problem, 4) == pytest.approx(rows_of(make(4), states, listed_as).toarray(), abs=1e-12)


def test_the_seating_is_that_of_the_restaurant():
    known = PROBLEMS["crp-seating"].at(5)
    rule = CRPSeating(features.ALPHA)
    for labels, row in zip(known.states, known.right.toarray(), strict=True):
        probabilities = rule.score(features.seated(labels), 0).probabilities
        assert row[: len(probabilities)] == pytest.approx(probabilities)


@pytest.mark.parametrize("name", [None, *WRONG_BUFFETS])
def test_the_line_at_the_buffet_is_that_of_the_sampler(name):
    problem, rule = PROBLEMS["buffet-line"], (WRONG_BUFFETS[name] if name else IndianBuffet)(features.RATE)
    texts = {
        None: problem.right,
        "new dishes for everyone": form_of("buffet-line", "new dishes for everyone"),
        "refused dishes counted": form_of("buffet-line", "refused dishes are counted"),
    }[name]
    table = problem.at(4).table
    for (customer, offered, taken), row in zip(table.states, by_rule("buffet-line", 4, texts), strict=True):
        assert row[1] == pytest.approx(rule.new_mean(customer))
        if taken:
            state = BuffetState()
            state.plates = [[]] * (customer - 1)
            count = 1
            for number in range(1, offered):
                count = rule.count_after(count, number < taken)
            state.counts = [count]
            assert row[0] == pytest.approx(rule.score(state, 0).probabilities[0])


@pytest.mark.parametrize("name", [None, "own features dropped"])
def test_the_bits_are_those_of_the_sampler(name):
    rule = WRONG_FEATURE_RULES[name] if name else LinearGaussian
    texts = form_of("ibp-bit", "own features are dropped") if name else None
    table, rows = PROBLEMS["ibp-bit"].at(3).table, by_rule("ibp-bit", 3, texts)
    sampler = features.features(3, rule)
    for update, row in enumerate(rows):
        site, labels = table.where(update)
        state = sampler.state(features.as_matrix(labels))
        if site in [*sampler.sites(state.copy())]:
            sampler.forget(state, site)
            off, on = sampler.score(state, site).probabilities
            place = site.row * features.FEATURES + site.feature
            end = (*labels[:place], 1, *labels[place + 1 :])
            assert row[table.states.index(end)] == pytest.approx(on)
            assert row.sum() == pytest.approx(on + off)
        else:
            assert row[table.states.index(labels)] == 1


@pytest.mark.parametrize(
    ("ladder", "name"),
    [
        (MixtureLadder, None),
        (jumps_wrong.WRONG_SWAPS["ratio left out"], "the ratio is left out"),
        (jumps_wrong.WRONG_SWAPS["hotter level left out"], "the hotter level is left out"),
        (jumps_wrong.WRONG_SWAPS["sign reversed"], "the sign is reversed"),
        (regression_wrong.WRONG_SWAPS["ratio left out"], "the ratio is left out"),
        (regression_wrong.WRONG_SWAPS["β of the other level"], "the sign is reversed"),
    ],
)
def test_the_swap_is_that_of_the_ladders(ladder, name):
    problem = PROBLEMS["temperature-swap"]
    table, log_density = problem.at(4).table, np.log(moves.DENSITY)
    weights = table.weights(problem.read(form_of(problem.id, name) if name else problem.right))
    swaps = np.flatnonzero(table.line == 0)
    assert len(swaps) == 16
    for option in swaps:
        _, (cold, hot) = table.where(table.update[option])
        terms = ladder.terms(object.__new__(ladder), (moves.COLD, moves.HOT), log_density[cold], log_density[hot])
        assert weights[option] == pytest.approx(exp(fsum(terms.values())))


@pytest.mark.parametrize(
    ("move", "name"),
    [
        (SplitMerge, None),
        (jumps_wrong.ProposalLeftOut, "the proposal is left out"),
        (jumps_wrong.SeatingLeftOut, "the seating is left out"),
    ],
)
def test_the_split_is_that_of_the_move(move, name):
    problem, mixture = PROBLEMS["split-merge"], mixtures.crp_mixture(4)
    texts = form_of(problem.id, name) if name else problem.right
    rows, table = by_rule(problem.id, 4, texts), problem.at(4).table
    sampler, rng = move(mixture, scans=0, sweeps=0), np.random.default_rng(3)
    seen: dict[tuple, list[float]] = {}
    for update in range(table.updates):
        pair, labels = table.where(update)
        if all(labels[point] not in {labels[anchor] for anchor in pair} for point in range(4) if point not in pair):
            sampler.pair = lambda _, pair=pair: pair  # such a split has one outcome, and its coins do not matter
            _, record = sampler.step(mixture.state(labels), rng)
            seen[pair, labels] = [
                record.probability,
                rows[update, table.states.index(mixtures.canonical(record.proposed))],
            ]
    assert len(seen) > 10
    for found, given in seen.values():
        assert given == pytest.approx(found)


@pytest.mark.parametrize(
    ("kind", "name"), [(Block, None), (LargestNotSum, "the largest term, not the sum"), (DrawnFromFilter, None)]
)
def test_the_message_is_that_of_the_block_sampler(kind, name):
    problem = PROBLEMS["forward-message"]
    rows = by_rule(problem.id, 2, form_of(problem.id, name) if name else None)
    sampler = sequences.hidden_chain(kind, 2)
    path = sampler.state([0, 0])
    for hour in range(2):
        sampler.remember(path, Forwards(hour), sampler.score(path, Forwards(hour)).draw(None))
    assert rows[0] == pytest.approx(path.filtered[1])


def test_wrong_labels_are_those_of_the_samplers():
    states = PROBLEMS["chain-state"].at(4).states
    found = rows_of(sequences.hidden_chain(NextLeftOut, 4), states).toarray()
    assert by_rule("chain-state", 4, form_of("chain-state", "the next state is left out")) == pytest.approx(found)
    names = [
        "the document's count includes the word",
        "the topic's counts include the word",
        "one β below, where all words have one",
    ]
    for rule, name in zip(WRONG_TOPIC_RULES.values(), names, strict=True):
        assert issubclass(rule, LDA)
        found = rows_of(topics.lda(5, rule), PROBLEMS["lda-word"].at(5).states).toarray()
        assert by_rule("lda-word", 5, form_of("lda-word", name)) == pytest.approx(found)
    rules = {name: WRONG_RULES[name] for name in ("data include the point", "counts forgotten")}
    for name, rule in rules.items():
        found = rows_of(mixtures.crp_mixture(4, rule), PROBLEMS["crp-mixture"].at(4).states, mixtures.canonical)
        text = {"data include the point": "the data include the point"}.get(name, "the counts are forgotten")
        forms = [form for form in PROBLEMS["crp-mixture"].wrong[text] if not callable(form)]
        assert any(by_rule("crp-mixture", 4, form) == pytest.approx(found.toarray(), abs=1e-9) for form in forms)


def test_repeated_words_as_powers_are_those_of_the_sampler():
    found = rows_of(documents.collapsed(4, RepeatsAsPowers), PROBLEMS["naive-bayes-collapsed"].at(4).states).toarray()
    texts = form_of("naive-bayes-collapsed", "repeated words as powers")
    assert by_rule("naive-bayes-collapsed", 4, texts) == pytest.approx(found, abs=1e-12)


def test_the_expected_tables_are_exact():
    digammas = [special.digamma(features.ALPHA + customers) for customers in features.MANY]
    found = features.ALPHA * (np.array(digammas) - special.digamma(features.ALPHA))
    assert values_of("expected-tables") == pytest.approx(found, rel=1e-12)


def test_one_too_few_is_that_of_the_sampler():
    class GivenWordsOneTooFew(OneTooFew, documents.GivenWords):
        pass

    sampler = GivenWordsOneTooFew(documents.SHORT[:4], 2, 1.0, documents.WORD_PRIOR)
    found = rows_of(sampler, PROBLEMS["pi-integrated"].at(4).states).toarray()
    texts = form_of("pi-integrated", "one too few, or γ left out: an empty class has nothing")
    assert by_rule("pi-integrated", 4, texts) == pytest.approx(found, abs=1e-12)


# ---- formulas --------------------------------------------------------------------------------------------------------


# ---- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("problem", "texts", "said"),
    [
        ("crp-mixture", ["n * fit", "alpha ** 2 * fit_new"], "Only the line of a new table is wrong."),
        ("crp-mixture", ["n * fit", "alpha ** 2 * fit_new"], "as α goes to 0"),
        ("crp-mixture", ["n * fit ** 3", "alpha * fit_new ** 3"], "with one point and where all fits are equal."),
        ("crp-mixture", ["3 * n * fit", "3 * alpha * fit_new"], "only their proportions count"),
        ("naive-bayes-logs", ["log(n + gamma) + sum(counts * log_probs) + 3"], "by a constant in each update"),
        ("finite-mixture", ["(n + gamma ** 2) * fit"], "right with one point, as γ goes to 0 and where γ is 1."),
        (
            "metropolis-grid",
            ["p_there * q_back / (p * q + p_there * q_back)"],
            "leaves the posterior of all 7 states as it is",
        ),
        ("metropolis-grid", ["p_there * sqrt(q_back / q) / p * 1.001"], "In the long run"),
        ("temperature-swap", ["0"], "accepts no proposal"),
        (
            "stan-pr-z",
            ["exp(gamma) / sum(exp(gammas))"],
            "not a number where gamma = -3149, gammas = [-3149, -3364, -3299]. It is right in the first case.",
        ),
        ("probit-average", ["1 / (1 + exp(-m / sqrt(1 + pi * v / 8)))"], "within 0.0086 of what quadrature gives"),
        ("pi-integrated", ["(n + gamma - 1) * fit"], "cannot return to 63 of 64 states"),
    ],
)
def test_the_verdict_says_what_else_there_is_to_say(problem, texts, said):
    assert said in judge(PROBLEMS[problem], texts).text
