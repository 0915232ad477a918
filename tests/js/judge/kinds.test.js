import assert from "node:assert/strict";
import { test } from "node:test";

import { testCase } from "../../../pages/judge/kinds.js";

test("a verdict says of which test case its numbers are, where another chain is seen", () => {
  const problem = { points: 4, proved_on: 7, noun: "words" };
  const about = "These numbers are of a small test case with 7 words, not of the chain ";
  assert.equal(testCase(problem, true), `${about}in the picture.`);
  assert.equal(testCase(problem, false), `${about}below.`);
  assert.equal(testCase({ ...problem, points: 7 }, false), "", "the bench has the same one");
  assert.equal(testCase({ ...problem, proved_on: 0 }, true), "", "cases that no chain connects");
});
