import assert from "node:assert/strict";
import test from "node:test";

import { Lab, valuesIn } from "../../../pages/classroom/lab.js";

test("values are separated by blanks, semicolons, or commas before a blank", () => {
  const cases = {
    "0.5 1 2": ["0.5", "1", "2"],
    "0,5 1 2": ["0.5", "1", "2"],
    "0,5; 1; 2": ["0.5", "1", "2"],
    "1, 2, 3": ["1", "2", "3"],
    "1,2,3": ["1", "2", "3"],
    "1/2 −1": ["0.5", "-1"],
    "1,150": ["1,150"],
    "Gibbs NUTS": ["Gibbs", "NUTS"],
  };
  for (const [text, expected] of Object.entries(cases)) assert.deepEqual(valuesIn(text), expected, text);
});

function lab({ vary = "concentration", values = "1 2", t = "60" } = {}) {
  // the form as it is filled in, and what it has said
  const said = [];
  return Object.assign(Object.create(Lab.prototype), {
    said,
    vary: { value: vary },
    values: { value: values },
    t: { value: t },
    outcome: { value: "tables" },
    refused: { hidden: true },
    say: (message) => said.push(message),
  });
}

const submitted = { preventDefault: () => {} };

test("the class starts with the numbers as they were meant", () => {
  const form = lab({ values: "0,5 2", t: "1 000" });
  form.start(submitted);
  assert.deepEqual(form.said, [{ hands: { vary: "concentration", values: ["0.5", "2"], outcome: "tables", t: 1000 } }]);
  assert.equal(form.refused.hidden, true);
});

test("what has two readings or is no number of iterations is refused as it was typed, with the reason", () => {
  for (const [filled, reason] of [
    [{ values: "1,150 2" }, /could be 1150 or 1\.15/],
    [{ t: "1,5" }, /is not a whole number/],
    [{ t: "0" }, /outside the range: at least 1/],
    [{ t: "soon" }, /is not a number/],
  ]) {
    const form = lab(filled);
    form.start(submitted);
    assert.deepEqual([form.said, form.refused.hidden], [[], false]);
    assert.match(form.refused.textContent, reason);
    assert.equal(form.t.value, filled.t ?? "60");
  }
});

test("arrows step the number of iterations, down to one", () => {
  const form = lab({ t: "2" });
  const press = (key) => form.step({ key, preventDefault: () => {} });
  for (const key of ["ArrowDown", "ArrowDown", "x"]) press(key);
  assert.equal(form.t.value, "1");
  press("ArrowUp");
  assert.equal(form.t.value, "2");
});
