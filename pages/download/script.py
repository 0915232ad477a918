"""A moment as a Python script, which runs with `samplers` and gives the same numbers to the last bit."""

from pages.contract.moment import Code, Moment, ShownChain
from pages.download.writing import Writer
from samplers.gradient.hmc import HamiltonianSampler
from samplers.recipe import GibbsSampler, Kernel

BEATS = 4  # of an update
PRINTS = """
for name, value in {sampler}.variables({state}).items():
    print({before}name, "=", value)
"""


def script(moment: Moment, title: str, link: str) -> str:
    """Return the script of a moment, below a title of one line and its link.

    Raises
    ------
    Unwritable
        If a sampler or its data cannot be written down.
    """
    writer = Writer()
    for name, origin in moment.origins.items():
        writer.define(name, origin)
    writer.lines.append("")
    for shown in moment.chains:
        _chain(writer, shown, moment)
    for name, more in moment.more.items():
        if isinstance(more, Code):
            writer.code(name, more.text, more.value)
        else:
            writer.define(name, more)
    writer.lines += [f'print("{name} =", {name})' for name in list(moment.more)[-1:]]
    body = "\n".join(writer.lines).replace("\n\n\n", "\n\n").strip("\n")
    return f'"""{title}\n\n{link}\n\n{_needs(writer)}\n"""\n\n{_imports(writer)}\n\n{body}\n'


def _needs(writer: Writer) -> str:
    folders = "samplers/ and lessons/" if any(name.startswith("lessons") for name in writer.imports) else "samplers/"
    return (
        f"Run it beside {folders} of Samplescope, with Python 3.11 or newer, NumPy and SciPy.\n"
        "Labels count from 0 here, and from 1 on the screen."
    )


def _imports(writer: Writer) -> str:
    """Return the import lines: the standard library, NumPy and SciPy, and ours, as ruff sorts them."""
    uses_numpy = any("np." in line for line in writer.lines)
    groups: list[list[str]] = [[], [], []]
    for module, names in sorted(writer.imports.items()):
        ours = module.split(".")[0] in ("samplers", "lessons")
        group = groups[2 if ours else 1 if module.startswith("scipy") else 0]
        if module != "numpy":
            group.append(f"from {module} import {', '.join(sorted(names))}" if names else f"import {module}")
    if uses_numpy:
        groups[1].insert(0, "import numpy as np")
    return "\n\n".join(
        "\n".join(sorted(group, key=lambda line: line.split()[0] == "from")) for group in groups if group
    )


def _chain(writer: Writer, shown: ShownChain, moment: Moment) -> None:
    first = shown is moment.chains[0]
    sampler, chain, state = (f"{shown.name}_{part}" if shown.name else part for part in ("sampler", "chain", "state"))
    if shown.branch is None:
        known = None if first else writer.name_of(shown.sampler)
        sampler = known or sampler
        if not known:
            writer.define(sampler, shown.sampler)
        writer.lines.append(f"{chain} = Chain({sampler}, seed={shown.seed})")
    else:
        sampler = "sampler"
        writer.lines.append(f"{chain} = chain.branch({shown.branch}, seed={shown.seed})")
    if moment.frame is None or not first:
        writer.lines.append(f"{state} = {chain}[{shown.t}]")
    else:
        writer.lines += _opened(writer, shown.sampler, shown.t, moment.frame)
    before = f'"{shown.name}", ' if shown.name else ""
    writer.lines += PRINTS.format(sampler=sampler, state=state, before=before).split("\n")


def _opened(writer: Writer, sampler: Kernel, step: int, frame: int) -> list[str]:
    """Return the lines that lead into a step, as far as a frame of it; step 0 is the start."""
    if isinstance(sampler, GibbsSampler):
        return _updates(writer, step, frame)
    lines = [f"state = chain[{step}]"]
    if not step:
        return lines
    if isinstance(sampler, HamiltonianSampler):
        return lines + _trajectory(step, frame)
    return [*lines, f"record = chain.record({step})  # what is on the screen", "print(record)"]


def _trajectory(step: int, frame: int) -> list[str]:
    return [
        f"path = chain.record({step})",
        f"place = path.order[{frame}] if {frame} < len(path.points) else path.chosen",
        "point = path.points[place]  # the one that is on the screen",
        'print("position =", point.position, "momentum =", point.momentum, "energy =", point.energy)',
    ]


def _updates(writer: Writer, step: int, frame: int) -> list[str]:
    """Return the lines for a sweep: each update is forget, score, sample and remember, and a frame one of these."""
    done, beat = divmod(frame, BEATS)
    writer.imports["samplers"].add("updates")
    writer.imports["itertools"] = {"islice"}
    lines = [
        f"state = chain[{step - 1}].copy()  # before sweep {step}",
        f"sweep = updates(sampler, state, chain.rng({step}))",
        f"done = list(islice(sweep, {done}))  # its updates that are over",
    ]
    if beat:
        lines += [
            "before = state.copy()",
            "update = next(sweep)  # the one that is under way: site, conditional, value",
            "sampler.forget(before, update.site)",
            "state = before  # as it is on the screen: the site has been taken out",
        ]
    return lines
