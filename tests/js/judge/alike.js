// Asks pages/judge/rule.js what Python's reader of rules has read; see tests/pages/judge/test_rule_js.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { RuleError, evaluate, read } from "../../../pages/judge/rule.js";

const { known, cases } = JSON.parse(readFileSync(process.argv[2], "utf8")),
  names = Object.keys(known[0]);

/** @type {(value: number | string) => number} JSON has no infinity */
const number = (value) => Number(value);

/** @type {(text: string) => number[] | string} */
function found(text) {
  try {
    const tree = read(text, names);
    return known.map((one) => evaluate(tree, one));
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return error.message;
  }
}

for (const { text, said, values, loose } of cases) {
  const here = found(text);
  if (said) {
    assert.equal(typeof here, "string", `${text}: ${here}, and Python: ${said}`);
    if (!loose) assert.equal(here, said, text);
  } else {
    assert.notEqual(typeof here, "string", `${JSON.stringify(text)}: ${here}`);
    values.map(number).forEach((value, i) => {
      const near = Object.is(here[i], value) || Math.abs(here[i] - value) <= 1e-9 * Math.max(1e-300, Math.abs(value));
      assert.ok(near || (here[i] === 0 && value === 0), `${text}: ${here[i]}, and Python: ${value}`);
    });
  }
}
console.log(cases.length);
