"""A published course as one file: to hand out, or as a package for a learning platform (SCORM 1.2)."""

import hashlib
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

MANIFEST = """<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier={identifier} version="1.2" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>{title}</title>
      <item identifier="lessons" identifierref="page"><title>{title}</title></item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="index.html">
{files}
    </resource>
  </resources>
</manifest>
"""


def zipped(folder: Path, out: Path, instead: dict[str, str] | None = None) -> Path:
    """Write all files of a published course into one file, which is there only once it is whole.

    `instead` has texts by name: files that are added, or take the place of the course's.
    """
    texts = instead or {}
    part = out.with_name(f".{out.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                name = path.relative_to(folder).as_posix()
                if name not in texts and not name.startswith("made/"):
                    file.write(path, name)
            for name, text in texts.items():
                file.writestr(name, text)
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return out


def manifest(folder: Path, title: str) -> str:
    """Return the manifest of a SCORM package with the course of a folder."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    files = "\n".join(f"      <file href={quoteattr(name)}/>" for name in names if not name.startswith("made/"))
    identifier = f"samplescope-{hashlib.sha256(title.encode()).hexdigest()[:12]}"
    return MANIFEST.format(identifier=quoteattr(identifier), title=escape(title), files=files)
