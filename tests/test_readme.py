"""The README names files that are there, and its way into the code stays short."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def linked(text: str) -> list[Path]:
    return [ROOT / path for path in re.findall(r"\]\(([^)#:]+)\)", text)]


def section(title: str) -> str:
    return README.split(f"## {title}\n")[1].split("\n## ")[0]


def test_every_file_that_is_linked_is_there():
    assert len(linked(README)) > 12
    assert [path for path in linked(README) if not path.exists()] == []


def test_every_file_of_the_architecture_is_there():
    files = linked((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    assert len(files) > 20
    assert [path for path in files if not path.exists()] == []


def test_every_file_that_the_guide_of_lessons_links_is_there():
    guide = (ROOT / "lessons" / "README.md").read_text("utf-8")
    found = re.findall(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)", guide)
    assert len(found) > 3
    assert [path for path in found if not (ROOT / "lessons" / path).exists()] == []


def test_the_way_into_the_code_is_five_files_and_under_500_lines():
    first = linked(section("Read the code").split("\nThen ")[0])
    assert len(set(first)) == len(first) == 5
    assert sum(len(path.read_text("utf-8").splitlines()) for path in first) < 500


def test_a_topic_is_eight_files_and_its_name_stands_in_one_place():
    new = [*linked(section("Add a topic")), *(ROOT / "lessons").glob("coin-1*.md")]
    assert len({path for path in new if "coin" in str(path.relative_to(ROOT))}) == 8
    code = [path for folder in ("lessons", "pages") for path in (ROOT / folder).rglob("*.py")]
    own = ROOT / "pages/coin.py"
    named = [path for path in code if re.search(r"""["']coin["']""", path.read_text("utf-8")) and path != own]
    assert len(named) == 1
