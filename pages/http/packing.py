"""Files packed for browsers: by Brotli for those that take it, a tenth smaller than by gzip."""

import gzip

import brotli

QUALITY = 9  # of Brotli: a megabyte takes 0.15 s; at 11 it is another tenth smaller, and takes ten times as long


def encoding_for(accepted: str) -> str:
    """Return the better encoding that a client's ``accept-encoding`` names: ``br``, ``gzip``, or "" for neither."""
    names = {one.partition(";")[0].strip() for one in accepted.split(",")}
    return next((name for name in ("br", "gzip") if name in names), "")


def packed(content: bytes, encoding: str) -> bytes:
    """Return a content in an encoding that `encoding_for` names."""
    if encoding == "br":
        made: bytes = brotli.compress(content, quality=QUALITY)
        return made
    return gzip.compress(content, 9, mtime=0) if encoding else content
