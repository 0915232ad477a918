"""The draws so far beside the exact posterior."""

from pages.drawing.cards import table
from pages.topics.coin.inspector import HEADS, facts
from pages.topics.draws.film import DrawsRun


def summary(run: DrawsRun, t: int) -> str:
    """Return the exact posterior beside the mean and spread of the draws so far."""
    posterior, draws = run.settings.posterior, run.positions[1 : t + 1]
    worth, error = run.worth(t) or ("Draw at least four to see more", None)
    worth += f", Monte Carlo standard error of the mean {error:.4f}" if error else ""
    rows = [facts("exact", posterior)]
    if t:
        rows += [[f"{t} draws", *(f"{fact:.3f}" for fact in (draws.mean(), draws.std(), (draws > 0.5).mean()))]]
    return f'{table(HEADS, rows)}<p class="took">{worth}.</p>'
