import assert from "node:assert/strict";
import test from "node:test";

import { Latest, inSteps } from "../../../pages/player/dials.js";

function latest() {
  // with what it sends
  const sent = [];
  return [new Latest((report) => sent.push(report)), sent];
}

test("while a report is on its way, of what follows only the latest is sent", () => {
  const [reports, sent] = latest();
  for (const value of [1, 2, 3, 4]) reports.put("size", value);
  assert.deepEqual(sent, [1]);
  reports.answered(1);
  assert.deepEqual(sent, [1, 4]);
  reports.answered(2);
  assert.deepEqual(sent, [1, 4]);
});

test("each dial has its turn", () => {
  const [reports, sent] = latest();
  for (const [name, value] of [
    ["size", "a"],
    ["size", "b"],
    ["step", "c"],
    ["size", "d"],
  ])
    reports.put(name, value);
  reports.answered(1);
  reports.answered(2);
  assert.deepEqual(sent, ["a", "d", "c"]);
});

test("an older answer does not stand for a newer report", () => {
  const [reports, sent] = latest();
  reports.put("size", 1);
  reports.put("size", 2);
  reports.answered(0);
  assert.deepEqual(sent, [1]);
});

test("a dial's own value counts until it has been heard", () => {
  const [reports] = latest();
  assert.equal(reports.awaits("size"), false);
  reports.put("size", 1);
  reports.put("step", 2);
  assert.deepEqual([reports.awaits("size"), reports.awaits("step")], [true, true]);
  reports.answered(1);
  assert.deepEqual([reports.awaits("size"), reports.awaits("step")], [false, true]);
  reports.answered(2);
  assert.equal(reports.awaits("step"), false);
});

test("a value has the digits of its steps", () => {
  assert.equal(inSteps("0.5", "0.05"), "0.50");
  assert.equal(inSteps("-3", "1"), "−3");
  assert.equal(inSteps(2.5, 0.1), "2.5");
  assert.equal(inSteps("12", "any"), "12");
});
