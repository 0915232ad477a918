"""Trees of NUTS."""

import numpy as np

from tests.samplers.gradient.targets import Normal

PLANE = Normal([[2.0, 1.2], [1.2, 1.5]])


def straight(points, inverse_mass):
    """Betancourt's criterion on a stretch of points: both ends move along the momenta's sum."""
    total = np.sum([point.momentum for point in points], axis=0)
    return all((inverse_mass * end.momentum) @ total > 0 for end in (points[0], points[-1]))
