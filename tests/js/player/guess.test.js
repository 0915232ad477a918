import assert from "node:assert/strict";
import test from "node:test";

import { Guess, stepped } from "../../../pages/player/guess.js";
import { markAt, marksIn } from "../../../pages/player/hands.js";
import { badgeOf, nearest, outlines } from "../../../pages/player/lines.js";
import { heard, page } from "../page.js";

const bounds = (x1, y1, x2, y2) => ({ x1, y1, x2, y2 });
const mark = (name, left, top, right, bottom) => ({ datum: { name }, left, right, top, bottom });

test("a guess is one that can be made, and has no digits beyond", () => {
  assert.equal(stepped(0.34, { limits: [0, 1], step: 0.1 }), "0.3");
  assert.equal(stepped(0.7000001, { limits: [0, 1], step: 0.1 }), "0.7");
  assert.equal(stepped(-3, { limits: [0, 1], step: 0.1 }), "0");
  assert.equal(stepped(99, { limits: [-2, 2], step: 0.5 }), "2");
  assert.equal(stepped(-1.3, { limits: [-2, 2], step: 0.5 }), "-1.5");
});

test("marks are found in groups within groups, at their places", () => {
  const dot = (x, datum = {}) => ({ bounds: bounds(x, 0, x + 2, 2), datum });
  const inner = { marktype: "symbol", items: [dot(1, { name: "a" }), { bounds: bounds(0, 0, 9, 9) }] };
  const scene = {
    marktype: "group",
    items: [{ x: 10, y: 20, items: [inner, { marktype: "group", items: [{ x: 5, items: [inner] }] }] }],
  };
  assert.deepEqual([...marksIn(scene, 100, 0)], [mark("a", 111, 20, 113, 22), mark("a", 116, 20, 118, 22)]);
});

test("of marks one over the other the smallest is picked, else the nearest, and none from afar", () => {
  const [large, small, other] = [
    mark("large", 0, 0, 100, 100),
    mark("small", 40, 40, 50, 50),
    mark("other", 110, 0, 120, 100),
  ];
  assert.equal(markAt([large, small, other], 45, 45), small);
  assert.equal(markAt([large, small, other], 20, 45), large);
  assert.equal(markAt([large, small, other], 108, 45), other);
  assert.equal(markAt([small], 65, 45), small);
  assert.equal(markAt([small], 67, 45), undefined);
  assert.equal(markAt([small], 62, 62), undefined, "as the crow flies");
});

test("what is chosen is outlined at once, or mark by mark where another choice lies between", () => {
  const [one, two, halo] = [mark("a", 0, 0, 4, 4), mark("a", 20, 20, 24, 24), mark("a", 18, 18, 26, 26)];
  const all = { left: 0, right: 26, top: 0, bottom: 26 };
  assert.deepEqual(outlines([one, two, halo], [mark("b", 30, 0, 34, 4)]), [all]);
  const [first, second, ...more] = outlines([one, two, halo], [mark("b", 10, 10, 14, 14)]);
  assert.deepEqual([first, more], [one, []]);
  assert.deepEqual(second, { left: 18, right: 26, top: 18, bottom: 26 });
});

test("of marked places the nearest is pressed, on an axis by the axis alone", () => {
  const points = [
    { key: "a", points: [{ x: 10, y: 10 }] },
    { key: "b", points: [{ x: 90, y: 10 }] },
  ];
  assert.equal(nearest(points, 60, 300).key, "b");
  const levels = [
    { key: "up", points: [{ x: undefined, y: 20 }] },
    { key: "down", points: [{ x: undefined, y: 80 }] },
  ];
  assert.equal(nearest(levels, 500, 55).key, "down");
  const lines = [
    {
      key: "flat",
      points: [
        { x: 0, y: 50 },
        { x: 300, y: 50 },
      ],
    },
    {
      key: "rising",
      points: [
        { x: 0, y: 90 },
        { x: 100, y: 60 },
        { x: 300, y: 0 },
      ],
    },
  ];
  assert.equal(nearest(lines, 150, 52).key, "flat", "between its points as well");
  assert.equal(nearest(lines, 280, 10).key, "rising");
  assert.equal(nearest([], 0, 0), undefined);
});

test("one of several pictures is pressed, and no other", () => {
  page();
  const guess = new Guess(),
    told = heard("samplescope:guess");
  const pictures = { jumps: "points", alone: "second" };
  guess.take({ chart: "", pictures, guess: null, outcome: null, hand: true }, "lesson one");
  assert.deepEqual([guess.open("points"), guess.open("second"), guess.open("trace")], [true, true, false]);
  guess.pick(
    { name: "second", canvas: { getBoundingClientRect: () => ({ left: 0, top: 0 }) } },
    { clientX: 5, clientY: 5 },
  );
  assert.deepEqual(told, ["alone"]);
});

test("whose answer a picture is stands beside its legend, and over no mark of it", () => {
  page();
  const made = (tag) => ({ tag, setAttribute() {} });
  Object.assign(document, { createElement: made, createElementNS: (_, tag) => made(tag) });
  const row = { words: [], querySelector: () => row.words.at(-1) ?? null, append: (word) => row.words.push(word) },
    classList = { toggle() {} };
  let over = [];
  const chart = {
    name: "second",
    canvas: { classList, dataset: {}, offsetWidth: 300, offsetHeight: 90 },
    figure: { classList, querySelector: () => row },
    svg: { replaceChildren: (...all) => (over = all) },
  };
  const guess = Object.assign(new Guess(), { charts: [chart], divide: undefined });
  const said = (asked) => {
    Object.assign(row, { words: row.words.map((word) => Object.assign(word, { remove: () => row.words.pop() })) });
    Object.assign(guess, { asked }).show(5);
    return [row.words.map(({ textContent }) => textContent), over.map(({ tag }) => tag)];
  };
  const asked = { chart: "", pictures: { alone: "second" }, guess: "alone", outcome: "alone", reveal: 5, hand: false };
  assert.deepEqual(said({ ...asked, reveal: 9 }), [["your guess"], ["rect"]]);
  assert.deepEqual(said(asked), [["answer, your guess"], ["rect"]]);
  assert.deepEqual(said({ ...asked, guess: "other", outcome: "other" }), [[], ["rect"]]);
  assert.deepEqual(said(null), [[], []]);
});

test("a guess that is not checked is the form's: no message takes it away, and a new question asks for it", () => {
  page();
  const guess = new Guess(),
    asks = heard("samplescope:asks"),
    asked = (chart, outcome = null, value = null) => ({ chart, guess: value, outcome, hand: true });
  guess.take(asked("a"), "lesson one");
  guess.set("0.5");
  guess.take(asked("a"), "lesson one");
  assert.deepEqual([guess.asked.guess, asks.length], ["0.5", 1]);
  guess.take(asked("a"), "lesson two");
  assert.deepEqual([guess.asked.guess, asks.length], [null, 2], "of another step");
  guess.take(asked("b", "1", "0.7"), "lesson two");
  guess.set("0.1");
  assert.equal(guess.asked.guess, "0.7", "one that is checked stays");
  guess.take(asked("b"), "lesson two");
  assert.deepEqual([guess.asked.guess, asks.length], [null, 3], "asked again");
  assert.deepEqual([guess.open("b"), guess.open("a")], [true, false]);
});

test("the letter of a line is at its middle point, or beyond the end of one that it would cover", () => {
  const line = (far) => [0, 0.5, 1].map((part) => ({ x: 10 + part * far, y: 20 }));
  assert.deepEqual(badgeOf(line(200)), { x: 110, y: 20 });
  assert.deepEqual(badgeOf(line(40)), { x: 63, y: 20 });
  assert.deepEqual(badgeOf([{ x: undefined, y: 7 }]), { x: undefined, y: 7 });
  assert.deepEqual(badgeOf([{ x: 3, y: 7 }]), { x: 3, y: 7 });
});

test("a guess beyond the axis is at its end, with an arrow", () => {
  page();
  const guess = new Guess();
  guess.printed = () => [];
  guess.spot = (place, look, word) => [look, word, place.x, place.y];
  const scale = (axis) => (value) => (axis === "x" ? 10 * value : 100 - 10 * value), // both axes have 0 to 10
    ends = { padding: () => ({ left: 0, top: 0 }), origin: () => [20, 5] },
    view = { ...ends, scale, width: () => 100, height: () => 100 };
  const lines = (axis, own, outcome) => guess.lines({ view }, { guess: own }, axis, outcome);
  assert.deepEqual(
    lines("x", "40", "-3").map(([look, word, x]) => [look, word, x]),
    [
      ["own", "→ your guess 40", 120],
      ["outcome", "← answer −3", 20],
    ],
  );
  assert.deepEqual(
    lines("y", "40", "3").map(([look, word, , y]) => [look, word, y]),
    [
      ["own", "↑ your guess 40", 5],
      ["outcome", "answer 3", 75],
    ],
  );
});
