"""Fix the images of Dockerfile, compose.yaml and kubernetes.yaml to the digests that their tags have today.

It asks the registry by Docker, and changes no tag: ``redis:8-alpine`` becomes ``redis:8-alpine@sha256:…``, and an older
digest becomes the new one.
"""

import re
import subprocess
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
FILES = (HERE / "Dockerfile", HERE / "compose.yaml", HERE / "kubernetes.yaml")
IMAGE = re.compile(r"(?P<before>\bimage: |^ARG PYTHON=)(?P<tag>[a-z]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?", re.MULTILINE)


@cache
def digest_of(tag: str) -> str:
    """Return the digest of an image's index, which holds for all kinds of processors."""
    words = ["docker", "buildx", "imagetools", "inspect", tag, "--format", "{{.Manifest.Digest}}"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def pinned(text: str) -> str:
    """Return the text of a file with the digests of today."""
    return IMAGE.sub(lambda found: f"{found['before']}{found['tag']}@{digest_of(found['tag'])}", text)


if __name__ == "__main__":
    for path, text in [(path, pinned(path.read_text("utf-8"))) for path in FILES]:
        path.write_text(text, "utf-8")
