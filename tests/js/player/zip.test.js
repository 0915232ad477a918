import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { checksum, zipped } from "../../../pages/player/zip.js";

const bytes = (text) => new TextEncoder().encode(text);

// the names and contents of a file's entries, as its table at the end has them
function entries(whole) {
  const view = new DataView(whole.buffer),
    end = whole.length - 22,
    found = [];
  assert.equal(view.getUint32(end, true), 0x06054b50);
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < view.getUint16(end + 10, true); i++) {
    const [sum, size, name, start] = [
      view.getUint32(at + 16, true),
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint32(at + 42, true),
    ];
    const title = new TextDecoder().decode(whole.slice(at + 46, at + 46 + name)),
      content = whole.slice(start + 30 + name, start + 30 + name + size);
    assert.equal(sum, checksum(content));
    found.push([title, new TextDecoder().decode(content)]);
    at += 46 + name;
  }
  assert.equal(at, end);
  return found;
}

suite("player/zip.js", () => {
  test("the checksum is that of the format", () => {
    assert.equal(checksum(bytes("123456789")), 0xcbf43926); // the check value of CRC-32
    assert.equal(checksum(bytes("")), 0);
  });

  test("what is put in is in it, under its name", () => {
    const files = [
      ["0001.png", "one"],
      ["größe.txt", ""],
      ["0002.png", "two, and more"],
    ];
    assert.deepEqual(entries(zipped(files.map(([name, text]) => ({ name, bytes: bytes(text) })))), files);
    assert.deepEqual(entries(zipped([])), []);
  });
});
