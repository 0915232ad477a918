"""Settings of the stage of the Chinese restaurant."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import NOW, Law, counted
from lessons.settings.written import WrittenRule, WrittenSettings
from samplers import Chain
from samplers.crp.facts import first_table_pmf, table_count_pmf
from samplers.crp.seating import CRPSeating
from samplers.crp.stick_breaking import StickBreakingSeating


class CRPSeatingSettings(WrittenSettings):
    """Customers who arrive one at a time and choose a table, by the seating rule or by a broken stick."""

    unit = "customers"
    lawful, same = ("tables", "first"), ("customers",)
    charts = ("room", "trace", "many", "sizes", "menu")
    marks = ("customer-N", "table-N", "new", "dart")
    picks: ClassVar = {"room": ("table", "name", "person", "arrival"), "many": ("number",), "sizes": ("table", "rank")}
    needs: ClassVar = {"runs": lambda own: not own.written}

    concentration: float = quantity(1.0, (0.1, 50, 0.1), dial=True)
    discount: float = quantity(0.0, (0, 0.9, 0.05), dial=True)
    customers: int = quantity(60, (1, 500, 1))
    shuffle: int = quantity(0, (0, 999, 1), control=False)
    arrivals: str = Field(
        "",
        pattern=r"^([0-9]{1,3}(\.[0-9]{1,3}){0,499})?$",  # \d is all digits of Unicode: 32 ms to compile
        json_schema_extra={"control": False, "lesson": False, "called": "order of arrivals"},
    )
    runs: Literal["one", "tables", "first"] = one_or_many()
    door: Literal["seating", "stick"] = choice("seating")
    written: WrittenRule = ""

    @property
    def iterations(self) -> int:
        """One step a customer."""
        return self.customers

    @property
    def ruled(self) -> tuple[str, ...]:
        """The rule of a newcomer's table, for customers who come in their own order."""
        plain = self.door == "seating" and not self.discount and not self.shuffle and not self.arrivals
        return ("crp-seating",) if plain else ()

    def sampler(self) -> Any:
        """Build the seating rule or the broken stick."""
        if self.door == "stick":
            return StickBreakingSeating(self.concentration, self.discount)
        return self.by_rule(CRPSeating(self.concentration, self.discount))

    def measure(self, chain: Chain[Any], t: int) -> dict[str, int]:
        """Count customers, tables and tables with one customer; the largest table's size, and its number from 1."""
        counts = [int(count) for count in chain[t].counts]
        occupied = [count for count in counts if count]  # a piece of a stick may still be empty
        return {
            "customers": sum(occupied),
            "tables": len(occupied),
            "largest": max(counts, default=0),
            "leader": counts.index(max(counts)) + 1 if counts else 0,
            "alone": occupied.count(1),
            "first": counts[0] if counts else 0,
        }

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the distribution of the number of tables, or of the size of the first."""
        known = {"tables": table_count_pmf, "first": first_table_pmf}.get(outcome)
        return counted(NOW, known(t, self.concentration, self.discount)) if known else None
