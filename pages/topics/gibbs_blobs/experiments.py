"""The four experiments of the post on one data set, a click each."""

from typing import Any

import streamlit as st

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.contract.place import Place

DATA: dict[str, Any] = {
    "data": "two_directions",
    "points": 120,
    "data_seed": 1,
    "second": "none",
    "relabel": "off",
    "step_by": "sweep",
}
AS_IN_THE_POST = {"model": "finite", "blocks": "uncollapsed", "start": "prior"}
EXPERIMENTS: dict[str, dict[str, Any]] = {
    "Multinomial, K = 2": AS_IN_THE_POST | {"components": "multinomial", "number": 2, "class_prior": 1.0},
    "Multinomial, K = 3": AS_IN_THE_POST | {"components": "multinomial", "number": 3, "class_prior": 5.0},
    "Gaussian, K = 3": {"model": "finite", "blocks": "collapsed", "start": "random", "class_prior": 1.0}
    | {"components": "gaussian", "number": 3},
    "CRP": {"model": "CRP", "components": "gaussian", "concentration": 0.2},
}
SEED = 5


def settings_of(name: str) -> GibbsBlobsSettings:
    """Return an experiment's settings."""
    return GibbsBlobsSettings(**DATA, **EXPERIMENTS[name])


def experiments(place: Place) -> None:
    """Draw the experiments; the one that is set is marked."""
    key = "experiment"
    now = (place.settings.model_dump(exclude={"sweep", "point"}), place.seed)
    names = [name for name in EXPERIMENTS if (settings_of(name).model_dump(exclude={"sweep", "point"}), SEED) == now]
    st.session_state[key] = names[0] if names else None

    def chosen() -> None:
        name = st.session_state[key]
        if name is not None:
            place.settings, place.seed = settings_of(name), SEED
            place.move(0)

    st.pills(
        "Experiments",
        list(EXPERIMENTS),
        key=key,
        on_change=chosen,
        help="One data set, four models: the first two as in “Stepping into the mixtures with Gibbs sampling”.",
    )
