"""Right rules are right in any form, known errors are named, and others have the smallest counterexample."""

import numpy as np
import pytest

from samplers.crp.exact_partitions import sweep_matrix
from samplers.enumerated import stationary
from samplers.judge.mixtures import CRP_MIXTURE, crp_mixture
from samplers.judge.verdict import judge

NEW = "alpha * fit_new"


@pytest.mark.parametrize(
    "rule",
    [
        ("n * fit", NEW),
        ("fit * n / (total + alpha)", "alpha * fit_new / (alpha + total)"),
        ("exp(log(n) + log(fit))", "exp(log(alpha) + log(fit_new))"),
        ("n · fit", "α · fit_new"),
        ("(n + mine - mine) * fit", "fit_new * alpha"),
    ],
)
def test_a_right_rule_is_right_in_any_form(rule):
    verdict = judge(CRP_MIXTURE, rule)
    assert (verdict.kind, verdict.score, verdict.distance) == ("right", 1.0, 0.0)
    assert "877 × 7 updates" in verdict.text


@pytest.mark.parametrize(
    ("rule", "name"),
    [(("fit", NEW), "the counts are forgotten"), (("n * fit_mine", NEW), "the data include the point")],
)
def test_a_known_error_is_named_with_its_exact_distance(rule, name):
    verdict = judge(CRP_MIXTURE, rule)
    assert (verdict.kind, verdict.named) == ("known", name)
    table = CRP_MIXTURE.at(5)
    assert verdict.distance is not None
    assert 0.05 < verdict.distance < 0.5
    assert verdict.score == pytest.approx(min(0.9, 1 - verdict.distance))
    assert verdict.sweeps is not None
    assert verdict.sweeps > 100
    assert table.right.shape == (52 * 5, 52)


def test_the_right_rows_are_those_of_the_sampler():
    known = CRP_MIXTURE.at(4)
    size = len(known.table.states)
    sweep = np.eye(size)
    for number in range(4):
        sweep = sweep @ known.right[number * size : (number + 1) * size]
    assert sweep == pytest.approx(sweep_matrix(crp_mixture(4)), abs=1e-12)
    assert stationary(sweep) == pytest.approx(known.table.posterior, abs=1e-10)


def test_another_error_has_the_smallest_counterexample():
    verdict = judge(CRP_MIXTURE, ("n * fit", "2 * alpha * fit_new"))
    assert verdict.kind == "unknown"
    assert verdict.counterexample is not None
    points, site, state, reached, right, given, shared = verdict.counterexample
    assert shared["alpha"] == CRP_MIXTURE.at(2).table.shared(0)["alpha"]
    assert "n" not in shared  # each table has its own
    assert (points, site, state) == (2, 0, (0, 0))
    assert reached == [(0, 0), (0, 1)]
    odds = [right[1] / right[0], given[1] / given[0]]
    assert odds[1] == pytest.approx(2 * odds[0])


@pytest.mark.parametrize(
    ("rule", "kind", "said"),
    [
        (("n * log(fit)", NEW), "broken", "The weight of a table is negative where n = "),
        (("1 / (n - 1)", NEW), "broken", "is infinite where n = 1"),
        (("0", "0"), "broken", "that of every option is"),
        (("n * fit", "0"), "reducible", "cannot return to 876 of 877 states"),
        (("0", "1"), "reducible", "cannot return to 876 of 877 states"),
    ],
)
def test_rules_without_a_long_run_say_why(rule, kind, said):
    verdict = judge(CRP_MIXTURE, rule)
    assert verdict.kind == kind
    assert said in verdict.text
    assert verdict.score == 0
