"""Wrong rules of generative classification, each close to the right one: what the lessons ask learners to find."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from samplers.conjugate import DirichletMultinomial, Multinomial, Product
from samplers.conjugate.family import Sums
from samplers.generative.classifier import ClassPosterior, GenerativeModel


class PriorForEachDatum(GenerativeModel):
    """The prior is inside the product over the examples: it is multiplied in once for each, and not once in all."""

    def _posterior(self, rows: np.ndarray, labels: np.ndarray) -> ClassPosterior:
        counts = np.bincount(labels, minlength=self.classes)
        families = [
            self.family.to_the_power(max(count, 1)).given_labels(rows, labels, self.classes)[label]
            for label, count in enumerate(counts.tolist())
        ]
        weights = DirichletMultinomial(self.class_prior).to_the_power(max(labels.size, 1))
        return ClassPosterior(DirichletMultinomial(weights.prior + counts), tuple(families))


class NoPseudoCounts(GenerativeModel):
    """A category's probability is its share of the counts: what was never seen in a class rules the class out."""

    def __post_init__(self) -> None:
        super().__post_init__()
        families = self.family.families
        forgetful = [Shares(each.prior) if isinstance(each, DirichletMultinomial) else each for each in families]
        object.__setattr__(self, "family", Product(forgetful))


class Shares(DirichletMultinomial):
    """Counts whose prior is forgotten: each probability is its share, 0/0 (NaN) where nothing was counted."""

    def given(self, sums: Sums) -> Self:
        """Return the fit to these rows alone."""
        return self.with_counts(np.array(sums.total))

    def typical(self) -> Multinomial:
        """Return the shares."""
        with np.errstate(invalid="ignore"):
            return super().typical()

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log probability of single rows by the shares, shape (n,)."""
        return self.typical().log_density(self.rows(data))

    def mode(self) -> Multinomial:
        """Return the shares; errors as in `DirichletMultinomial`."""
        return DirichletMultinomial(self.prior + 1).mode()


class MissingAsZero(GenerativeModel):
    """A number that is missing is read as 0, or as the first category: what is not known is taken for a fact."""

    def read(self, data: ArrayLike) -> np.ndarray:
        """Return rows with something in every place."""
        rows = super().read(data)
        for family, place in zip(self.family.families, self.family.places, strict=True):
            of_categories = family.of_counts and family.dimension > 1
            nothing = np.eye(family.dimension)[0] if of_categories else np.zeros(family.dimension)
            rows[:, place] = np.where(np.isnan(rows[:, place]), nothing, rows[:, place])
        return rows


WRONG_GENERATIVE_RULES: dict[str, type[GenerativeModel]] = {
    "prior for each datum": PriorForEachDatum,
    "no pseudo-counts": NoPseudoCounts,
    "missing as zero": MissingAsZero,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""
