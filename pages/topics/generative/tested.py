"""How good a classifier, its rivals and the story itself are on new examples: a bar for each."""

import numpy as np

from pages.contract.charts import Chart
from pages.topics.generative import charts
from pages.topics.generative.scene import GenerativeScene

SHORT = {
    "posterior": "averaged",
    "MAP": "MAP",
    "MLE": "maximum likelihood",
    "labelled": "known labels alone",
    "logistic": "logistic regression",
    "truth": "the story itself",
}


def chart(scene: GenerativeScene) -> Chart:
    """Return the chart of the bars."""
    losses = scene.settings.tested == "losses"
    return Chart(
        "tested",
        f"{'Log loss' if losses else 'Wrong'} on new examples",
        "",
        "For this classifier, its rivals and the story itself: how bad their answers are on new examples.",
        charts.tested("average of −log p" if losses else "share of new examples", ".1f" if losses else ".0%"),
    )


def bars(scene: GenerativeScene, t: int) -> dict[str, list]:
    """Return the errors of this classifier, its rivals and the story; nothing for those that have no answer."""
    settings, losses = scene.settings, scene.settings.tested == "losses"
    compared, rival = [settings.against] * scene.compared, ["logistic"] * (settings.rival == "on")
    found = [
        (SHORT[by], scene.lost(by, t)[losses]) for by in dict.fromkeys([settings.estimate, *compared, *rival, "truth"])
    ]
    there = [(who, value) for who, value in found if not np.isnan(value)]
    return {
        "t": [t] * len(there),
        "who": [who for who, _ in there],
        "value": [value for _, value in there],
        "said": [f"{value:.3g}" if losses else f"{100 * value:.1f} %" for _, value in there],
    }
