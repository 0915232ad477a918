"""Films of every stage, by settings that differ in what is drawn."""

import importlib
import pkgutil
from collections.abc import Mapping
from typing import get_args

import pages.topics
from lessons.own.store import hold
from lessons.topics import STAGES
from pages.contract.film import Film
from pages.contract.stage import Stage
from tests.pages.topics.walk_the_hill.own_chains import own_chains

SEED, UNTIL = 5, 12
CHAINS = hold(own_chains(), {})
SETTINGS: dict[str, list[dict]] = {
    "coin": [{}, {"tosses": 60, "prior_heads": 3.5}, {"runs": "mean"}],
    "draws": [{}, {"method": "chain"}, {"method": "chain", "proposal": "next"}, {"runs": "mean"}],
    "why_sample": [
        {"starts": "every"},
        {"starts": "every", "points": 5, "rule": "counts forgotten"},
        {"starts": "every", "runs": "left"},
        {"starts": "two", "points": 4},
        {"starts": "past"},
        {"starts": "past", "points": 5},
        {"starts": "past", "until": "meeting"},
        {"starts": "class"},
        {"starts": "class", "points": 5, "half_b": "preference"},
        {},
        {"points": 4, "arrows": "flows", "start": "apart"},
        {"points": 5, "arrows": "all", "concentration": 0.3},
        {"third": -2.0, "rule": "emptied table offered too", "arrows": "flows"},
        {"shown": "crowd", "rule": "new table too sure"},
    ],
    "crp_seating": [
        {"customers": 40},
        {"customers": 1},
        {"customers": 40, "concentration": 8.0, "shuffle": 3},
        {"customers": 40, "discount": 0.4},
        {"customers": 40, "door": "stick", "concentration": 3.0},
        {"customers": 20, "runs": "tables"},
    ],
    "crp_mixture": [
        {"points": 30},
        {"data": "response_times", "points": 25, "learning": "learned", "prediction": "average"},
        {"data": "response_times", "points": 25, "replica": "shown"},
        {"points": 30, "replica": "shown", "prediction": "average"},
        {"data": "seven_points", "family": "known", "second": "start"},
        {"points": 20, "start": "apart", "second": "branch", "branch_at": 10},
        {"data": "seven_points", "family": "known", "step_by": "update", "sweep": 3},
        {"points": 30, "learning": "learned", "step_by": "update", "sweep": 2},
        {"direction": "forwards", "points": 12},
        {"data": "three_points", "runs": "tables"},
        {"data": "seven_points", "family": "known", "second": "finite", "second_finite": 9},
        {"data": "made", "points": 20, "family": "known", "makers": "shown"},
    ],
    "jumps": [
        {},
        {"second": "none", "start": "apart"},
        {"method": "gibbs"},
        {"data": "two_blobs", "points": 20},
        {"step_by": "update", "sweep": 3},
        {"step_by": "update", "sweep": 2, "rule": "scans drawn afresh", "scans": 0},
        {"data": "two_blobs", "points": 20, "step_by": "update", "sweep": 1},
        {"method": "gibbs", "step_by": "update"},
        {"method": "auxiliary", "concentration": 0.5},
        {"method": "means", "concentration": 0.5},
        {"method": "means", "step_by": "update", "start": "apart"},
        {"method": "auxiliary", "step_by": "update", "start": "apart", "ghosts": 2},
        {"method": "gibbs", "runs": "tables"},
        {"method": "tempering"},
        {"method": "tempering", "second": "none", "data": "two_blobs", "points": 20, "levels": 2},
        {"method": "tempering", "step_by": "update", "sweep": 3, "levels": 6},
    ],
    "gibbs_blobs": [
        {"points": 30, "components": "multinomial"},
        {"points": 30, "blocks": "uncollapsed", "family": "known"},
        {"points": 30, "model": "CRP"},
        {"points": 30, "second": "gaussian"},
        {"data": "two_humps", "points": 16, "number": 2, "family": "known"},
        {"points": 30, "step_by": "update", "blocks": "uncollapsed"},
        {"data": "two_humps", "points": 3, "runs": "occupied"},
        {"data": "three_blobs", "points": 20, "number": 2, "shown": "lineup"},
        {"data": "two_humps", "points": 16, "model": "CRP", "shown": "lineup"},
    ],
    "ibp_buffet": [
        {"customers": 14},
        {"customers": 1, "concentration": 0.1},
        {"customers": 14, "concentration": 8.0, "order": "left"},
        {"customers": 14, "rule": "new dishes for everyone"},
        {"customers": 14, "model": "finite", "columns": 30, "order": "left"},
        {"customers": 8, "runs": "plate"},
    ],
    "gibbs_text": [
        {"data": "six_messages"},
        {"known_labels": 10, "document": 40, "made": 2},
        {"classes": 4, "word_probs": "collapsed"},
        {"data": "long_messages", "rule": "no logarithms"},
        {"data": "six_messages", "step_by": "update", "sweep": 2},
        {"data": "six_messages", "runs": "agree"},
        {"data": "six_messages", "layout": "statistics", "chains": 3, "burn_in": 4},
        {"layout": "three_times", "test_set": "told"},
    ],
    "gibbs_topics": [
        {},
        {"topics": 12, "learning": "learned", "message": 70},
        {"data": "bars", "topics": 10, "documents": 20},
        {"data": "tiny", "topics": 2, "rule": "one beta below"},
        {"data": "tiny", "step_by": "update", "sweep": 2, "learning": "learned"},
        {"data": "bars", "step_by": "update", "documents": 10},
        {"data": "tiny", "topics": 2, "runs": "mixed"},
        {"number": "learned"},
        {"number": "learned", "data": "eight"},
        {"number": "learned", "data": "bars", "documents": 10, "step_by": "update"},
        {"data": "bars", "documents": 10, "topics": 2, "shown": "lineup"},
    ],
    "hidden_chain": [
        {},
        {"method": "block", "compare": "other"},
        {"data": "long", "hours": 20, "parameters": "drawn"},
        {"step_by": "update", "sweep": 2, "parameters": "drawn"},
        {"number": "learned", "method": "block"},
        {"number": "learned", "compare": "other", "data": "long", "hours": 20},
        {"number": "learned", "method": "block", "step_by": "update", "sweep": 2},
        {"number": "learned", "learning": "learned", "mean_spread": 1.0},
        {"number": "learned", "learning": "learned", "step_by": "update", "sweep": 2},
        {"method": "block", "step_by": "update", "sweep": 2, "parameters": "drawn"},
        {"data": "long", "hours": 20, "method": "block", "step_by": "update"},
        {"runs": "changes"},
        {"data": "long", "hours": 20, "method": "block", "shown": "lineup"},
    ],
    "generative": [
        {"points": 20},
        {"method": "story", "points": 20},
        {"method": "labels", "points": 20, "grouping": "whole", "against": "labelled"},
        {"data": "three", "points": 20, "rival": "on", "estimate": "MAP", "tested": "errors"},
        {"data": "mixed", "points": 20, "left_out": 4, "estimate": "MLE"},
        {"data": "words", "points": 20, "method": "labels", "rule": "no pseudo-counts"},
        {"data": "pairs", "points": 20, "method": "story"},
        {"data": "pairs", "points": 20},
        {"points": 20, "against": "logistic", "rule": "missing as zero"},
        {"data": "counts", "points": 20},
        {"method": "ask", "labelled": 2},
        {"method": "ask", "labelled": 3, "points": 7, "data": "three", "gain_rule": "answers count alike"},
        {"method": "ask", "labelled": 2, "points": 8, "data": "words", "by_hand": "4-5"},
        {"method": "ask", "labelled": 2, "ask_by": "at random", "runs": "right"},
        {"data": "correlated", "points": 20, "shown": "lineup"},
    ],
    "ibp_features": [
        {},
        {"data": "scores", "redrawn": "all", "order": "left", "turned": 3},
        {"data": "tiny", "noise": 0.3, "start": "prior"},
        {"rows": 6, "redrawn": "all", "step_by": "update", "sweep": 3},
        {"data": "scores", "model": "sparse"},
        {"data": "tiny", "model": "sparse", "step_by": "update", "sweep": 3},
    ],
    "laplace_line": [
        {},
        {"target": "two modes", "start": 0.45},
        {"target": "heavy tails", "start": 0.62, "method": "gradient", "second": "best"},
        {"target": "skewed, on the log scale", "second": "by hand"},
    ],
    "logistic": [
        {"step_length": 0.6},
        {"data": "few", "prior": "flat"},
        {"method": "gradient", "step_length": 0.05, "bias": "on"},
        {"method": "chain", "data": "few"},
        {"method": "points", "points": 12, "features": "quadratic"},
        {"predictive": "exact", "against": "quadrature"},
        {"data": "three", "points": 30},
        {"data": "three", "points": 5, "method": "points", "features": "quadratic", "predictive": "exact"},
        {"data": "line", "points": 12, "method": "points"},
        {"data": "few", "curve": "sigma"},
        {"data": "few", "curve": "phi", "squeeze": 0.8},
        {"data": "few", "curve": "losses"},
        {"data": "few", "curve": "averages", "predictive": "Monte Carlo"},
        {"data": "few", "curve": "averages", "method": "chain"},
        {"data": "xor", "points": 20, "shown": "lineup"},
    ],
    "climb_mixture": [
        {},
        {"data": "seven_points", "method": "VB", "number": 2, "compare": "all"},
        {"method": "stick", "number": 5, "points": 20, "start": "k-means++"},
        {"method": "k-means", "points": 20},
        {"data": "seven_points", "method": "MAP", "family": "known", "point": 4},
        {"points": 20, "rule": "not normalised"},
        {"data": "seven_points", "runs": "bound"},
    ],
    "walk_the_hill": [
        {},
        {"data": "own", "own": CHAINS.digest},
        {"data": "own", "own": CHAINS.digest, "names": "smallest first", "thin": 2, "chain": "2"},
        {"method": "NUTS", "target": "ring"},
        {"method": "GIST"},
        {"method": "GIST", "bars": "next"},
        {"method": "GIST", "target": "funnel", "shortest": 0.5, "layout": "two chains"},
        {"method": "GIST", "path_rule": "place chosen evenly", "step_by": "leapfrog", "iteration": 5},
        {"method": "NUTS", "target": "funnel", "tuning": "warm-up"},
        {"method": "Metropolis", "target": "two hills"},
        {"target": "banana", "step_by": "leapfrog", "iteration": 3},
        {"method": "NUTS", "step_by": "leapfrog", "iteration": 9},
        {"method": "Metropolis", "step_by": "leapfrog", "iteration": 4},
        {"target": "funnel", "step_size": 2.0, "start_y": 0.0},
        {"method": "hand", "target": "two hills", "push_x": 2.0},
        {"layout": "three samplers", "target": "banana", "leapfrog_steps": 5},
        {"layout": "two chains", "target": "a word", "method": "NUTS"},
        {"target": "long", "mass_x": 0.25, "mass_y": 16.0, "step_size": 1.0},
        {"method": "tempering", "target": "two hills"},
        {"method": "tempering", "target": "a word", "levels": 6, "swap_rule": "ratio left out"},
        {"method": "tempering", "target": "two means", "layout": "two chains", "levels": 2},
        {"method": "tempering", "target": "two hills", "step_by": "leapfrog", "iteration": 4},
    ],
    "marginalise": [
        {},
        {"variant": "prediction"},
        {"data": "toy_corpus", "document": 200},
        {"words": 2},
        {"words": 3},
        {"model": "two means"},
        {"model": "two means", "means": "ordered", "points": 2},
        {"layout": "beside Gibbs"},
        {"layout": "sums"},
        {"layout": "beside Gibbs", "summary": "larger class", "gibbs": "collapsed", "model": "two means"},
        {"step_by": "term", "iteration": 9, "variant": "full Bayes"},
        {"step_by": "term", "iteration": 0, "words": 2, "variant": "supervised", "known_labels": 1},
        {"step_by": "term", "data": "toy_corpus", "document": 254},
        {"step_by": "leapfrog", "iteration": 7},
        {"classes": 3, "words": 3, "variant": "full Bayes"},
        {"classes": 3, "words": 3, "step_by": "leapfrog", "iteration": 4},
        {"classes": 3, "layout": "beside Gibbs", "data": "toy_corpus", "summary": "larger class"},
        {"classes": 3, "step_by": "term", "iteration": 9, "gamma_scope": "local"},
        {"step_by": "leapfrog", "iteration": 4, "model": "two means", "means": "ordered"},
        {"step_by": "leapfrog", "iteration": 4, "method": "HMC", "step_size": 3.0, "leapfrog_steps": 60},
    ],
}
for name in STAGES.keys() - SETTINGS.keys():  # the default, and a wall if there is one
    runs = STAGES[name].model_fields.get("runs")
    SETTINGS[name] = [{}, *({"runs": many} for many in get_args(runs.annotation)[1:2])] if runs else [{}]
for _, package, _ in pkgutil.iter_modules(pages.topics.__path__, "pages.topics."):
    importlib.import_module(package)


def stages() -> dict[str, type[Stage]]:
    """Return the stages of all topics, by name; what has subclasses is a base."""
    return {name: stage for name, stage in Stage.by_name.items() if not stage.__subclasses__()}


def opened(stage: str, changes: Mapping, seed: int = SEED) -> Film:
    """Return a film of which no frame need be there."""
    return stages()[stage]().film(STAGES[stage](**changes), seed)


def film_of(stage: str, changes: Mapping, seed: int = SEED) -> Film:
    """Return a film of which the first frames are there."""
    film = opened(stage, changes, seed)
    while film.grow and film.grow(min(UNTIL, film.total)) < min(UNTIL, film.total):
        pass
    return film
