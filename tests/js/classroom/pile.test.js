import assert from "node:assert/strict";
import test from "node:test";

import { short } from "../../../pages/classroom/drawing.js";
import { roundNumbers, ticksOf } from "../../../pages/classroom/pile.js";

test("an axis has about four round numbers, all of them within it", () => {
  assert.deepEqual(roundNumbers(0, 1), [0, 0.5, 1]);
  assert.deepEqual(roundNumbers(-30, 90), [0, 50]);
  assert.deepEqual(roundNumbers(1, 9), [2, 4, 6, 8]);
  for (const [low, high] of [
    [0.013, 0.02],
    [-7, 1e4],
    [1e-6, 3e-6],
  ]) {
    const numbers = roundNumbers(low, high);
    assert.ok(numbers.length >= 2 && numbers.length <= 5, `${numbers}`);
    assert.ok(
      numbers.every((number) => number >= low && number <= high + 1e-12),
      `${numbers}`,
    );
  }
});

test("bins of one whole number each are labelled by it, ten at most", () => {
  assert.deepEqual(ticksOf({ low: 2.5, width: 1, number: 3 }), [3, 4, 5]);
  assert.deepEqual(ticksOf({ low: -0.5, width: 1, number: 25 }), [0, 3, 6, 9, 12, 15, 18, 21, 24]);
  assert.deepEqual(ticksOf({ low: -0.5, width: 2, number: 30 }), [0, 20, 40], "wider ones by round numbers");
  assert.deepEqual(ticksOf({ low: 0, width: 0.5, number: 2 }), [0, 0.5, 1]);
});

test("numbers have four digits", () => {
  assert.equal(short(-0.123456), "−0.1235");
  assert.equal(short(2), "2");
});
