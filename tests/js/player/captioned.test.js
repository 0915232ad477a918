import assert from "node:assert/strict";
import { test } from "node:test";

import { broken, laidOut } from "../../../pages/player/captioned.js";

const key = (text) => ({ text });
const measured = ({ text }) => 10 * text.length;

test("keys of a legend stand in rows that fit", () => {
  const rows = laidOut(["four", "five5", "six"].map(key), 180, measured);
  assert.deepEqual(
    rows.map((row) => row.map(({ text, x }) => [text, x])),
    [
      [
        ["four", 4],
        ["five5", 80],
      ],
      [["six", 4]],
    ],
  );
});

test("an address is broken where it has to be", () => {
  assert.deepEqual(broken("abcdefg", 30, measured), ["abc", "def", "g"]);
});

test("a chart without a legend has no rows, and a key that is too long a row of its own", () => {
  assert.deepEqual(laidOut([], 100, measured), []);
  assert.equal(laidOut([key("a".repeat(50)), key("b")], 100, measured).length, 2);
});
