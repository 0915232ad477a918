"""Which of several files with the same id is the lesson, and which are copies of it."""

from collections.abc import Collection, Sequence
from pathlib import Path

from lessons.format.lesson import Lesson


def keepers(lessons: Sequence[Lesson], served: Collection[Path] = ()) -> dict[str, Lesson]:
    """Return the lesson that keeps each id: the one that was served under it until now, or else the shortest name.

    A file manager puts a copy before its original, and gives it the longer name: "week-3 (copy).md".

    Parameters
    ----------
    lessons : sequence of Lesson
        Of one folder, in the order of its files.
    served : collection of pathlib.Path
        The files that have been served under the ids that they have now.
    """
    found: dict[str, Lesson] = {}
    for lesson in sorted(lessons, key=lambda one: (one.path not in served, len(one.path.name))):
        found.setdefault(lesson.id, lesson)
    return found
