import assert from "node:assert/strict";
import test from "node:test";

import { verdict } from "../../../pages/classroom/baton.js";
import { standing, topOf } from "../../../pages/classroom/walks.js";

test("chains at one state stand side by side, then below each other, and none on another", () => {
  const places = standing([0, 0, 1, 4, ...Array(11).fill(2)], 5);
  assert.equal(new Set(places.map(String)).size, 15);
  assert.ok(places[0][0] < places[2][0] && places[2][0] < places[4][0] && places[4][0] < places[3][0]);
  assert.ok(new Set(places.slice(4).map(([, y]) => y)).size > 1, "eleven need two rows");
  const crowded = standing(Array(60).fill(3), 25);
  assert.equal(new Set(crowded.map(String)).size, 60);
  assert.ok(Math.max(...crowded.map(([, y]) => y)) < 180, "sixty at one of 25 numbers have room below it");
});

test("the axis has room for bars and lines", () => {
  assert.ok(topOf([3, 1, 0], []) > 0.75);
  assert.ok(topOf([0, 0], [0.9, 0.1]) > 0.9);
  assert.ok(topOf([0, 0], []) > 0);
});

test("the verdict waits until the relay is over", () => {
  const relay = { halves: ["A", "B"] },
    open = { distances: [0.1, 0.5], limits: [], slips: [0, 1], found: [] };
  assert.deepEqual(verdict(relay, open), [
    "Half A: 0.1 from the exact distribution. 0 steps not by its rule.",
    "Half B: 0.5 from the exact distribution. 1 step not by its rule.",
  ]);
  assert.equal(verdict(relay, { ...open, limits: [0.2, 0.2], found: ["B"] }).at(-1), "Beyond the limit: half B.");
  assert.equal(verdict(relay, { ...open, limits: [0.9, 0.9] }).at(-1), "Neither is beyond the limit.");
});
