"""The chain beside the exact posterior, where the words are few enough to list every labelling."""

import numpy as np

from lessons.stages.gibbs_topics import counts
from pages.drawing.cards import quiet
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, verdict
from pages.player.kept import RUNS
from pages.stages.gibbs_topics.run import Scene
from samplers.diagnostics.convergence import partition_ids
from samplers.topics.exact import long_run
from samplers.topics.lda import LDA
from samplers.topics.wrong import WRONG_TOPIC_RULES


def truth(scene: Scene, sweep: int) -> str:
    """Return how often the largest topic has had each size beside its probability, and the error to truth."""
    exact, texts, run = scene.exact, scene.texts, scene.run
    if exact is None or not sweep:
        many = "" if scene.settings.hdp else f" and {scene.topics} topics"
        smaller = "<b>Eight words</b>" if many == "" else "<b>Twelve words</b> and 2 topics, with α and β fixed"
        return not_listed(exact, "give each word a topic", f"{texts.size:,} words{many}", smaller)
    run.reach(sweep)
    labels = run.labels[1 : sweep + 1]
    hdp = scene.settings.hdp
    outcome, title, unit = ("used", "Topics", "topics") if hdp else ("largest", "Words of the largest topic", "words")
    ids = partition_ids(labels) if hdp else labels @ scene.topics ** np.arange(texts.size)[::-1]
    posterior = exact.distribution(counts(texts, exact.labellings)[outcome])
    sizes = [size for size in range(len(posterior)) if posterior[size] > 0]
    curve = error_curve(ids, exact.probabilities)
    bars = frequencies(counts(texts, labels)[outcome], sizes, posterior[sizes])
    said = verdict(curve[-1], f"all {len(exact.labellings):,} {'partitions' if hdp else 'labellings'}")
    sampler = run.sampler
    if isinstance(sampler, LDA) and type(sampler) in WRONG_TOPIC_RULES.values():
        found = RUNS.shared(f"{scene.key} limit", lambda: long_run(sampler, exact.labellings))
        distance = np.abs(found - exact.probabilities).sum() / 2
        said += f" In the long run this sampler stays {distance:.3f} from the exact posterior."
    return beside(title, unit, bars, curve, exact.probabilities) + quiet(said)
