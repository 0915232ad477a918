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
    { y: 70, points: [[70]] },
  ];
  assert.deepEqual(
    lettersOf(across, ["A", "B"], ENDS).map(({ y }) => y),
    [35, 65],
    "those that are apart have their letters above them",
  );
});

test("the letter of a line lies on no other line, but on its own where both sides are taken", () => {
  const lines = [60, 68, 76].map((x) => ({ x, points: [[x]] }));
  const letters = lettersOf(lines, ["A", "B", "C"], ENDS);
  assert.deepEqual(
    letters.map(({ x, anchor }) => [x, anchor]),
    [
      [55, "end"],
      [68, "middle"],
      [81, "start"],
    ],
  );
});

test("lines across a chart that are closer than a letter is high bend apart to their letters", () => {
  for (const ys of [
    [50, 45, 41],
    [99, 95, 40],
    [1, 3, 5],
  ]) {
    const spots = ys.map((y) => ({ y, points: [[y]] }));
    const letters = lettersOf(spots, ["A", "B: your guess", "C"], ENDS);
    const order = [0, 1, 2].sort((a, b) => ys[a] - ys[b]);
    const places = order.map((i) => letters[i].y);
    assert.ok(places[1] - places[0] >= 14 && places[2] - places[1] >= 14, `${places}`);
    assert.ok(places[0] >= 10 && places[2] <= 100, `${places}`);
    assert.ok(letters.every(({ bend, x }) => bend < x && bend > 0));
    assert.ok(letters[1].bend < letters[0].bend, "long words have their room");
  }
});
