import assert from "node:assert/strict";
import test from "node:test";

import { SPOT, lettersOf } from "../../../pages/player/letters.js";

const ENDS = { left: 0, right: 200, top: 0, bottom: 100 };
const point = (x, y) => ({ x, y, points: [[x, y]] });

test("the letter of a place is beside its ring, and in no other ring", () => {
  const alone = { x: 50 + 1.6 * SPOT, y: 50 - 0.6 * SPOT, anchor: "middle" };
  assert.deepEqual(lettersOf([point(50, 50)], ["A"], ENDS), [alone]);
  const [first, second] = lettersOf([point(50, 50), point(50 + 2 * SPOT, 45)], ["A", "B"], ENDS);
  assert.equal(first.x, 50 - 1.6 * SPOT);
  assert.ok(second.x > 50 + 3 * SPOT);
  assert.ok(lettersOf([point(195, 50)], ["A"], ENDS)[0].x < 195, "at the edge it is on the other side");
});

test("letters of lines that are close are below one another, and what is said of a guess has its room", () => {
  const lines = [
    { x: 40, points: [[40]] },
    { x: 48, points: [[48]] },
  ];
  const [first, second] = lettersOf(lines, ["B: your guess", "C"], ENDS);
  assert.deepEqual(first, { x: 45, y: 14, anchor: "start" });
  assert.equal(second.y, 28);
  assert.equal(lettersOf([{ x: 190, points: [[190]] }], ["B: your guess"], ENDS)[0].anchor, "end");
  const across = [
    { y: 40, points: [[40]] },
    { y: 46, points: [[46]] },
  ];
  assert.deepEqual(
    lettersOf(across, ["A", "B"], ENDS).map(({ anchor }) => anchor),
    ["end", "start"],
  );
});
