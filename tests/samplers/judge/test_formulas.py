"""Formulas of the judge, against the models and quadrature."""

from math import exp

import numpy as np
import pytest
from scipy import integrate, special

from samplers.climb.em import EM
from samplers.climb.wrong import NotNormalised, WeightsLeftOut
from samplers.generative.classifier import GenerativeModel
from samplers.generative.wrong import WRONG_GENERATIVE_RULES
from samplers.gradient.wrong import SumOfLogs
from samplers.judge import formulas, slopes
from samplers.judge.bank import PROBLEMS
from samplers.judge.verdict import judge
from samplers.regression import wrong as regression_wrong
from samplers.regression.laplace import Laplace
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import predict_mackay
from tests.samplers.derivatives import central_differences
from tests.samplers.judge.problems import by_rule, form_of, values_of


def test_the_classes_of_a_document_are_those_of_the_models():
    each = [formulas.gammas(counts) for counts in formulas.DOCUMENTS]
    assert values_of("stan-gamma") == pytest.approx(np.ravel(each))
    assert values_of("stan-pr-z") == pytest.approx(special.softmax(each, axis=1).ravel())
    assert values_of("stan-log-sum-exp") == pytest.approx(special.logsumexp(each, axis=1))
    assert values_of("stan-log-sum-exp", form_of("stan-log-sum-exp", "the sum of the logs")) == pytest.approx(
        SumOfLogs.sum_out(np.array(each))[0]
    )


def test_a_formula_that_breaks_says_in_which_numbers_and_lists():
    problem, counts = PROBLEMS["stan-gamma"], formulas.DOCUMENTS[4]
    text = judge(problem, form_of("stan-gamma", "no logarithms: the product underflows")).text
    assert f"where log_weight = -0.6931, counts = {[*counts]}, log_probs = [" in text
    assert "case 5" not in text


@pytest.mark.parametrize(
    ("kind", "name"), [(EM, None), (NotNormalised, "not normalised"), (WeightsLeftOut, "weights left out")]
)
def test_the_shares_are_those_of_the_e_step(kind, name):
    made = kind(formulas.VALUES, formulas.climb(1).family, 3)
    texts = form_of("e-step", name) if name else None
    assert values_of("e-step", texts) == pytest.approx(made.share(formulas.PARTS).ravel())


def test_slope_and_curvature_are_those_of_the_model():
    model = slopes.logistic(6)
    twice = regression_wrong.PriorWithoutHalf(model.features, model.labels, slopes.PRECISION)
    gradients, curvatures = values_of("logistic-gradient"), values_of("logistic-curvature")
    wrong = values_of("logistic-gradient", form_of("logistic-gradient", "the prior without its 1/2"))
    for place, w in enumerate(slopes.POSITIONS):
        gradient, hessian = model.gradient_and_hessian([w])
        assert gradients[place] == pytest.approx(-gradient[0], rel=1e-12)
        assert curvatures[place] == pytest.approx(-hessian[0, 0], rel=1e-12)
        assert gradients[place] == pytest.approx(-central_differences(model.log_density, [w])[0], abs=1e-8)
        assert wrong[place] == pytest.approx(-twice.gradient_and_hessian([w])[0][0], rel=1e-12)
    found = regression_wrong.prior_left_out_of_hessian(model)
    assert isinstance(found, Laplace)
    assert isinstance(model, LogisticRegression)


def test_the_average_of_sigma_is_held_against_quadrature():
    table = PROBLEMS["probit-average"].at(4).table
    pairs = [(names["m"].numbers, names["v"].numbers) for names in table.known]
    means, variances = pairs[0]
    right = [predict_mackay([[1.0]], [m], [[v]])[0] for m, v in zip(means, variances, strict=True)]
    assert values_of("probit-average") == pytest.approx(right, rel=1e-12)
    forgotten = form_of("probit-average", "π/8 is forgotten")
    wrong = [regression_wrong.mackay_not_scaled([[1.0]], [m], [[v]])[0] for m, v in zip(means, variances, strict=True)]
    assert values_of("probit-average", forgotten) == pytest.approx(wrong, rel=1e-12)
    for m, v, exact in zip(means, variances, table.exact, strict=True):
        deviation = v**0.5
        found, error = integrate.quad(lambda z, m=m, d=deviation: special.expit(m + d * z) * exp(-z * z / 2), -12, 12)
        assert exact == pytest.approx(found / (2 * np.pi) ** 0.5, abs=error + 1e-12)


def test_a_better_formula_than_the_usual_one_is_right():
    better = "1 / (1 + exp(-m / sqrt(1 + pi * v / 8 * 0.99)))"
    verdict = judge(PROBLEMS["probit-average"], [better])
    assert (verdict.kind, verdict.score) == ("right", 1.0)
    assert "not the usual formula, but no worse" in verdict.text


@pytest.mark.parametrize("name", [None, "missing as zero"])
def test_the_predictive_is_that_of_the_classifier(name):
    kind = WRONG_GENERATIVE_RULES[name] if name else GenerativeModel
    rows = by_rule("generative-predictive", 6, form_of("generative-predictive", name) if name else None)
    assert rows == pytest.approx(formulas.predicted(6, kind))


def test_the_predictive_is_held_against_quadrature():
    examples, (a, b) = formulas.EXAMPLES, (formulas.A, formulas.B)
    joint = np.empty((2, 2))
    for label in (0, 1):
        values = [value for value, its in examples if its == label]
        ones, zeros = sum(values), len(values) - sum(values)
        for x in (0, 1):

            def density(theta, ones=ones, zeros=zeros, x=x):
                return theta ** (ones + b - 1 + x) * (1 - theta) ** (zeros + b - 1 + 1 - x)

            top, error = integrate.quad(density, 0, 1)
            assert error < 1e-7
            joint[x, label] = (len(values) + a) * top / special.beta(ones + b, zeros + b)
    rows = by_rule("generative-predictive", len(examples))
    assert rows[:2] == pytest.approx((joint / joint.sum(axis=1, keepdims=True))[::-1], abs=1e-7)
