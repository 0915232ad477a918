// Asks pages/judge/verdict.js for the verdicts that Python has found; see tests/pages/judge/test_verdict_js.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { RuleError } from "../../../pages/judge/rule.js";
import { Judge } from "../../../pages/judge/verdict.js";

const near = (one, other) => {
  if (typeof other === "number") return Math.abs(one - other) <= 1e-7 * Math.max(1, Math.abs(other));
  if (other === null || typeof other !== "object") return one === other;
  return (
    Object.keys(one).length === Object.keys(other).length &&
    Object.keys(other).every((key) => near(one[key], other[key]))
  );
};

const problems = JSON.parse(readFileSync(process.argv[2], "utf8"));
let many = 0;
for (const { pack, cases } of problems) {
  const judge = new Judge(pack);
  for (const { texts, verdict } of cases) {
    let found = null;
    try {
      found = judge.judge(texts);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
    }
    if (!near(found ?? {}, verdict ?? {})) assert.deepEqual(found, verdict, texts.join(" | "));
    many += 1;
  }
}
console.log(many);
