"""The script of a moment gives the numbers of the page to the last bit, and needs no more than the samplers."""

import ast
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lessons.settings.calls import Entry, call
from lessons.topics import STAGES
from pages.contract.moment import Moment, ShownChain
from pages.contract.stage import stage_of
from pages.download.script import script
from pages.download.writing import Unwritable, Writer, same
from pages.topics.crp_mixture.chains import scene_of as crp_scene
from pages.topics.crp_mixture.limit import scene_of as beside_finite
from pages.topics.crp_mixture.story import making_of
from pages.topics.generative import GenerativeStage
from pages.topics.gibbs_blobs import scene_of as blobs_scene
from pages.topics.gibbs_text import GibbsTextStage
from pages.topics.gibbs_text.three_times import comparison_of
from pages.topics.gibbs_topics import GibbsTopicsStage
from pages.topics.ibp_buffet.run import BuffetRun
from pages.topics.ibp_features import scene_of as features_scene
from pages.topics.jumps import JumpsStage
from pages.topics.laplace_line.run import OptimiserRun
from pages.topics.logistic import LogisticStage
from pages.topics.marginalise import MarginaliseStage
from pages.topics.walk_the_hill import WalkTheHillStage
from pages.topics.walk_the_hill.throws import thrown
from pages.topics.walk_the_hill.walks import run_of
from samplers import Chain
from samplers.conjugate import NormalInverseGamma
from samplers.crp.mixture import CRPMixture
from samplers.log_density import FunctionLogDensity
from samplers.regression.metropolis import RandomWalkMetropolis
from tests.pages.waiting import waited

jumps_scene = JumpsStage().scene

topics_scene = GibbsTopicsStage().scene

scene_of = WalkTheHillStage().scene

text_scene = GibbsTextStage().scene

logistic_scene = LogisticStage().scene

generative_scene = GenerativeStage().scene

marginal_scene = MarginaliseStage().scene

ROOT = Path(__file__).parents[3]
SEED = 5
POINTS = {"points": 12}


def beat(scene, sweep, number, part):
    """The state around an update of a sweep, as the inspector has it."""
    return getattr(scene.run.close_up(sweep)[number], part)


def run_of_stage(name, settings):
    """The run that a page of the topic plays."""
    return stage_of(name).run(settings, SEED)


# topic, settings, frame, and for some names of the script what the page has under them
CASES = [
    ("coin", {}, 7, lambda s: {"state": run_of_stage("coin", s).chain[7]}),
    ("draws", {}, 3, lambda s: {"state": run_of_stage("draws", s).chain[3]}),
    ("draws", {"method": "chain"}, 30, lambda s: {"state": run_of_stage("draws", s).chain[30]}),
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
        lambda s: {"state": run_of(s, SEED).ladder(6)},
    ),
    (
        "walk_the_hill",
        {"method": "tempering", "target": "two hills", "step_by": "leapfrog", "iteration": 3},
        5,
        lambda s: {"record": run_of(s, SEED).record(3)},
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


RUN_ALL = """
import contextlib, io, json, pickle, sys
made = []
for text, names in json.load(open(sys.argv[1])):
    space = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(text, "script", "exec"), space)
    made.append(({name: space[name] for name in names}, said.getvalue()))
assert not sys.modules.keys() & {"streamlit", "altair", "pandas", "pydantic", "pages"}
pickle.dump(made, open(sys.argv[2], "wb"))
"""


@pytest.fixture(scope="module")
def pages():
    """What the page has under the names of each case."""
    return [waited(lambda case=case: case[3](STAGES[case[0]](**case[1]))) for case in CASES]


@pytest.fixture(scope="module")
def ran(pages, tmp_path_factory):
    """What the scripts of all cases have made, in a process that sees the samplers and the data of lessons alone."""
    folder = tmp_path_factory.mktemp("beside")
    (folder / "samplers").symlink_to(ROOT / "samplers")
    (folder / "lessons").mkdir()
    (folder / "lessons/__init__.py").touch()
    (folder / "lessons/data").symlink_to(ROOT / "lessons/data")
    texts = [
        (script_of(topic, STAGES[topic](**settings), t), list(page))
        for (topic, settings, t, _), page in zip(CASES, pages, strict=True)
    ]
    (folder / "texts.json").write_text(json.dumps(texts))
    (folder / "run_all.py").write_text(RUN_ALL)
    subprocess.run([sys.executable, "run_all.py", "texts.json", "made"], cwd=folder, check=True)
    return texts, pickle.loads((folder / "made").read_bytes())


def test_every_topic_has_a_case():
    assert {topic for topic, *_ in CASES} == set(STAGES)


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{topic} {settings}" for topic, settings, *_ in CASES])
def test_a_script_gives_the_numbers_of_the_page(number, pages, ran):
    made, said = ran[1][number]
    assert made
    for name, value in pages[number].items():
        assert bits(made[name]) == bits(value), name
    assert " = " in said


def test_a_script_is_short_and_says_what_it_needs(ran):
    for (text, _), (topic, *_) in zip(ran[0], CASES, strict=True):
        assert len(text.splitlines()) < 80, topic
        assert max(map(len, text.splitlines())) <= 120
        named = {node.module.split(".")[0] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
        assert ("lessons/" in text.split('"""')[1]) == ("lessons" in named)


def test_the_check_sees_one_bit():
    one, other = np.array([0.1, 0.2]), np.array([0.1, np.nextafter(0.2, 1)])
    assert bits({"a": (one, 0.5)}) == bits({"a": (one.copy(), 0.5)})
    assert bits(one) != bits(other)
    assert bits(0.2) != bits(float(other[1]))


# ---- what is written ------------------------------------------------------------------------------------------------


def written(value):
    writer = Writer()
    text = writer.text(value)
    imports = [
        f"from {module} import {', '.join(names)}" if names else f"import {module}"
        for module, names in writer.imports.items()
    ]
    space = {}
    exec("\n".join([*imports, "import numpy as np", *writer.lines, f"found = {text}"]), space)
    return text, space["found"]


@pytest.mark.parametrize(
    "value",
    [
        0.1 + 0.2,
        -np.inf,
        'a “word” and "another"\n',
        (1,),
        [1, (2.5, None)],
        np.arange(30) / 7,
        np.ones(5),
        np.array([[np.nan, 1.0], [np.inf, -2.0]]),
        np.zeros((0, 2)),
        np.array([1, 0], np.uint8),
        np.random.default_rng(0).standard_normal((900, 4)),
        NormalInverseGamma(0.25, 0.1, 2.0, 0.3),
        CRPMixture([0.1, 0.2], NormalInverseGamma(0, 1, 1, 1), 0.5, start="apart"),
    ],
)
def test_what_is_written_is_read_as_the_same(value):
    text, found = written(value)
    assert same(found, value) or bits(found) == bits(value)
    assert len(text) < 40_000


def test_what_a_call_made_is_named():
    made = call(Entry("samplers.data.blobs", "DATASETS", "three_points"), 3, 1)
    sampler = CRPMixture(made.made().data, NormalInverseGamma(0, 1, 1, 1), 0.5)
    text = script(Moment([ShownChain(sampler, 3, 2)], {"drawn": made}), "A title", "/coin")
    assert 'drawn = DATASETS["three_points"](3, 1)' in text
    assert "CRPMixture(\n    drawn.data,\n" in text or "CRPMixture(drawn.data, " in text
    assert "chain = Chain(sampler, seed=3)\nstate = chain[2]" in text


def test_what_cannot_be_written_is_said():
    kernel = RandomWalkMetropolis(FunctionLogDensity(1, lambda x: -x @ x), 1.0, [0.0])
    with pytest.raises(Unwritable):
        script(Moment([ShownChain(kernel, 3, 2)], {}), "A title", "/coin")
