import assert from "node:assert/strict";
import test from "node:test";

import { SPOT, lettersOf, printedOn, topOf, wordsOf } from "../../../pages/player/letters.js";

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

test("words keep off what the chart has printed, or cover the least of it, and a line begins below a number", () => {
  const number = { left: 50, right: 70, top: 2, bottom: 14 },
    line = { x: 45, points: [[45]] };
  assert.deepEqual(lettersOf([line], ["B"], ENDS, [number])[0], { x: 50, y: 28, anchor: "start" });
  assert.equal(lettersOf([line], ["B"], ENDS, [])[0].y, 14);
  const [own, answer] = wordsOf(
    [
      { y: 60, points: [60] },
      { y: 66, points: [66] },
    ],
    ["your guess 1", "answer 2"],
    ENDS,
    [{ left: 150, right: 170, top: 45, bottom: 55 }],
  );
  assert.deepEqual([own.anchor, answer.anchor], ["start", "end"]);
  assert.ok(own.y < 60 && answer.y > 66, "on no other line");
  const triangle = { left: 80, right: 90, top: 4, bottom: 12 };
  const [guess] = wordsOf(
    [
      { x: 8, points: [8] },
      { x: 95, points: [95] },
    ],
    ["your guess 1", "2"],
    ENDS,
    [triangle],
  );
  assert.equal(guess.y, 28, "another line is crossed where it has to be, and no mark");
  assert.deepEqual([topOf(60, 0, [number]), topOf(45, 0, [number])], [14, 0]);
  assert.equal(topOf(60, 0, [{ ...number, bottom: 60 }]), 0, "something large");
});

test("a chart has printed the words and points that it shows, in pixels of its canvas", () => {
  const items = (...of) => of.map((more) => ({ bounds: { x1: 1, x2: 5, y1: 2, y2: 8 }, fill: "red", ...more }));
  const marks = [
    { marktype: "text", role: "mark", items: items({}, { opacity: 0 }) },
    { marktype: "symbol", role: "mark", items: items({ fill: "transparent" }) },
    { marktype: "rect", role: "mark", items: items({}) },
    { marktype: "text", role: "axis-label", items: items({}) },
  ];
  const view = {
    padding: () => ({ left: 5, top: 5 }),
    origin: () => [30, 0],
    width: () => 200,
    height: () => 100,
    scenegraph: () => ({ root: { marktype: "group", items: [{ items: marks }] } }),
  };
  assert.deepEqual(printedOn(view), [{ left: 36, right: 40, top: 7, bottom: 13 }]);
});
