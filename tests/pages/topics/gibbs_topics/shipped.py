"""Make ``held_out.json`` anew, of what lessons show: ``python -m tests.pages.topics.gibbs_topics.shipped``."""

import json
from collections.abc import Iterator

from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.lesson.lessons import library
from pages.topics.gibbs_topics.held_out import SHIPPED, HeldOut, name_of, prior_of


def shown() -> Iterator[GibbsTopicsSettings]:
    """Yield the priors whose held-out words a question of a lesson shows."""
    for lesson in library().lessons:
        for step in lesson.steps:
            if step.choices and "held_out" in (step.open, step.then.open):
                settings = lesson.settings_after(step)
                assert isinstance(settings, GibbsTopicsSettings)
                yield prior_of(settings)


if __name__ == "__main__":
    made = {}
    for prior in shown():
        chains = HeldOut(prior, prior.texts())
        chains.reach()
        made[name_of(prior)] = [[round(value, 4) for value in chain] for chain in chains.found]
    SHIPPED.write_text(json.dumps(made) + "\n", "utf-8")
