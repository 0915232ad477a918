"""Samplers that can be stepped, replayed and looked into. They use NumPy and SciPy only, and nothing of the screen."""

from samplers.chain import Chain
from samplers.recipe import Conditional, GibbsSampler, Kernel, Update, updates

__all__ = ["Chain", "Conditional", "GibbsSampler", "Kernel", "Update", "updates"]
