"""The program at work: what its lines add is the density that the sampler walks on, and γ is the model's own."""

import numpy as np
import pytest

from lessons.topics.marginalise import MarginaliseSettings
from pages.topics.marginalise.program_trace import ProgramTrace, darts_at, trace_of
from pages.topics.marginalise.programs import MOVED, NEW, data_of, gone, marks
from samplers.gradient.stan_programs import TITLES, program
from samplers.gradient.wrong import WRONG_MARGINALS
from samplers.mixtures.labels import HIDDEN

VARIANTS = list(TITLES)
RULES = ["right", *WRONG_MARGINALS]


def place(settings: MarginaliseSettings) -> np.ndarray:
    """Return some place of the parameters that nothing is special about."""
    return np.random.default_rng(3).normal(0, 0.8, settings.target().dimension)


def traced(**changes) -> tuple[MarginaliseSettings, np.ndarray, ProgramTrace]:
    settings = MarginaliseSettings(step_by="term", **changes)
    position = place(settings)
    return settings, position, trace_of(settings, settings.target(), position)


@pytest.mark.parametrize("scope", ["saved", "local"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("known", [1, 4, 6])
def test_what_the_lines_add_is_the_log_density(variant, rule, known, scope):
    settings, position, trace = traced(variant=variant, rule=rule, known_labels=known, gamma_scope=scope)
    assert trace.target()[-1] == pytest.approx(settings.target().log_density(position), abs=1e-9)
    assert len(trace.acts) == settings.iterations


@pytest.mark.parametrize(
    ("rule", "variant"),
    [("sum of logs", "unsupervised"), ("Jacobian forgotten", "unsupervised"), ("test documents teach", "prediction")],
)
def test_a_wrong_rules_lines_do_not_add_up_to_the_right_density(rule, variant):
    settings, position, trace = traced(variant=variant, rule=rule)
    right = settings.model_copy(update={"rule": "right"}).target().log_density(position)
    assert abs(trace.target()[-1] - right) > 0.1


@pytest.mark.parametrize(("classes", "scope"), [(2, "saved"), (3, "saved"), (2, "local")])
@pytest.mark.parametrize("variant", VARIANTS)
def test_gamma_ends_as_the_models(variant, classes, scope):
    settings, position, trace = traced(variant=variant, classes=classes, gamma_scope=scope)
    assert trace.target()[-1] == pytest.approx(settings.target().log_density(position), abs=1e-9)
    gamma, models = trace.gamma()[-1], settings.target().log_joint_by_class(position)
    for document, label in enumerate(settings.labels):
        if label == HIDDEN:
            assert gamma[document] == pytest.approx(models[document])
        else:
            assert gamma[document, label] == pytest.approx(models[document, label])
            assert np.isnan(np.delete(gamma[document], label)).all(), "a known label's other classes are never asked"


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_act_is_on_a_line_that_says_so(variant):
    settings, _, trace = traced(variant=variant)
    roles = [trace.lines[act.line].role for act in trace.acts]
    assert "structure" not in roles
    assert "data" not in roles
    assert [act.line for act in trace.acts] == sorted(act.line for act in trace.acts), "as the program runs"
    assert len(trace.acts) == settings.iterations
    words = sum(act.token >= 0 for act in trace.acts)
    assert words == len(trace.tokens) == settings.corpus().bag.counts.sum()


def test_the_long_table_is_the_one_that_stan_is_given():
    settings, _, trace = traced(variant="full Bayes")
    data = data_of(settings)
    for mark in ("", "2"):
        entries = [token for token in trace.tokens if token.mark == mark]
        assert [token.word + 1 for token in entries] == data[f"w{mark}"]
        assert [token.number for token in entries] == data[f"doc{mark}"]


def test_of_many_documents_a_page_is_walked_through():
    settings, _, trace = traced(data="toy_corpus", document=20)
    assert trace.documents.tolist() == list(range(16, 24))
    assert len(trace.acts) == settings.iterations


def test_documents_without_words_and_one_label_only():
    settings, position, trace = traced(words=2, variant="full Bayes", known_labels=1)
    assert trace.target()[-1] == pytest.approx(settings.target().log_density(position))
    assert len(trace.tokens) < 10


@pytest.mark.parametrize("variant", VARIANTS)
def test_labels_are_drawn_last_and_change_nothing(variant):
    settings, position, trace = traced(variant=variant)
    drawn = [act for act in trace.acts if act.dart >= 0]
    assert [act.document for act in drawn] == np.flatnonzero(settings.labels == HIDDEN).tolist()
    assert all(act.target == 0 and not act.gamma for act in drawn)
    assert trace.acts[len(trace.acts) - len(drawn) :] == tuple(drawn)
    other = settings.model_copy(update={"iteration": 7})
    assert [act.dart for act in trace_of(other, other.target(), position).acts if act.dart >= 0] != [
        act.dart for act in drawn
    ] or not drawn


def test_darts_fall_evenly():
    darts = np.concatenate([darts_at(iteration, 6) for iteration in range(1000)])
    assert abs(darts.mean() - 0.5) < 5 * (1 / 12 / len(darts)) ** 0.5
    assert darts_at(50, 6).tolist() == darts_at(50, 6).tolist()


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
    assert gone(program("unsupervised"), program("supervised"))[0] == "z ~ categorical(theta);", "data are folded"
    assert "array[M] int<lower=1, upper=K> z_draw;" in gone(program("supervised"), program("unsupervised"))


def test_what_supervised_does_not_have_is_new():
    lines = program("full Bayes")
    looks = [look for look, _ in marks(lines, program("supervised"))]
    fresh = [line.text for line, look in zip(lines, looks, strict=True) if look == NEW]
    assert all("2" in text for text in fresh)
    assert MOVED not in looks


def test_the_errors_that_are_a_line_are_in_the_program_shown():
    texts = [line.text.strip() for line in MarginaliseSettings(rule="sum of logs").program()]
    assert "target += sum(gamma[m]);" in texts
    assert MarginaliseSettings(variant="prediction", rule="test documents teach").program() == program("full Bayes")
    assert MarginaliseSettings(rule="Jacobian forgotten").program() == program("unsupervised")


def test_a_local_gamma_moves_into_the_model_and_is_new_where_it_is_made_again():
    lines, before = program("unsupervised", local=True), program("unsupervised")
    found = [(line.text.strip(), mark) for line, mark in zip(lines, marks(lines, before), strict=True) if mark[0]]
    gamma = ["array[M] vector[K] gamma = rep_array(log(theta), M);", "gamma[doc[n], k] += log(phi[k, w[n]]);"]
    assert found == [(text, mark) for mark in ((MOVED, "transformed parameters"), (NEW, "")) for text in gamma]
    assert not gone(lines, before)


def test_a_local_gamma_begins_anew_after_the_draw():
    _, _, trace = traced(gamma_scope="local")
    begins = [t for t, act in enumerate(trace.acts, 1) if act.declares]
    assert [trace.lines[trace.acts[t - 1].line].role for t in begins] == ["gamma prior term", "gamma again"]
    gamma = trace.gamma()
    assert (gamma[begins[0]] == gamma[begins[1]]).all()
    assert all(act.target == 0 for act in trace.acts[begins[1] - 1 :])
