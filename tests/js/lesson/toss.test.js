import assert from "node:assert/strict";
import test from "node:test";

import { density, middle, predictive, shown, times, verdict } from "../../../pages/lesson/toss.js";

const area = (curve) =>
  curve.reduce((sum, height, i) => sum + height * (i && i < curve.length - 1 ? 1 : 0.5), 0) / (curve.length - 1);
const near = (one, other, off = 1e-3) => assert.ok(Math.abs(one - other) < off, `${one} is not ${other}`);

test("every posterior has area 1, and its mean is the probability of heads at the next toss", () => {
  for (const [heads, tails] of [
    [0, 0],
    [1, 0],
    [2, 1],
    [13, 7],
    [9, 14],
    [0, 23],
  ]) {
    const curve = density(heads, tails);
    near(area(curve), 1, 2e-3);
    near(area(times(curve, true)), predictive(heads, tails), 2e-3);
  }
});

test("a toss multiplies the curve by the likelihood, and stretching it back to area 1 is the next posterior", () => {
  const product = times(density(2, 1), false),
    next = density(2, 2);
  product.forEach((height, i) => near(height / area(product), next[i]));
  near(area(product), 1 - predictive(2, 1));
});

test("the middle of a posterior holds as much of it as is said", () => {
  const [low, high] = middle(density(0, 0));
  near(low, 0.05, 0.01);
  near(high, 0.95, 0.01);
  const [from, to] = middle(density(13, 7)),
    curve = density(13, 7);
  near(area(curve.map((height, i) => (i / 200 >= from && i / 200 <= to ? height : 0))), 0.9, 0.02);
});

test("a guess is compared with the exact probability", () => {
  assert.match(verdict(2, 1, 0.6), /^That is it: <b>3\/5 = 0\.60<\/b>/);
  assert.match(verdict(3, 0, 0.6), /^You said 0\.60, 0\.20 too low: <b>4\/5 = 0\.80<\/b>/);
});

test("the coin's own θ is told beside the middle of the posterior, inside it or not", () => {
  const [low, high] = middle(density(13, 7)).map((end) => end.toFixed(2));
  assert.match(shown(13, 7, 0.6), new RegExp(`θ = <b>0\\.60</b>, between ${low} and ${high},`));
  for (const theta of [0.2, 0.95]) assert.match(shown(13, 7, theta), new RegExp(`, not between ${low} and ${high},`));
});
