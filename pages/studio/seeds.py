"""Try many seeds for the step at hand, and take one whose run is typical."""

from dataclasses import dataclass

import streamlit as st

from lessons.check.files import Reading
from lessons.check.seeds import HIGH, LOW, Tried, tried
from lessons.format.lesson import Lesson
from lessons.format.patch import put
from pages.drawing.numbers import significant
from pages.studio import form
from pages.studio.desk import Desk

SEEDS = range(1, 51)
HEIGHT = 300  # pixels of the table
NO_ONE = "no one"  # step: the front matter is at hand


@dataclass(frozen=True)
class Found:
    """Outcomes of a step for many seeds: the text, the step, and each run."""

    text: str
    step: str
    runs: tuple[Tried, ...]

    def is_typical(self, seed: int) -> bool:
        """Return whether a seed is typical in each of the steps."""
        return all(run.is_typical(seed) for run in self.runs)


def draw(here: Desk, reading: Reading) -> None:
    """Offer to run the step in which the cursor is with many seeds, or all that have the lesson's own."""
    section = here.section(here.pieces())
    name = section.id if section else NO_ONE
    with st.expander(f"Seeds: {f'“{section.title}”' if section else 'the whole lesson'}", icon=":material/casino:"):
        if reading.lesson is None:
            st.caption("Solve the problems first: a lesson that cannot be read cannot be run.")
            return
        many = f"{SEEDS[0]} to {SEEDS[-1]}"
        st.button(f"Try seeds {many}", on_click=_try, args=(here, reading.lesson, name))
        found = here.tried
        if isinstance(found, Found) and (found.text, found.step) == (here.text, name):
            _show(here, found)


def _try(here: Desk, lesson: Lesson, name: str) -> None:
    steps = [step for step in lesson.steps if (step.seed is None if name == NO_ONE else step.id == name)]
    runs = tuple(run for step in steps if (run := tried(lesson, step, SEEDS)) is not None)
    here.tried = Found(here.text, name, runs)


def _show(here: Desk, found: Found) -> None:
    """Draw the table, and the typical seeds to take one of."""
    if not found.runs:
        st.caption("A seed changes nothing here: no run and no question ends at an iteration.")
        return
    for run in found.runs:
        limits = (f"{name} {significant(low)} to {significant(high)}" for name, (low, high) in run.limits.items())
        st.caption(f"“{run.step.title}”, typical ({LOW} to {HIGH} %): {', '.join(limits)}")
    with st.container(height=HEIGHT):
        st.markdown(_table(found))
    typical = [seed for seed in SEEDS if found.is_typical(seed)]
    if not typical:
        st.caption("No seed is typical in every respect. Choose in the table what matters most.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.selectbox("Typical seeds", typical, key=f"typical {here.path} {found.step}", width=200)
        st.button("Take this seed", on_click=take, args=(here, seed))


def _table(found: Found) -> str:
    names = [name for run in found.runs for name in run.limits]
    lines = [f"| seed | | {' | '.join(names)} |", "|---:" * (len(names) + 2) + "|"]
    for seed in SEEDS:
        cells = " | ".join(significant(value) for run in found.runs for value in run.values[seed])
        lines.append(f"| {seed} | {'typical' * found.is_typical(seed)} | {cells} |")
    return "\n".join(lines)


def take(here: Desk, seed: int) -> None:
    """Write a seed into the step at hand or, above the first one, into the front matter."""
    pieces = here.pieces()
    section = here.section(pieces)
    block = form.block_of(pieces, section, form.data_of(pieces, section))
    if block is None:
        here.said = "Not set: the YAML here cannot be read."
    else:
        here.set(block.put(here.text, put(block.text(here.text), ("seed",), seed)))
