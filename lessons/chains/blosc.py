"""Blosc's frames, in which Zarr packs its chunks: blocks whose bytes are sorted by their place in a number.

After the format's description and its decoder, C-Blosc 1.21 (blosc.c); its own compressor, BloscLZ, is not read.
"""

import struct
import zlib

import numpy as np

HEAD = struct.Struct("<BBBBIII")
SHUFFLED, COPIED, BITS, WHOLE = 1, 2, 4, 16  # flags of a frame
MOST_SPLITS, LEAST_PART = 16, 128
LZ4, ZLIB, ZSTD = 1, 3, 4


def unpacked(frame: bytes, size: int) -> bytes:
    """Return the content of a frame, which must have this number of bytes.

    Raises
    ------
    ValueError
        If the frame is damaged, or packed by BloscLZ.
    """
    if len(frame) < HEAD.size:
        raise ValueError("a chunk is cut off")
    _, _, flags, wide, whole, block, _ = HEAD.unpack_from(frame)
    if whole != size:
        raise ValueError(f"a chunk has {whole:,} bytes in place of {size:,}")
    if flags & COPIED:
        found = frame[HEAD.size : HEAD.size + size]
    else:
        if not 0 < block <= max(size, 1) or not wide:
            raise ValueError("a chunk is damaged")
        starts = np.frombuffer(frame, "<i4", -(-size // block), HEAD.size).tolist()
        sizes = [min(block, size - place) for place in range(0, size, block)]
        found = b"".join(
            _block(frame, start, many, flags, wide, many == block) for start, many in zip(starts, sizes, strict=True)
        )
    if len(found) != size:
        raise ValueError("a chunk is cut off")
    return found


def _block(frame: bytes, start: int, size: int, flags: int, wide: int, full: bool) -> bytes:
    split = not flags & WHOLE and wide <= MOST_SPLITS and size // wide >= LEAST_PART and full
    parts, place = wide if split else 1, start
    found = []
    for _ in range(parts):
        if not HEAD.size <= place <= len(frame) - 4:
            raise ValueError("a chunk is cut off")
        (packed,) = struct.unpack_from("<i", frame, place)
        place += 4
        found.append(_part(frame[place : place + max(packed, 0)], size // parts, flags >> 5))
        place += packed
    block = b"".join(found)
    if wide > 1 and flags & (SHUFFLED | BITS):
        return _sorted_back(block, wide, bits=bool(flags & BITS))
    return block


def _part(packed: bytes, size: int, codec: int) -> bytes:
    if len(packed) == size:
        return packed
    unpacks = {LZ4: lz4, ZLIB: inflated, ZSTD: zstd}
    if codec not in unpacks:
        raise ValueError("its chunks are packed by BloscLZ, which is not read; Zarr packs by LZ4 or Zstandard as well")
    return unpacks[codec](packed, size)


def inflated(packed: bytes, size: int, bits: int = zlib.MAX_WBITS) -> bytes:
    """Return the bytes that zlib has packed, no more than a number of them."""
    return zlib.decompressobj(bits).decompress(packed, size)


def zstd(packed: bytes, size: int) -> bytes:
    """Return the bytes that Zstandard has packed; an `OSError` if it has another number of bytes."""
    import pyarrow as pa  # here, as it takes 0.1 s to import

    return bytes(pa.decompress(packed, size, "zstd", asbytes=True))


def lz4(packed: bytes, size: int) -> bytes:
    """Return the bytes that LZ4 has packed in a block.

    A block does not say how long it is, and pyarrow fills up one that is too short with whatever lies in memory. A
    block of the right length does not fit into a byte less.

    Raises
    ------
    OSError
        If it is damaged, or longer.
    ValueError
        If it is shorter.
    """
    import pyarrow as pa  # here, as it takes 0.1 s to import

    found = bytes(pa.decompress(packed, size, "lz4_raw", asbytes=True))
    try:
        pa.decompress(packed, size - 1, "lz4_raw")
    except OSError:
        return found
    raise ValueError("a chunk is cut off")


def _sorted_back(block: bytes, wide: int, *, bits: bool) -> bytes:
    """Return a block with its bytes, or bits, in the order of its numbers; a rest that is no whole number stays."""
    many = len(block) // wide
    if bits:
        many -= many % 8
    part = np.frombuffer(block[: many * wide], np.uint8)
    if bits:
        planes = np.unpackbits(part.reshape(wide * 8, many // 8), axis=1, bitorder="little")
        found = np.packbits(planes.T, axis=1, bitorder="little").tobytes()
    else:
        found = part.reshape(wide, many).T.tobytes()
    return found + block[many * wide :]
