"""Problems of the judge, by their rules."""

from samplers.judge.bank import PROBLEMS


def by_rule(problem, points, texts=None):
    """The rows of a rule, by default of the right one."""
    table = PROBLEMS[problem].at(points).table
    return table.rows(table.probabilities(PROBLEMS[problem].read(texts or PROBLEMS[problem].right))).toarray()


def form_of(problem, name):
    """The first form of a known error that is a rule."""
    return next(form for form in PROBLEMS[problem].wrong[name] if not callable(form))


def values_of(problem, texts=None):
    table = PROBLEMS[problem].at(PROBLEMS[problem].points).table
    return table.weights(PROBLEMS[problem].read(texts or PROBLEMS[problem].right))
