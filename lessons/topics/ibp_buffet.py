"""Settings of the stage of the Indian buffet."""

from typing import Any, ClassVar, Literal

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import NOW, Law, counted
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.buffet.exact import dishes_of_a_customer, dishes_overall, new_dishes_of_a_customer
from samplers.buffet.prior import IndianBuffet
from samplers.buffet.wrong import WRONG_BUFFETS


class IBPBuffetSettings(StageSettings):
    """Customers who pass along a buffet one at a time and take as many dishes as they like, or choose among columns."""

    unit = "customers"
    lawful, same = ("dishes", "plate", "new"), ("customers",)
    charts = ("line", "trace", "many", "plates")
    marks = ("customer-N", "dish-N", "new")
    picks: ClassVar = {"line": ("customer", "dish"), "many": ("number",), "plates": ("number",)}

    concentration: float = quantity(2.0, (0.1, 10, 0.1), dial=True)
    customers: int = quantity(20, (1, 50, 1))
    order: Literal["arrival", "left"] = choice("arrival", look=True)
    model: Literal["buffet", "finite"] = choice("buffet")
    columns: int = quantity(10, (1, 100, 1), dial=True)
    last: Literal["all", "new"] = choice("all", look=True)
    runs: Literal["one", "dishes", "plate", "new"] = one_or_many()
    rule: Literal["right", "new dishes for everyone", "refused dishes counted"] = choice("right")

    @property
    def iterations(self) -> int:
        """One step a customer."""
        return self.customers

    @property
    def number_of_columns(self) -> int | None:
        """K of the finite model; None of the buffet."""
        return self.columns if self.model == "finite" else None

    def sampler(self) -> IndianBuffet:
        """Build the buffet or the finite model; a wrong rule is one of the buffet."""
        if self.model == "finite":
            return IndianBuffet(self.concentration, self.columns)
        return WRONG_BUFFETS.get(self.rule, IndianBuffet)(self.concentration)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, int]:
        """Count customers, dishes that were taken, those of the last customer and the new ones among them.

        And the customers who have taken the most popular dish.
        """
        before, matrix = chain[max(t - 1, 0)].matrix.any(axis=0).sum(), chain[t].matrix
        dishes = int(matrix.any(axis=0).sum())
        return {
            "customers": t,
            "dishes": dishes,
            "plate": int(matrix[-1].sum()) if t else 0,
            "new": dishes - int(before),
            "popular": int(matrix.sum(axis=0).max(initial=0)),
        }

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the distribution of the number of all dishes, of those on a plate, or of the new ones among them."""
        if outcome == "dishes":
            return counted(NOW, dishes_overall(t, self.concentration, self.number_of_columns))
        if outcome == "new" and t:
            return counted(NOW, new_dishes_of_a_customer(t, self.concentration, self.number_of_columns))
        plate = outcome == "plate"
        return counted(NOW, dishes_of_a_customer(self.concentration, self.number_of_columns)) if plate else None

    def matters(self, name: str) -> bool:
        """Hide the number of columns where there are none, and the buffet's wrong rules where there is none."""
        return self.model == {"columns": "finite", "rule": "buffet"}.get(name, self.model)
