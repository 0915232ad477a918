import re
from dataclasses import replace

import pytest

from lessons.topics import STAGES
from pages.drawing.plates import Diagram, Node, factors, panel
from pages.scenes.gibbs_stage import GibbsStage
from pages.scenes.modes import ModeStage
from tests.pages.html import words
from tests.pages.topics.every_film import stages

CHAIN = Diagram(
    {name: Node(name.upper(), f"is {name}", (column, 0)) for column, name in enumerate("abcd")},
    (("a", "b"), ("b", "c"), ("d", "c")),
    {"many": ("c",)},
)
VARIANTS = [
    ("crp_mixture", {}),
    ("crp_mixture", {"learning": "learned"}),
    ("gibbs_blobs", {}),
    ("gibbs_blobs", {"blocks": "uncollapsed", "components": "multinomial"}),
    ("gibbs_blobs", {"model": "CRP"}),
    ("gibbs_text", {"word_probs": "collapsed", "weights": "explicit"}),
    ("gibbs_text", {"known_labels": 2, "weights": "explicit"}),
    ("crp_seating", {"door": "stick", "discount": 0.2}),
    ("ibp_buffet", {"model": "finite", "columns": 4}),
    ("ibp_features", {"redrawn": "all"}),
    ("ibp_features", {"data": "scores", "model": "sparse"}),
    ("hidden_chain", {"number": "learned"}),
    ("draws", {"method": "chain"}),
    ("generative", {"method": "story"}),
    ("generative", {"method": "examples"}),
    ("generative", {"method": "labels"}),
    ("generative", {"method": "labels", "grouping": "pairs", "labelled": 0}),
    ("logistic", {"prior": "flat"}),
    ("logistic", {"data": "line", "prior": "flat"}),
    ("logistic", {"data": "three"}),
    ("logistic", {}),
    ("marginalise", {"variant": "supervised"}),
    ("marginalise", {"variant": "full Bayes", "known_labels": 2}),
    ("marginalise", {"variant": "prediction", "known_labels": 2}),
    ("marginalise", {"model": "two means"}),
]


def out(diagram: Diagram, *names: str) -> Diagram:
    """Return the diagram with some nodes integrated out."""
    nodes = {name: replace(node, kind="out") if name in names else node for name, node in diagram.nodes.items()}
    return replace(diagram, nodes=nodes)


def drawn(stage: str, settings: dict, t: int = 1, site: object = None) -> Diagram:
    own = STAGES[stage](**settings)
    made = stages()[stage]()
    shown = type(made.of(own) if isinstance(made, ModeStage) else made)
    return shown.diagram(own, t, site) if issubclass(shown, GibbsStage) else shown.diagram(own, t)


def test_a_node_is_drawn_given_its_markov_blanket():
    assert CHAIN.reads("a") == {"b"}
    assert CHAIN.reads("b") == {"a", "c", "d"}, "its child's other parent too"
    assert CHAIN.reads("c") == {"b", "d"}


def test_the_blanket_reaches_through_what_is_integrated_out():
    assert out(CHAIN, "b").reads("a") == {"c", "d"}
    assert out(CHAIN, "b", "d").reads("c") == {"a", "c"}, "the others of its plate are tied to it"


def test_what_a_redraw_integrates_out_is_not_read():
    assert replace(CHAIN, without={"a": ("b",)}).reads("a") == {"c", "d"}
    assert replace(CHAIN, without={"a": ("b",)}).reads("b") == {"a", "c", "d"}
    told = words(panel(drawn("hidden_chain", {"number": "learned"}, 1, "base weights")))
    assert "Redrawn: b given zₜ₋₁, zₜ, zₜ₊₁." in told
    assert "zₜ₋₁, zₜ, zₜ₊₁ | b )" in told
    assert "A |" not in told


def test_what_is_made_forwards_reads_its_parents_alone():
    forward = replace(CHAIN, redrawn=("b",), forward=True)
    assert forward.reads("b") == {"a"}


def test_integrating_a_node_out_makes_one_factor_of_all_that_hold_it():
    assert [set(factor.of) for factor in factors(CHAIN)] == [{"a"}, {"b"}, {"c"}, {"d"}]
    left = factors(out(CHAIN, "b"))
    assert [(set(factor.of), set(factor.given), factor.tied) for factor in left] == [
        ({"a"}, set(), False),
        ({"c"}, {"a", "d"}, True),
        ({"d"}, set(), False),
    ]
    beside = replace(out(CHAIN, "b"), plates={"many": ("b", "c")})
    assert not any(factor.tied for factor in factors(beside)), "each of the plate has its own"


def test_the_conditional_is_what_is_left_of_the_joint():
    html = panel(drawn("gibbs_blobs", {"blocks": "uncollapsed"}, 1, 0))
    struck = [words(text) for text in re.findall(r"<s>(.*?)</s>", html)]
    assert struck == ["p( π | a )", "∏ p( θₖ | G₀ )"]
    assert "p( zᵢ | π ) p( xᵢ | zᵢ, θₖ )" in words(html).partition("Strike")[2], "of a plate one is left"
    assert "the joint" not in panel(drawn("generative", {"method": "story"}))


@pytest.mark.parametrize(("stage", "settings"), VARIANTS)
def test_every_model_is_whole(stage, settings):
    diagram = drawn(stage, settings)
    assert {name for edge in diagram.edges for name in edge} == set(diagram.nodes)
    assert {name for names in diagram.plates.values() for name in names} <= set(diagram.nodes)
    assert diagram.redrawn
    assert all(diagram.nodes[name].kind in ("drawn", "seen") for name in diagram.redrawn)
    assert "Nothing is redrawn yet." in panel(drawn(stage, settings, 0))


def test_collapsed_takes_a_node_away():
    uncollapsed = {"blocks": "uncollapsed"}
    assert "zᵢ given a, the others’ zᵢ, xᵢ, G₀. Integrated out, and never drawn: π and θₖ." in words(
        panel(drawn("gibbs_blobs", {}))
    )
    assert "zᵢ given π, xᵢ, θₖ; then π given a, zᵢ; then θₖ given" in words(panel(drawn("gibbs_blobs", uncollapsed)))


def test_what_moves_in_one_step_is_given_all_else():
    assert "Moved together: θ and φₖ given α, wₘₙ, β. Summed out, and never drawn: zₘ." in words(
        panel(drawn("marginalise", {}))
    )


def test_one_site_is_lit_while_a_sweep_is_opened():
    learned = {"learning": "learned"}
    assert drawn("crp_mixture", learned).redrawn == ("label", "prior")
    assert drawn("crp_mixture", learned, 5, 2).redrawn == ("label",)
    assert drawn("crp_mixture", learned, 5, "concentration").redrawn == ("prior",)


def kind(diagram: Diagram, name: str) -> str:
    return diagram.nodes[name].kind


def symbols(diagram: Diagram, plate: str) -> list[str]:
    return [diagram.nodes[name].symbol for name in diagram.plates[plate]]


def test_a_broken_stick_is_drawn_and_a_seating_rule_needs_none():
    stick, rule = drawn("crp_seating", {"door": "stick"}), drawn("crp_seating", {})
    assert (kind(stick, "weights"), kind(rule, "weights")) == ("drawn", "out")
    assert "Drawn: π given α; then zₙ given π." in words(panel(stick))
    assert "discount" in drawn("crp_seating", {"discount": 0.2}).nodes


def test_the_finite_buffet_has_columns_and_customers_have_a_plate():
    finite, buffet = drawn("ibp_buffet", {"model": "finite", "columns": 4}), drawn("ibp_buffet", {})
    assert symbols(finite, "K = 4 columns") == symbols(buffet, "∞ dishes") == ["πₖ", "zₙₖ"]
    assert symbols(buffet, "N customers") == ["zₙₖ"]


def test_least_squares_has_its_own_letters_and_three_classes_have_three_vectors():
    line, three = drawn("logistic", {"data": "line", "prior": "flat"}), drawn("logistic", {"data": "three"})
    assert "w given λ, tₙ, xₙ, β" in words(panel(line)), "a flat prior gives way"
    assert symbols(three, "3 classes") == ["wₖ"]


def test_what_is_naive_is_on_a_plate_of_its_own():
    assert symbols(drawn("gibbs_text", {}), "Nₘ words") == ["wₘₙ"]
    assert symbols(drawn("marginalise", {}), "Nₘ words") == ["wₘₙ"]
    naive, whole = (drawn("generative", {"grouping": grouping}) for grouping in ("naive", "whole"))
    assert symbols(naive, "J features") == ["xₙⱼ", "θₖⱼ"]
    assert list(whole.plates) == ["N examples", "K classes"]
    assert symbols(drawn("ibp_features", {}), "∞ features") == ["πₖ", "zₙₖ", "aₖ"]
    assert symbols(drawn("ibp_features", {}), "N rows") == ["zₙₖ", "xₙ"]
    assert symbols(drawn("ibp_features", {"model": "sparse"}), "N rows") == ["gₙₖ", "yₙ"]


@pytest.mark.parametrize(
    ("stage", "settings", "plate"),
    [
        ("gibbs_text", {"known_labels": 2}, "L messages, labels shown"),
        ("generative", {"method": "labels", "labelled": 6}, "L examples, labels known"),
        ("marginalise", {"variant": "full Bayes", "known_labels": 2}, "L documents, labelled"),
    ],
)
def test_known_labels_are_shaded(stage, settings, plate):
    diagram = drawn(stage, settings)
    assert [kind(diagram, name) for name in diagram.plates[plate]] == ["seen", "seen"]
    assert kind(diagram, "label") in ("drawn", "out")
    assert diagram.nodes["known"].place[1] > diagram.nodes["label"].place[1] + 1


def test_where_all_labels_are_known_none_is_drawn():
    text = drawn("gibbs_text", {"known_labels": 300, "weights": "collapsed", "word_probs": "collapsed"})
    assert kind(text, "label") == "seen"
    assert "nothing is left to redraw" in panel(text)
    assert kind(drawn("generative", {"method": "labels", "labelled": 60, "points": 60}), "label") == "seen"


def test_a_plate_is_drawn_around_those_within_it():
    html = panel(drawn("ibp_buffet", {}))
    outer, inner = (
        dict(zip("xywh", map(float, found), strict=True))
        for found in re.findall(r'class="plate" x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', html)
    )
    assert outer["x"] < inner["x"]
    assert outer["y"] < inner["y"]
    assert outer["x"] + outer["w"] > inner["x"] + inner["w"]
    assert outer["y"] + outer["h"] >= inner["y"] + inner["h"] + 12, "room for a name"


def test_all_topics_with_a_model_show_it():
    shown = {name for name in STAGES if "model" in STAGES[name].views}
    draws = {name: [*map(type, getattr(stage, "modes", {}).values()), stage] for name, stage in stages().items()}
    assert shown == {
        name for name, of in draws.items() if any(hasattr(one, "diagram") or "model" in vars(one) for one in of)
    }
