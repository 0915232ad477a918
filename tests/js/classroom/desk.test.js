import assert from "node:assert/strict";
import test from "node:test";

import { earlier } from "../../../pages/classroom/asked.js";
import { valuesIn } from "../../../pages/classroom/lab.js";

const round = { lesson: "coin", step: "two" };
const saved = (...rounds) => JSON.stringify({ rounds });

test("of an earlier class the last answers to the same question are compared", () => {
  const rounds = [
    [1, { a: 1 }],
    [3, { a: 3 }],
    [0, {}],
  ].map(([answers, tally]) => ({ ...round, answers, tally }));
  assert.deepEqual(earlier(saved(...rounds, { lesson: "coin", step: "three", answers: 5, tally: { b: 5 } }), round), {
    a: 3,
  });
});

test("a file without such answers, or of another kind, has none", () => {
  assert.equal(earlier(saved({ lesson: "other", step: "two", answers: 2, tally: { a: 2 } }), round), null);
  for (const text of ["", "a,b\n1,2", "null", "{}"]) assert.equal(earlier(text, round), null, text);
});

test("values are what stands between blanks, commas and semicolons", () => {
  assert.deepEqual(valuesIn(" 0.5, 1;2\n4 "), ["0.5", "1", "2", "4"]);
  assert.deepEqual(valuesIn("0,5 −1,5 1/4"), ["0.5", "-1.5", "0.25"]);
  assert.deepEqual(valuesIn("1,2,4"), ["1", "2", "4"]);
  assert.deepEqual(valuesIn("1,150 words"), ["1,150", "words"]);
  assert.deepEqual(valuesIn("  "), []);
});
