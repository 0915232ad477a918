"""The program at work: what its lines add is the density that the sampler walks on, and γ is the model's own."""

import numpy as np
import pytest

from lessons.reader.stages.marginalise import MarginaliseSettings
from pages.stages.marginalise.programs import MOVED, NEW, data_of, gone, marks
from pages.stages.marginalise.script import Script, lines_of, script_of
from samplers.labels import HIDDEN
from samplers.stan_programs import TITLES, program
from samplers.wrong_marginal import WRONG_MARGINALS

VARIANTS = list(TITLES)
RULES = ["right", *WRONG_MARGINALS]


def place(settings: MarginaliseSettings) -> np.ndarray:
    """Return some place of the parameters that nothing is special about."""
    return np.random.default_rng(3).normal(0, 0.8, settings.target().dimension)


def scripted(**changes) -> tuple[MarginaliseSettings, np.ndarray, Script]:
    settings = MarginaliseSettings(step_by="term", **changes)
    position = place(settings)
    return settings, position, script_of(settings, settings.target(), position)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("known", [1, 4, 6])
def test_what_the_lines_add_is_the_log_density(variant, rule, known):
    settings, position, script = scripted(variant=variant, rule=rule, known_labels=known)
    assert script.target()[-1] == pytest.approx(settings.target().log_density(position), abs=1e-9)
    assert len(script.acts) == settings.iterations


@pytest.mark.parametrize(
    ("rule", "variant"),
    [("sum of logs", "unsupervised"), ("Jacobian forgotten", "unsupervised"), ("test documents teach", "prediction")],
)
def test_a_wrong_rules_lines_do_not_add_up_to_the_right_density(rule, variant):
    settings, position, script = scripted(variant=variant, rule=rule)
    right = settings.model_copy(update={"rule": "right"}).target().log_density(position)
    assert abs(script.target()[-1] - right) > 0.1


@pytest.mark.parametrize("variant", VARIANTS)
def test_gamma_ends_as_the_models(variant):
    settings, position, script = scripted(variant=variant)
    gamma, models = script.gamma()[-1], settings.target().log_joint_by_class(position)
    for document, label in enumerate(settings.labels):
        if label == HIDDEN:
            assert gamma[document] == pytest.approx(models[document])
        else:
            assert gamma[document, label] == pytest.approx(models[document, label])
            assert np.isnan(gamma[document, 1 - label]), "a known label's other class is never asked"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_act_is_on_a_line_that_says_so(variant):
    settings, _, script = scripted(variant=variant)
    roles = [script.lines[act.line].role for act in script.acts]
    assert "structure" not in roles
    assert "data" not in roles
    assert [act.line for act in script.acts] == sorted(act.line for act in script.acts), "as the program runs"
    assert len(script.acts) == settings.iterations
    words = sum(act.token >= 0 for act in script.acts)
    assert words == len(script.tokens) == settings.corpus().bag.counts.sum()


def test_the_long_table_is_the_one_that_stan_is_given():
    settings, _, script = scripted(variant="full Bayes")
    data = data_of(settings)
    for mark in ("", "2"):
        entries = [token for token in script.tokens if token.mark == mark]
        assert [token.word + 1 for token in entries] == data[f"w{mark}"]
        assert [token.number for token in entries] == data[f"doc{mark}"]


def test_of_many_documents_a_page_is_walked_through():
    settings, _, script = scripted(data="toy_corpus", document=20)
    assert script.documents.tolist() == list(range(16, 24))
    assert len(script.acts) == settings.iterations


def test_documents_without_words_and_one_label_only():
    settings, position, script = scripted(words=2, variant="full Bayes", known_labels=1)
    assert script.target()[-1] == pytest.approx(settings.target().log_density(position))
    assert len(script.tokens) < 10


# ---- programs --------------------------------------------------------------------------------------------------------


def test_the_same_program_has_no_marks():
    for variant in VARIANTS:
        lines = program(variant)
        assert {look for look, _ in marks(lines, lines)} == {""}
        assert not gone(lines, lines)


def test_from_full_bayes_to_prediction_gamma_moves_and_target_goes():
    lines, before = program("prediction"), program("full Bayes")
    found = {line.text.strip(): mark for line, mark in zip(lines, marks(lines, before), strict=True) if mark[0]}
    assert set(found) == {
        "array[M2] vector[K] gamma2 = rep_array(log(theta), M2);",
        "gamma2[doc2[n], k] += log(phi[k, w2[n]]);",
    }
    assert set(found.values()) == {(MOVED, "transformed parameters")}
    assert gone(lines, before) == ["target += log_sum_exp(gamma2[m]);"]


def test_what_supervised_does_not_have_is_new():
    lines = program("full Bayes")
    looks = [look for look, _ in marks(lines, program("supervised"))]
    fresh = [line.text for line, look in zip(lines, looks, strict=True) if look == NEW]
    assert all("2" in text for text in fresh)
    assert MOVED not in looks


def test_the_errors_that_are_a_line_are_in_the_program_shown():
    texts = [line.text.strip() for line in lines_of(MarginaliseSettings(rule="sum of logs"))]
    assert "target += sum(gamma[m]);" in texts
    assert lines_of(MarginaliseSettings(variant="prediction", rule="test documents teach")) == program("full Bayes")
    assert lines_of(MarginaliseSettings(rule="Jacobian forgotten")) == program("unsupervised")
