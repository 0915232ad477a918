"""Print lessons as hand-outs, each as one HTML file: ``python -m pages.download coin-1-tosses --out hand-outs``."""

import argparse
import logging
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from lessons.course.library import Library
from lessons.failing import words_of
from lessons.format.folders import folders
from lessons.installed import called
from pages.contract.stage import stage_of
from pages.download.handout import handout, notes


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the hand-outs, and say where they are."""
    program = called("python -m pages.download", "samplescope hand-out")
    parser = argparse.ArgumentParser(prog=program, description="Print lessons as hand-outs.")
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help="ids of lessons; all of them if left out")
    parser.add_argument("--out", type=Path, default=Path("hand-outs"), metavar="FOLDER", help="where they are written")
    parser.add_argument("--address", default="", metavar="URL", help="the app's: print each lesson's link and QR code")
    parser.add_argument("--notes", action="store_true", help="write the instructor's sheet as well: NAME-notes.html")
    parser.add_argument("--no-pictures", action="store_true", help="text only, which takes no time")
    options = parser.parse_args(arguments)
    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it says that no page is open
    library = Library(folders())
    known = {lesson.id: lesson for lesson in library.lessons}
    wrong = [] if options.lessons else library.left_out(*library.folders)
    for name in options.lessons:
        if name not in known:
            near = get_close_matches(name, known, 1)
            parser.error(f"there is no lesson {name}" + (f"; is it {near[0]}?" if near else ""))
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.lessons or known:
        lesson, stage = known[name], None if options.no_pictures else stage_of(known[name].stage)
        try:
            made = {name: handout(lesson, stage, options.address)}
            made |= {f"{name}-notes": notes(lesson, options.address)} if options.notes else {}
        except Exception as error:  # the other lessons can be printed
            wrong.append(f"{name} is left out: {words_of(error)}")
            continue
        for title, page in made.items():
            path = options.out / f"{title}.html"
            path.write_text(page, "utf-8")
            print(path, flush=True)
    for said in wrong:
        print(said, file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
