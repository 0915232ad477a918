"""A file for each topic that takes a table or texts."""

from lessons.own.taking import Taking
from lessons.topics import STAGES

TABLE = b"height,weight\n" + b"\n".join(b"%d,%d" % (x, x * x % 7) for x in range(20))
MESSAGES = b"ham\tCall me tonight\nspam\tWin a prize now\nham\tLunch at noon?\n"
LABELLED = b"a,b,c\n1,2,0\n2,5,1\n4,4,1\n5,1,0\n"
TAKES = {stage: model.takes for stage, model in STAGES.items() if isinstance(model.takes, Taking)}


def of_its_kind(messages: bytes, labelled: bytes, table: bytes) -> dict[str, bytes]:
    """Return for each of these topics one of these files, by what its columns can be."""
    return {
        stage: messages if takes.texts else labelled if "label" in takes.parts else table
        for stage, takes in TAKES.items()
    }


FILES = of_its_kind(MESSAGES, LABELLED, TABLE)
