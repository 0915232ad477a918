import assert from "node:assert/strict";
import test from "node:test";

import { barred, meanOf, rightOf, totalOf } from "../../../pages/classroom/tally.js";

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

test("of the many errors of a rule those that came have bars, and the right one", () => {
  const options = [..."abcdefghij"].map((key) => ({ key, html: key }));
  const keys = (/** @type {ReturnType<typeof barred>} */ rows) => rows.map(({ key }) => key).join("");
  assert.equal(keys(barred({ kind: "rule", options, before: null }, { c: 1, h: 4 }, ["b"])), "hcb");
  assert.equal(
    barred({ kind: "rule", options, before: { a: 1 } }, Object.fromEntries(options.map(({ key }) => [key, 1])), [])
      .length,
    6,
  );
  assert.equal(keys(barred({ kind: "choices", options, before: null }, {}, [])), "abcdefghij");
});
