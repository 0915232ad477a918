import assert from "node:assert/strict";
import test from "node:test";

import { binned, meanOf, rightOf, totalOf } from "../../../pages/classroom/tally.js";

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

test("what is right is a list of texts, however it is said", () => {
  assert.deepEqual(rightOf({ right: 0.5 }), ["0.5"]);
  assert.deepEqual(rightOf({ right: ["a", "b"] }), ["a", "b"]);
  assert.deepEqual(rightOf({ right: 0 }), ["0"]);
  assert.deepEqual([rightOf({}), rightOf({ right: null })], [[], []]);
});

test("answers are counted", () => {
  assert.equal(totalOf({ a: 3, b: 4 }), 7);
  assert.equal(totalOf({}), 0);
});

test("the mean counts each answer as often as it was given, and no words", () => {
  assert.equal(meanOf({ 0.5: 3, 1: 1, "−": 7 }), 0.625);
});

test("a bar is as wide as a step, with its number in the middle", () => {
  const { start, end, now } = binned({ limits: [0, 1], step_by: 0.25 }, { 0: 1, 0.25: 2, 1: 4 });
  assert.deepEqual(now, [1, 2, 0, 0, 4]);
  assert.deepEqual([start, end], [-0.125, 1.125]);
});

test("there are forty bars and one at most, in round widths", () => {
  const { now, start, end } = binned({ limits: [0, 100], step_by: 1 }, { 0: 1, 50: 2, 100: 3 });
  assert.equal(now.length, 21);
  assert.equal((end - start) / now.length, 5);
  assert.equal(sum(now), 6);
  assert.deepEqual([now[0], now[10], now[20]], [1, 2, 3]);
});

test("without limits, all that is said and what is right have room", () => {
  const { low, high, now } = binned({ right: 12 }, { 1: 1, "-3": 1, nonsense: 9 });
  assert.deepEqual([low, high], [-3, 12]);
  assert.equal(sum(now), 2, "what is no number is left out");
});

test("one answer alone is a bar", () => {
  assert.deepEqual(binned({}, { 5: 3 }).now, [3]);
});

test("what an earlier class said lies in the same bars", () => {
  const { now, before } = binned({ limits: [0, 4], step_by: 1, before: { 1: 2, 9: 1 } }, { 1: 1 });
  assert.equal(now.length, before.length);
  assert.equal(now[1], 1);
  assert.equal(before[1], 2);
  assert.equal(before[9], 1);
  assert.equal(binned({ limits: [0, 4], step_by: 1 }, {}).before, undefined);
});
