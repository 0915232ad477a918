"""Samplers that can be stepped, replayed and looked into. They need NumPy and SciPy, and know nothing of the screen."""

from samplers.chain import Chain
from samplers.recipe import Conditional, GibbsSampler, Kernel, Update, updates

__all__ = ["Chain", "Conditional", "GibbsSampler", "Kernel", "Update", "updates"]
