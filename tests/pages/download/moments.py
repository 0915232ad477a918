"""Moments of every topic, each with the numbers that its page has then under the names of its script."""

import numpy as np

from lessons.settings.lineups import LAST
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.download.script import script
from pages.scenes.modes import ModeStage
from pages.topics.crp_mixture.chains import scene_of as crp_scene
from pages.topics.crp_mixture.limit import scene_of as beside_finite
from pages.topics.crp_mixture.story import making_of
from pages.topics.generative import GenerativeStage
from pages.topics.gibbs_blobs.chains import scene_of as blobs_scene
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.three_times import comparison_of
from pages.topics.gibbs_topics import GibbsTopicsStage
from pages.topics.ibp_buffet.run import BuffetRun
from pages.topics.ibp_features import IBPFeaturesStage
from pages.topics.jumps import JumpsStage
from pages.topics.laplace_line.run import OptimiserRun
from pages.topics.logistic import LogisticStage
from pages.topics.marginalise import MarginaliseStage
from pages.topics.walk_the_hill import WalkTheHillStage
from pages.topics.walk_the_hill.throws import thrown
from pages.topics.walk_the_hill.walks import ladder_of, run_of
from samplers import Chain
from tests.pages.waiting import waited

jumps_scene = JumpsStage().scene

features_scene = IBPFeaturesStage().scene

topics_scene = GibbsTopicsStage().scene

scene_of = WalkTheHillStage().scene

text_scene = GibbsTextStage().scene

logistic_scene = LogisticStage().scene

generative_scene = GenerativeStage().scene

marginal_scene = MarginaliseStage().scene

SEED = 5
POINTS = {"points": 12}


def beat(scene, sweep, number, part):
    """The state around an update of a sweep, as the inspector has it."""
    return getattr(scene.run.close_up(sweep)[number], part)


def run_of_stage(name, settings):
    stage = stage_of(name)
    return (stage.of(settings) if isinstance(stage, ModeStage) else stage).run(settings, SEED)


# topic, settings, frame, and for some names of the script what the page has under them
CASES = [
    ("coin", {}, 7, lambda s: {"state": run_of_stage("coin", s).chain[7]}),
    ("draws", {}, 3, lambda s: {"state": run_of_stage("draws", s).chain[3]}),
    ("draws", {"method": "chain"}, 30, lambda s: {"state": run_of_stage("draws", s).chain[30]}),
    ("why_sample", {"starts": "every"}, 5, lambda s: {"state": run_of_stage("why_sample", s).chain[5]}),
    ("why_sample", {"starts": "two", "points": 4}, 9, lambda s: {"state": run_of_stage("why_sample", s).chain[9]}),
    ("why_sample", {"starts": "class"}, 30, lambda s: {"state": run_of_stage("why_sample", s).chain[30]}),
    ("why_sample", {"starts": "past"}, 30, lambda s: {"state": run_of_stage("why_sample", s).chain[30]}),
    (
        "why_sample",
        {"points": 4, "rule": "counts forgotten"},
        9,
        lambda s: {"state": run_of_stage("why_sample", s).chain[9]},
    ),
    ("crp_seating", {"customers": 9}, 6, lambda s: {"state": run_of_stage("crp_seating", s).chain[6]}),
    ("crp_seating", {"customers": 9, "door": "stick"}, 9, lambda s: {"state": run_of_stage("crp_seating", s).chain[9]}),
    (
        "crp_seating",
        {"customers": 9, "shuffle": 2},
        4,
        lambda s: {"at": run_of_stage("crp_seating", s).tables[run_of_stage("crp_seating", s).order[:4]]},
    ),
    ("crp_mixture", POINTS, 8, lambda s: {"state": crp_scene(s, SEED).run.state(8)}),
    (
        "crp_mixture",
        {"data": "response_times", "learning": "learned", "second": "branch", "branch_at": 3, **POINTS},
        6,
        lambda s: {f"{n}state": run.state(6) for n, run in zip(("", "second_"), crp_scene(s, SEED).runs, strict=True)},
    ),
    (
        "crp_mixture",
        {"step_by": "update", "sweep": 3, **POINTS},
        4 * 5 + 2,
        lambda s: {"state": beat(crp_scene(s, SEED), 3, 5, "lifted")},
    ),
    ("crp_mixture", {"direction": "forwards", **POINTS}, 8, lambda s: {"state": making_of(s, SEED).state(8)}),
    (
        "crp_mixture",
        {"data": "made", "family": "known", "second": "finite", **POINTS},
        6,
        lambda s: {
            f"{n}state": run.state(6) for n, run in zip(("", "second_"), beside_finite(s, SEED).runs, strict=True)
        },
    ),
    ("gibbs_blobs", {"components": "multinomial", **POINTS}, 5, lambda s: {"state": blobs_scene(s, SEED).run.state(5)}),
    (
        "gibbs_blobs",
        {"data": "three_blobs", "shown": "lineup", **POINTS},
        3,
        lambda s: {"state": blobs_scene(*s.of_round(SEED, 3)).run.state(LAST)},
    ),
    (
        "gibbs_blobs",
        {"blocks": "uncollapsed", "second": "CRP", "step_by": "update", **POINTS},
        4 * 13,
        lambda s: {"state": beat(blobs_scene(s, SEED), 1, 12, "after")},
    ),
    (
        "jumps",
        {},
        6,
        lambda s: {
            f"{n}state": run.state(6) for n, run in zip(("", "second_"), jumps_scene(s, SEED).runs, strict=True)
        },
    ),
    ("jumps", {"method": "tempering", "levels": 3}, 6, lambda s: {"state": jumps_scene(s, SEED).run.ladder(6)}),
    (
        "jumps",
        {"method": "tempering", "step_by": "update", "sweep": 3},
        4,
        lambda s: {"record": jumps_scene(s, SEED).run.record(3)},
    ),
    ("jumps", {"step_by": "update", "sweep": 3}, 7, lambda s: {"record": jumps_scene(s, SEED).run.record(3)}),
    (
        "jumps",
        {"method": "auxiliary", "step_by": "update", "sweep": 2, "start": "apart"},
        4 * 5 + 2,
        lambda s: {"state": beat(jumps_scene(s, SEED), 2, 5, "lifted")},
    ),
    ("jumps", {"method": "means", "start": "apart"}, 3, lambda s: {"state": jumps_scene(s, SEED).run.state(3)}),
    ("ibp_buffet", {"customers": 6}, 5, lambda s: {"state": BuffetRun(s, SEED).chain[5]}),
    ("ibp_features", {"rows": 6, "redrawn": "all"}, 9, lambda s: {"state": features_scene(s, SEED).run.state(9)}),
    (
        "ibp_features",
        {"rows": 6, "step_by": "update", "sweep": 3},
        9,
        lambda s: {"state": beat(features_scene(s, SEED), 3, 2, "lifted")},
    ),
    (
        "ibp_features",
        {"data": "scores", "model": "sparse"},
        9,
        lambda s: {"state": features_scene(s, SEED).run.state(9)},
    ),
    ("gibbs_text", {"known_labels": 10}, 4, lambda s: {"state": text_scene(s, SEED).run.state(4)}),
    (
        "gibbs_text",
        {"data": "six_messages", "swap": "other class"},
        4,
        lambda s: {"state": text_scene(s, SEED).run.state(4)},
    ),
    (
        "gibbs_text",
        {"data": "six_messages", "layout": "three_times", "test_messages": 2},
        3,
        lambda s: {f"{n}state": run.state(3) for n, run in zip(("", "half_", "unlabelled_"), compared(s), strict=True)},
    ),
    (
        "gibbs_text",
        {"data": "six_messages", "layout": "statistics", "chains": 2, "word_probs": "collapsed"},
        5,
        lambda s: {f"{n}state": run.state(5) for n, run in zip(("", "second_"), text_scene(s, SEED).runs, strict=True)},
    ),
    ("gibbs_topics", {"learning": "learned"}, 3, lambda s: {"state": topics_scene(s, SEED).run.state(3)}),
    ("gibbs_topics", {"number": "learned"}, 3, lambda s: {"state": topics_scene(s, SEED).run.state(3)}),
    (
        "gibbs_topics",
        {"data": "tiny", "rule": "one beta below", "step_by": "update", "sweep": 2},
        9,
        lambda s: {"state": beat(topics_scene(s, SEED), 2, 2, "lifted")},
    ),
    (
        "hidden_chain",
        {"parameters": "drawn"},
        3,
        lambda s: {"state": stage_of("hidden_chain").scene(s, SEED).run.state(3)},
    ),
    (
        "hidden_chain",
        {
            "data": "long",
            "method": "block",
            "block_rule": "largest, not sum",
            "compare": "other",
            "step_by": "update",
            "sweep": 2,
        },
        9,
        lambda s: {
            "state": beat(scene := stage_of("hidden_chain").scene(s, SEED), 2, 2, "lifted"),
            "second_state": scene.runs[1].state(2),
        },
    ),
    (
        "hidden_chain",
        {"number": "learned", "base_rule": "stay tables counted", "stickiness": 5.0},
        3,
        lambda s: {"state": stage_of("hidden_chain").scene(s, SEED).run.state(3)},
    ),
    (
        "hidden_chain",
        {"number": "learned", "learning": "learned", "base_rule": "every stay by κ", "mean_spread": 1.3},
        3,
        lambda s: {"state": stage_of("hidden_chain").scene(s, SEED).run.state(3)},
    ),
    ("logistic", {"step_length": 0.6, **POINTS}, 3, lambda s: {"state": logistic_scene(s, SEED).run.state(3)}),
    (
        "logistic",
        {"method": "points", "features": "quadratic", **POINTS},
        7,
        lambda s: {"laplace": reached(logistic_scene(s, SEED), 7).run.laplaces[7]},
    ),
    ("logistic", {"data": "line", "method": "chain"}, 9, lambda s: {"state": logistic_scene(s, SEED).run.state(9)}),
    ("laplace_line", {"target": "two modes", "start": 0.45}, 4, lambda s: {"state": OptimiserRun(s).states[4]}),
    (
        "generative",
        {"method": "story", "data": "mixed"},
        5,
        lambda s: {"state": generative_scene(s, SEED).run.state(5)},
    ),
    (
        "generative",
        {"data": "three", "rule": "prior for each datum", **POINTS},
        7,
        lambda s: {"posterior": (made := reached(generative_scene(s, SEED), 7)).fit.posterior(made.run.labels_at(7))},
    ),
    (
        "generative",
        {"method": "labels", "data": "mixed", "grouping": "whole", **POINTS},
        6,
        lambda s: {"state": generative_scene(s, SEED).run.state(6)},
    ),
    ("walk_the_hill", {"method": "NUTS", "tuning": "warm-up"}, 20, lambda s: {"state": run_of(s, SEED).state(20)}),
    (
        "walk_the_hill",
        {"target": "banana", "step_by": "leapfrog", "iteration": 3},
        4,
        lambda s: {"point": (path := run_of(s, SEED).close_up(3)).trajectory.points[path.place(4)]},
    ),
    (
        "walk_the_hill",
        {"method": "tempering", "target": "two hills", "levels": 3},
        6,
        lambda s: {"state": ladder_of(s, SEED).ladder(6)},
    ),
    (
        "walk_the_hill",
        {"method": "tempering", "target": "two hills", "step_by": "leapfrog", "iteration": 3},
        5,
        lambda s: {"record": ladder_of(s, SEED).record(3)},
    ),
    ("walk_the_hill", {"method": "hand"}, 6, lambda s: {"state": thrown(s).trajectory.points[6]}),
    (
        "walk_the_hill",
        {"layout": "two chains", "target": "two hills"},
        6,
        lambda s: {f"{n}state": run.state(6) for n, run in zip(("", "second_"), scene_of(s, SEED).runs, strict=True)},
    ),
    (
        "walk_the_hill",
        {"layout": "three samplers", "leapfrog_steps": 5},
        4,
        lambda s: {
            "hmc_state": (race := reached_race(scene_of(s, SEED), 4)).by_name["HMC"].state(4),
            "nuts_state": nuts_at(race, 4),
        },
    ),
    (
        "climb_mixture",
        {"method": "VB", "start": "k-means++", **POINTS},
        5,
        lambda s: {"state": stage_of("climb_mixture").scene(s, SEED).run.state(5)},
    ),
    ("marginalise", {"layout": "beside Gibbs", "words": 5}, 6, lambda s: both(marginal_scene(s, SEED), 6)),
    (
        "marginalise",
        {"model": "two means", "method": "HMC"},
        6,
        lambda s: {"state": marginal_scene(s, SEED).run.state(6)},
    ),
    (
        "marginalise",
        {"step_by": "leapfrog", "iteration": 4, "words": 5},
        2,
        lambda s: {"point": (path := marginal_scene(s, SEED).run.close_up(4)).trajectory.points[path.place(2)]},
    ),
    (
        "marginalise",
        {"step_by": "term", "iteration": 5, "words": 4, "variant": "supervised"},
        3,
        lambda s: {"state": marginal_scene(s, SEED).run.state(5)},
    ),
]
CASES += [
    (name, {}, 7, lambda s: {"state": Chain(s.sampler(), SEED)[7]}) for name in {*STAGES} - {case[0] for case in CASES}
]


def reached(scene, t):
    scene.run.reach(t)
    return scene


def compared(settings):
    runs = comparison_of(settings, SEED).runs
    for run in runs:
        run.reach(3)
    return runs


def reached_race(race, t):
    race.ready(t)
    return race


def nuts_at(race, t):
    return race.by_name["NUTS"].state(int(race.iterations("NUTS", t, t + 1)[0]))


def both(scene, t):
    scene.gibbs.reach(t)
    return {"state": scene.run.state(t), "gibbs_state": scene.gibbs.state(t)}


def script_of(topic, settings, t):
    stage = stage_of(topic)
    return script(waited(lambda: stage.moment(settings, SEED, t)), f"{topic}, a title", "/a-link")


def bits(value):
    """All that a value holds, to the last bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, float):
        return value.hex()
    if isinstance(value, dict):
        return {key: bits(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [bits(part) for part in value]
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)} | getattr(value, "__dict__", {})
    return (type(value).__qualname__, bits(held)) if held else value
