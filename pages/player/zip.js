// Files in one file, as they are: pictures are packed already.

/** @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer> }} Filed */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** @type {(bytes: Uint8Array) => number} */
export function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff];
  return (value ^ 0xffffffff) >>> 0;
}

const DAY = 0x21; // the first of 1980: a file says nothing of when it was made

/** @type {(...fields: [size: 2 | 4, value: number][]) => Uint8Array<ArrayBuffer>} little-endian numbers */
function packed(...fields) {
  const bytes = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 2) bytes.setUint16(at, value, true);
    else bytes.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(bytes.buffer);
}

/** @type {(files: Filed[]) => Uint8Array<ArrayBuffer>} */
export function zipped(files) {
  const parts = /** @type {Uint8Array[]} */ ([]),
    listed = /** @type {Uint8Array[]} */ ([]);
  let at = 0;
  for (const { name, bytes } of files) {
    const title = new TextEncoder().encode(name);
    /** @type {[2 | 4, number][]} */
    const facts = [
      [2, 20], // version that reads it
      [2, 0x800], // names are UTF-8
      [2, 0], // stored
      [2, 0],
      [2, DAY],
      [4, checksum(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, title.length],
      [2, 0],
    ];
    parts.push(packed([4, 0x04034b50], ...facts), title, bytes);
    listed.push(packed([4, 0x02014b50], [2, 20], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]), title);
    at += 30 + title.length + bytes.length;
  }
  const long = listed.reduce((sum, { length }) => sum + length, 0);
  const many = files.length;
  parts.push(...listed, packed([4, 0x06054b50], [2, 0], [2, 0], [2, many], [2, many], [4, long], [4, at], [2, 0]));
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((place, part) => (whole.set(part, place), place + part.length), 0);
  return whole;
}
