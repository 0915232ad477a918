"""Labels that are asked for: gains by enumeration of the answers, promises that are kept, and rules that break them."""

from itertools import permutations

import numpy as np
import pytest

from samplers import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.diagnostics.convergence import noise_floor
from samplers.mixtures.asking import Asking
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.wrong import WRONG_GAINS

POINTS, KNOWN = [-1.4, -0.9, 0.1, 0.3, 1.6, 3.0], [0, -1, -1, -1, -1, -1]
EXACT = exact_finite_mixture(POINTS, NormalKnownVariance(0.0, 4.0, 0.6), 2, 1.0, KNOWN)
THREE = exact_finite_mixture(POINTS[:4], NormalKnownVariance(0.0, 4.0, 0.6), 3, 0.7, [0, -1, -1, -1])
TRUTH = [0, 0, 1, 1, 1, 1]


def entropy(shares):
    return -sum(share * np.log2(share) for share in shares if share > 0)


def bits_of(weighed, classes):
    """The sum of the entropies of all labels, of (labelling, weight) pairs."""
    total = sum(weight for _, weight in weighed)
    items = range(len(weighed[0][0]))
    return sum(
        entropy([sum(w for labels, w in weighed if labels[item] == k) / total for k in range(classes)])
        for item in items
    )


def by_hand(exact, item):
    """The gain of an item's label, answer by answer and labelling by labelling."""
    weighed = list(zip(exact.labellings.tolist(), exact.probabilities.tolist(), strict=True))
    left = 0.0
    for answer in range(exact.classes):
        kept = [(labels, weight) for labels, weight in weighed if labels[item] == answer]
        chance = sum(weight for _, weight in kept)
        left += chance * bits_of(kept, exact.classes) if chance else 0.0
    return bits_of(weighed, exact.classes) - left


def after_asking(kind):
    """The bits that a rule promises after one answer, and those that are left on average, over all truths."""
    promised = kept = 0.0
    for truth, weight in zip(EXACT.labellings, EXACT.probabilities, strict=True):
        asking = kind(EXACT, truth)
        state, outlook = asking.step(asking.init(None), np.random.default_rng(0))
        promised += weight * (outlook.bits.sum() - asking.gains(outlook)[state.asked[0]])
        kept += weight * asking.outlook(state.asked).bits.sum()
    return promised, kept


@pytest.mark.parametrize("exact", [EXACT, THREE], ids=["two classes", "three classes"])
def test_gains_are_those_of_an_enumeration_of_answers_and_labellings(exact):
    asking = Asking(exact, exact.labellings[0])
    outlook = asking.outlook(())
    assert asking.gains(outlook) == pytest.approx([by_hand(exact, item) for item in range(len(outlook.bits))])
    assert (asking.gains(outlook) >= outlook.bits - 1e-12).all(), "an answer says all about its own label"
    assert outlook.bits[0] == pytest.approx(0), "that label is known"


def test_what_is_promised_is_kept_on_average_over_all_truths_and_not_by_a_wrong_rule():
    promised, kept = after_asking(Asking)
    assert promised == pytest.approx(kept, abs=1e-12)
    for rule in WRONG_GAINS.values():
        promised, kept = after_asking(rule)
        assert abs(promised - kept) > 0.05


@pytest.mark.parametrize("answers", [0, 1, 3, 5])
def test_the_number_right_is_as_expected_on_average_over_all_truths(answers):
    expected = found = 0.0
    for truth, weight in zip(EXACT.labellings, EXACT.probabilities, strict=True):
        asking = Asking(EXACT, truth)
        asked = Chain(asking, 0)[answers].asked
        expected += weight * asking.promised(asked)
        found += weight * asking.right(asked)
    assert found == pytest.approx(expected)


def test_an_expected_gain_is_never_negative_but_by_the_rule_in_which_answers_count_alike():
    wrong = WRONG_GAINS["answers count alike"]
    lowest = {}
    for kind in (Asking, wrong):
        asking = kind(EXACT, TRUTH)
        outlooks = [asking.outlook(asked) for asked in ((), (1,), (4,), (1, 2))]
        lowest[kind] = min(asking.gains(outlook)[asking.hidden].min() for outlook in outlooks)
    assert lowest[Asking] > -1e-12
    assert lowest[wrong] < -0.05


def test_labels_at_random_have_the_law_of_all_orders_and_the_chain_has_it_too():
    asking = Asking(EXACT, TRUTH, "at random")
    for answers in (1, 2):
        orders = [asking.right(order) for order in permutations(asking.hidden.tolist(), answers)]
        law = asking.right_at_random(answers)
        assert law == pytest.approx(np.bincount(orders, minlength=6) / len(orders))
        runs = [asking.right(Chain(asking, seed)[answers].asked) for seed in range(400)]
        assert np.abs(np.bincount(runs, minlength=6) / 400 - law).sum() / 2 < 2.5 * noise_floor(law, 400)


def test_by_hand_comes_first_and_the_rule_goes_on():
    most, unsure = Asking(EXACT, TRUTH, first=(5, 2)), Asking(EXACT, TRUTH, "least sure")
    assert Chain(most, 0)[2].asked == (5, 2)
    third = Chain(most, 0)[3].asked[2]
    gains = most.gains(most.outlook((5, 2)))
    assert third == max([1, 3, 4], key=lambda item: gains[item])
    assert Chain(unsure, 0)[1].asked[0] == unsure.outlook(()).bits.argmax()
    assert sorted(Chain(most, 0)[9].asked) == [1, 2, 3, 4, 5], "all are known, so nothing is left to ask for"
    assert most.right((1, 2, 3, 4, 5)) == 5


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"way": "by heart"}, "way must be"),
        ({"first": (0,)}, "hidden items"),
        ({"first": (1, 1)}, "each once"),
        ({"truth": [0, 1]}, "6 labels"),
    ],
)
def test_what_it_does_not_take(given, said):
    with pytest.raises(ValueError, match=said):
        Asking(**{"exact": EXACT, "truth": TRUTH, **given})
