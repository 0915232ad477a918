import assert from "node:assert/strict";
import test from "node:test";

import { short } from "../../../pages/classroom/drawing.js";
import { piled, roundNumbers, sharesIn, ticksOf } from "../../../pages/classroom/pile.js";

const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-9, `${found}, not ${wanted}`);

test("few whole numbers have a bin each", () => {
  const { edges, places } = piled([3, 5, 5, 4]);
  assert.deepEqual(edges, [2.5, 3.5, 4.5, 5.5]);
  assert.deepEqual(places, [0, 2, 2, 1]);
});

test("other numbers share 25 bins, and the largest is in the last one", () => {
  const { edges, places } = piled([0, 0.5, 0.04, 1]);
  assert.equal(edges.length, 26);
  near(edges.at(-1), 1);
  assert.deepEqual(places, [0, 12, 1, 24]);
  assert.equal(piled([0, 50]).edges.length, 26, "whole, but many");
});

test("one number alone has a bin, too", () => {
  assert.deepEqual(piled([2]).edges, [1.5, 2.5]);
  assert.equal(piled([0.3, 0.3]).places[0], 0);
});

test("bins reach as far as what is likely, and no farther", () => {
  const exact = { values: [1, 2, 3, 9], shares: [0.5, 0.3, 0.1995, 0.0005] };
  assert.deepEqual(piled([2], exact).edges, [0.5, 1.5, 2.5, 3.5]);
});

test("the truth is shared out among the bins, but for what lies beyond them", () => {
  const exact = { values: [1, 2, 2, 9], shares: [0.5, 0.2, 0.25, 0.05] },
    shares = sharesIn(exact, [0.5, 1.5, 2.5]);
  near(shares[0], 0.5);
  near(shares[1], 0.45);
  assert.equal(shares.length, 2);
  assert.deepEqual(sharesIn({ mean: 2 }, [0, 1]), []);
  assert.deepEqual(sharesIn(null, [0, 1]), []);
});

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

test("bins of whole numbers are labelled by them, ten at most", () => {
  assert.deepEqual(ticksOf([2.5, 3.5, 4.5, 5.5]), [3, 4, 5]);
  const many = ticksOf(Array.from({ length: 26 }, (_, i) => i - 0.5));
  assert.deepEqual(many, [0, 3, 6, 9, 12, 15, 18, 21, 24]);
  assert.deepEqual(ticksOf([0, 0.5, 1]), [0, 0.5, 1]);
});

test("numbers have four digits", () => {
  assert.equal(short(-0.123456), "−0.1235");
  assert.equal(short(2), "2");
});
