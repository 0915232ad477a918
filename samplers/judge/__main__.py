"""``python -m samplers.judge crp-mixture student.py`` prints the verdict on a program.

Without a program it prints what the problem asks for, and without a problem all of them.
"""

import argparse
import sys
from pathlib import Path

from samplers.judge.bank import PROBLEMS
from samplers.judge.program import SECONDS, judge_program, told


def main(arguments: list[str] | None = None) -> int:
    """Print a verdict; return 0 if the program is right, 1 if it is wrong, and 2 if there is nothing to judge."""
    parser = argparse.ArgumentParser(prog="python -m samplers.judge", description="Judge a program exactly.")
    parser.add_argument("problem", nargs="?", help="the id of a problem; without it, all are listed")
    parser.add_argument("program", nargs="?", type=Path, help="a file that defines sweep, update or weight")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long it may run (%(default)g)")
    given = parser.parse_args(arguments)
    if given.problem is None:
        for problem in PROBLEMS.values():
            print(f"{problem.id:22} {problem.title}")
        return 0
    if given.problem not in PROBLEMS:
        print(f"There is no problem “{given.problem}”; there are {', '.join(PROBLEMS)}.", file=sys.stderr)
        return 2
    problem = PROBLEMS[given.problem]
    if given.program is None:
        print(problem.described())
        return 0
    try:
        text = given.program.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        print(f"{given.program} cannot be read: {error}", file=sys.stderr)
        return 2
    verdict = judge_program(problem, text, given.seconds, str(given.program))
    print(told(verdict))
    print(f"Score: {verdict.score:.2f}")
    return int(verdict.score < 1)


if __name__ == "__main__":
    sys.exit(main())
