import assert from "node:assert/strict";
import test from "node:test";

import { indented, placeIn, stepAround, stepsIn } from "../../../pages/studio/editor.js";

const LINES = ["---", "title: A", "---", "## One", "a", "## Two", "b", "### not a step", ""];

test("the cursor's step reaches from its heading to the next one", () => {
  assert.deepEqual(stepAround(LINES, 5), [3, 5]);
  assert.deepEqual(stepAround(LINES, 4), [3, 5], "on the heading");
  assert.deepEqual(stepAround(LINES, 6), [5, 9], "the last one reaches to the end");
  assert.deepEqual(stepAround(LINES, 2), [-1, 3], "before the first one");
  assert.deepEqual(stepAround(["no step"], 1), [-1, 1]);
});

test("steps before the cursor are counted by their headings", () => {
  assert.equal(stepsIn(LINES.join("\n")), 2);
  assert.equal(stepsIn("text ## no heading"), 0);
});

test("a problem's place is found in the text, or what is nearest to it", () => {
  const text = "ab\n\ncdef";
  assert.deepEqual(placeIn(text, 1, 1), [1, 0]);
  assert.deepEqual(placeIn(text, 1, 2), [1, 1]);
  assert.deepEqual(placeIn(text, 2, 1), [2, 3]);
  assert.deepEqual(placeIn(text, 3, 3), [3, 6]);
  assert.deepEqual(placeIn(text, 3, 99), [3, 8], "at the end of its line");
  assert.deepEqual(placeIn(text, 99, 1), [3, 4], "in the last line");
});

test("lines go in by two blanks, and out by what is there", () => {
  assert.equal(indented("a\n\n  b", false), "  a\n\n    b");
  assert.equal(indented("  a\n b\n\n    c", true), "a\nb\n\n  c");
  assert.equal(indented(indented("a\nb", false), true), "a\nb");
});
