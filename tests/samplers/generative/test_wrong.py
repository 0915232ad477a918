"""Every wrong rule runs, and fails where the right model passes: by how much is known."""

import numpy as np
import pytest

from samplers.generative.classifier import GenerativeModel
from samplers.generative.features import Encoding, Feature
from samplers.generative.wrong import WRONG_GENERATIVE_RULES

FEATURES = (Feature("a"), Feature("b", ("no", "yes")))
ENCODING = Encoding(FEATURES)
VALUES = np.array([[-1.2, 0], [-0.4, 0], [0.3, 0], [1.4, 1], [np.nan, 1], [2.2, np.nan]])
LABELS = [0, 0, 0, 1, 1, 1]


def fit(rule, values=VALUES, labels=LABELS, pseudo_count=1.5, class_prior=(2.0, 2.0)):
    model = rule(ENCODING.prior(1.0, pseudo_count), 2, class_prior)
    return model, model.posterior(ENCODING.rows(values), labels)


def test_a_prior_for_each_datum_outweighs_the_data():
    """π: a - 1 comes N times; of each class's parameters, so often as it has examples."""
    model, posterior = fit(WRONG_GENERATIVE_RULES["prior for each datum"], labels=[1, 1, 1, 1, 0, 1])
    assert posterior.weights.prior.tolist() == [6 * 1 + 1 + 1, 6 * 1 + 1 + 5]
    number, yes = posterior.families[1].families
    assert number.kappa == 5 * 1 + 5
    assert yes.prior.tolist() == [5 * 0.5 + 1 + 3, 5 * 0.5 + 1 + 1]
    _, right = fit(GenerativeModel, labels=[1, 1, 1, 1, 0, 1])
    assert right.weights.prior.tolist() == [2 + 1, 2 + 5]
    assert right.families[1].families[0].kappa == 1 + 5
    many = model.posterior(ENCODING.rows(np.repeat(VALUES, 50, axis=0)), [1] * 300)
    assert many.weights.typical().mean[1] < 0.7, "however many there are, the prior holds on"


def test_one_prior_for_one_datum_is_right():
    rule = WRONG_GENERATIVE_RULES["prior for each datum"]
    wrong, right = (fit(each, VALUES[:1], [1])[1] for each in (rule, GenerativeModel))
    rows = ENCODING.rows(VALUES)
    assert wrong.predictive().log_joint(rows) == pytest.approx(right.predictive().log_joint(rows), rel=1e-12)


def test_without_pseudo_counts_what_was_never_seen_rules_a_class_out():
    rule = WRONG_GENERATIVE_RULES["no pseudo-counts"]
    asked = ENCODING.rows([[-3.0, 1], [np.nan, 1], [0.0, 0]])
    wrong, right = (fit(each)[1].predictive().predict(asked) for each in (rule, GenerativeModel))
    assert wrong[0].tolist() == [0, 1], "class 0 never said yes"
    assert right[0, 0] > 0.3
    terms = fit(rule)[1].predictive().terms(asked)
    assert np.exp(terms[:, 2, 1]).tolist() == [1, 1, 0]
    assert np.isnan(wrong[2]).tolist() == [False, False]
    # without an example there is nothing to share out, and 0/0 is the answer
    assert np.isnan(fit(rule, labels=[0] * 6)[1].predictive().predict(asked)).all()
    assert np.exp(fit(rule)[1].mode().terms(asked)[:, 2, 1]).tolist() == [1, 1, 0]


def test_what_is_missing_read_as_zero_is_taken_for_a_fact():
    rule = WRONG_GENERATIVE_RULES["missing as zero"]
    model, wrong = fit(rule)
    filled = np.nan_to_num(VALUES)
    _, right = fit(GenerativeModel, filled)
    asked = ENCODING.rows([[np.nan, np.nan], [0.5, 1]])
    assert model.read(asked).tolist() == [[0, 1, 0], [0.5, 0, 1]]
    assert wrong.predictive().predict(model.read(asked)) == pytest.approx(
        right.predictive().predict(ENCODING.rows([[0, 0], [0.5, 1]])), rel=1e-12
    )
    good, honest = fit(GenerativeModel)
    assert np.isnan(good.read(asked)[0]).all()
    assert honest.predictive().predict(good.read(asked))[0] == pytest.approx([0.5, 0.5])
    assert wrong.predictive().predict(model.read(asked))[0, 0] > 0.7


@pytest.mark.parametrize(("name", "rule"), WRONG_GENERATIVE_RULES.items(), ids=WRONG_GENERATIVE_RULES)
def test_wrong_rules_answer(name, rule):
    model, posterior = fit(rule, np.nan_to_num(VALUES), pseudo_count=1.0)
    rows = model.read(ENCODING.rows(VALUES))
    assert posterior.predictive().predict(rows).shape == (6, 2)
    assert model.plug_in(ENCODING.rows(np.nan_to_num(VALUES)), LABELS).predict(rows).shape == (6, 2)
