"""Who made the points, beside a chain that does not know it: in the chain's colours, with rings where they differ."""

import numpy as np

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.contract.stage import stage_of
from tests.pages.waiting import waited


def test_groups_have_the_colours_of_the_clusters_that_share_most_of_their_points():
    settings = CRPMixtureSettings(data="made", points=20, makers="shown")
    film = waited(lambda: stage_of("crp_mixture").film(settings, 3))
    waited(lambda: film.reach(40))
    frames = film.frames(0, 41)
    chain, made, off = (frames[key] for key in (("points_a", "label"), ("points_m", "label"), ("points_m", "off")))
    truth = settings.dataset().labels
    for one in range(41):
        assert ((made[one][:, None] == made[one]) == (truth[:, None] == truth)).all(), "the same groups all along"
        assert (off[one] == (made[one] != chain[one])).all()
    assert np.ptp(off.sum(axis=1)) > 0, "rings come and go with the sweeps"
