"""Wrong rules for the Indian buffet, each one method away from the right one: what the lessons ask learners to find.

`WRONG_BUFFETS` has those of the prior by name.
"""

from __future__ import annotations

from typing import Any

from samplers.buffet.prior import IndianBuffet


class NewDishesForEveryone(IndianBuffet):
    """Every customer finds Poisson(α) new dishes, the last as many as the first."""

    def new_mean(self, customer: int) -> float:
        """Forget to divide by the customers who have come."""
        return self.concentration


class RefusedDishesCounted(IndianBuffet):
    """A dish's count grows when it is refused, too: it says who was offered the dish, and not who took it."""

    def count_after(self, count: Any, taken: Any) -> Any:
        """Count the customer in any case."""
        return count + 1


WRONG_BUFFETS: dict[str, type[IndianBuffet]] = {
    "new dishes for everyone": NewDishesForEveryone,
    "refused dishes counted": RefusedDishesCounted,
}
"""The wrong rules of the prior by name; the first line of a class's docstring says what it gets wrong."""
