import assert from "node:assert/strict";
import test from "node:test";

import { spokenOf } from "../../../pages/player/strip.js";

const [main, trace, bars] = ["Points", "Trace", "Bars"].map((textContent) => ({
  querySelector: () => ({ textContent }),
}));
const all = [main, trace, bars];

test("the chart that a question asks on is in view, then what was uncovered, then what the text names", () => {
  assert.equal(spokenOf(all, bars, [trace], ["Trace"]), bars);
  assert.equal(spokenOf(all, undefined, [trace], ["Bars"]), trace);
  assert.equal(spokenOf(all, undefined, [], ["Step", "Bars"]), bars);
  assert.equal(spokenOf(all, undefined, [], ["Bars", "Points"]), main, "the main picture, if that is named too");
  assert.equal(spokenOf(all, undefined, [], ["Step"]), main);
});
