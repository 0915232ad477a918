"""Begin a topic: ``python -m pages.new TOPIC`` writes one that runs and passes its own tests."""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from lessons.catalogue import ORDER

ROOT = Path(__file__).parents[1]
SCAFFOLD = Path(__file__).parent / "scaffold"
FILES = {  # what is written, and from what; @topic@ is the name, as a module has it
    "samplers/@topic@.py": "sampler.py.txt",
    "lessons/topics/@topic@.py": "settings.py.txt",
    "lessons/topics/@topic@.yaml": "topic.yaml.txt",
    "lessons/topics/@topic@.svg": "drawing.svg.txt",
    "pages/@topic@.py": "page.py.txt",
    "pages/topics/@topic@/__init__.py": "stage.py.txt",
    "tests/pages/topics/test_@topic@.py": "test.py.txt",
}
ORDERED = "lessons/catalogue.py"
CONFORMANCE = "SAMPLERS or OTHERS of tests/samplers/test_conformance.py"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Write the files of a new topic, and say which; nothing is written over."""
    parser = argparse.ArgumentParser(prog="python -m pages.new", description="Begin a topic.")
    parser.add_argument("topic", metavar="TOPIC", help="its name as a Python module, such as slice_sampler")
    topic = parser.parse_args(arguments).topic
    if not NAME.fullmatch(topic):
        parser.error(f"a topic's name has small letters, digits and single _ between words, and not '{topic[:40]}'")
    texts = {path: (SCAFFOLD / name).read_text("utf-8") for path, name in FILES.items()}
    written = {_filled(path, topic): _filled(text, topic) for path, text in texts.items()}
    for path in (*written, f"samplers/{topic}"):  # a folder of that name would hide the sampler
        if topic in ORDER or (root / path).exists():
            parser.error(f"there is already something of that name: {path}")
    for path, text in written.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")
    order, last = (root / ORDERED).read_text("utf-8"), f'    "{ORDER[-1]}",\n'
    (root / ORDERED).write_text(order.replace(last, f'{last}    "{topic}",\n'), "utf-8")
    lesson = f"lessons/{topic.replace('_', '-')}-1-first.md"
    _reader(root, "new", lesson, "--stage", topic)
    (root / "lessons/format/STAGES.md").write_text(_reader(root, "stages"), "utf-8")
    print("\n".join([*written, lesson]))
    print(f"Its name was added to ORDER in {ORDERED}. Try it: make run, and make quick.")
    print("What other tests ask of each topic of the course is the last point of *Add a topic* in README.md.")
    print(f"If you write a sampler, add a line for it to {CONFORMANCE}, which then checks its joint and its replay.")
    return 0


def _filled(text: str, topic: str) -> str:
    words = topic.split("_")
    names = {"@topic@": topic, "@Topic@": "".join(map(str.capitalize, words)), "@title@": " ".join(words).capitalize()}
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def _reader(root: Path, *arguments: str) -> str:
    """Run the reader of lessons in another process, which knows the new topic."""
    command = [sys.executable, "-m", "lessons", *arguments]
    return subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    raise SystemExit(main())
